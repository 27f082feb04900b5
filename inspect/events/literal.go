package events

import (
	"regexp/syntax"
	"strings"
)

// literalsOf are texts of which every match of an expression contains one; none
// when the expression does not tell. Looking for them first spares a log's
// other lines the expression.
func literalsOf(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return required(re.Simplify())
}

func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			one := required(sub)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if one := required(sub); shortest(one) > shortest(best) {
				best = one
			}
		}
		return best
	}
	return nil
}

// shortest is the length of the shortest text: the worst that one has to look
// for.
func shortest(texts []string) int {
	n := 0
	for i, t := range texts {
		if i == 0 || len(t) < n {
			n = len(t)
		}
	}
	return n
}

// possible says whether a line may match.
func (r *rule) possible(line string) bool {
	if len(r.literals) == 0 {
		return true
	}
	for _, t := range r.literals {
		if strings.Contains(line, t) {
			return true
		}
	}
	return false
}
