package dialect

import (
	"strings"
	"testing"
)

func TestCommon(t *testing.T) {
	row := func(sha, from, to string) Script { return Script{Library: "x", SHA1: sha, From: from, To: to} }
	for name, c := range map[string]struct {
		scripts []Script
		want    string
	}{
		"none":                      {nil, ""},
		"until today":               {[]Script{row("a", "3.46", "HEAD")}, ">= 3.46"},
		"no end is until today":     {[]Script{row("a", "3.46", "")}, ">= 3.46"},
		"closed":                    {[]Script{row("a", "3.22.0", "3.23.5")}, "3.22.0 to 3.23.5"},
		"one version":               {[]Script{row("a", "3.31.0", "3.31.0")}, "3.31.0"},
		"the later start":           {[]Script{row("a", "3.9.0", "HEAD"), row("b", "3.24.0", "HEAD")}, ">= 3.24.0"},
		"by number, not by letter":  {[]Script{row("a", "3.10.6", "3.21.3"), row("b", "3.9.0", "3.100.0")}, "3.10.6 to 3.21.3"},
		"the earlier end":           {[]Script{row("a", "3.22.0", "HEAD"), row("b", "3.19.0", "3.23.5")}, "3.22.0 to 3.23.5"},
		"nothing in common":         {[]Script{row("a", "3.0.0", "3.1.0"), row("b", "3.2.0", "HEAD")}, ""},
		"prefixes go":               {[]Script{row("a", "v1.0.38", "HEAD"), row("b", "release-2.0.0", "HEAD")}, ">= 2.0.0"},
		"a longer prefix":           {[]Script{row("a", "shedlock-parent-6.7.0", "HEAD")}, ">= 6.7.0"},
		"a release's name goes":     {[]Script{row("a", "v5.0.0.RELEASE", "v5.5.12")}, "5.0.0 to 5.5.12"},
		"beta before release":       {[]Script{row("a", "v7.0.0.beta12", "v7.0.0"), row("b", "v7.0.0", "HEAD")}, "7.0.0"},
		"the tenth after the ninth": {[]Script{row("a", "v7.0.0.beta9", "v7.0.0.beta29"), row("b", "v7.0.0.beta10", "HEAD")}, "7.0.0.beta10 to 7.0.0.beta29"},
		"alpha before beta":         {[]Script{row("a", "v5.0.0-alpha.0", "v5.0.0-beta.2"), row("b", "v5.0.0-beta.0", "HEAD")}, "5.0.0-beta.0 to 5.0.0-beta.2"},
		"without a dot":             {[]Script{row("a", "1.0alpha2", "1.0"), row("b", "1.0rc1", "HEAD")}, "1.0rc1 to 1.0"},
		"a missing zero":            {[]Script{row("a", "2.1", "2.1.0")}, "2.1"},
		"one text in two methods":   {[]Script{row("a", "3.0.0", "3.8.0"), row("a", "3.8.1", "3.14.1"), row("a", "3.15.0", "3.43.0")}, "3.0.0 to 3.43.0"},
		"one text, twice the same":  {[]Script{row("a", "3.0.0", "3.1.0"), row("a", "3.0.0", "3.1.0")}, "3.0.0 to 3.1.0"},
		"one text, with a gap":      {[]Script{row("a", "3.0.0", "3.1.0"), row("a", "3.5.0", "HEAD"), row("b", "3.0.0", "3.7.0")}, "3.0.0 to 3.1.0 or 3.5.0 to 3.7.0"},
		"over a major version":      {[]Script{row("a", "3.44.0", "3.52.0"), row("a", "4.0.0", "4.3.1"), row("a", "4.5.0", "4.6.0")}, "3.44.0 to 4.3.1 or 4.5.0 to 4.6.0"},
		"next but not the first":    {[]Script{row("a", "3.0.0", "3.1.0"), row("a", "3.2.4", "3.3.0")}, "3.0.0 to 3.1.0 or 3.2.4 to 3.3.0"},
		"betas with a gap":          {[]Script{row("a", "7.0.0.beta1", "7.0.0.beta1"), row("a", "7.0.0.beta12", "7.0.0.beta29")}, "7.0.0.beta1 or 7.0.0.beta12 to 7.0.0.beta29"},
		"one text inside another":   {[]Script{row("a", "3.0.0", "HEAD"), row("a", "3.1.0", "3.2.0")}, ">= 3.0.0"},
		"every stage":               {[]Script{row("a", "1.0-SNAPSHOT", "HEAD"), row("b", "1.0-M2", "1.0.GA")}, "1.0-M2 to 1.0"},
		"a commit":                  {[]Script{row("a", "crawl 017a6c12", "crawl 017a6c12")}, ""},
		"a commit without a word":   {[]Script{row("a", "017a6c12", "HEAD")}, ""},
		"no version":                {[]Script{row("a", "-", "-")}, ""},
		"from HEAD":                 {[]Script{row("a", "HEAD", "HEAD")}, ""},
		"one of them unknown":       {[]Script{row("a", "3.0.0", "HEAD"), row("b", "-", "HEAD")}, ""},
		"backwards":                 {[]Script{row("a", "3.2.0", "3.1.0")}, ""},
		"another library":           {[]Script{row("a", "3.0.0", "HEAD"), {Library: "y", SHA1: "b", From: "3.0.0"}}, ""},
		"too long":                  {[]Script{row("a", "1."+strings.Repeat("9", 40), "HEAD")}, ""},
		"control characters":        {[]Script{row("a", "1.2\x1b[31m", "HEAD")}, ""},
		"not UTF-8":                 {[]Script{row("a", "\xff1.2", "HEAD")}, ""},
	} {
		if got := common(c.scripts); got != c.want {
			t.Errorf("%s: common = %q, want %q", name, got, c.want)
		}
	}
}

// Every row of the table is either comparable or knowingly not.
func TestCommonReadsTheTable(t *testing.T) {
	for _, s := range scripts().all {
		got := common([]Script{s})
		known := s.From != "-" && s.From != "HEAD" && !strings.HasPrefix(s.From, "crawl")
		if (got != "") != known {
			t.Errorf("%s %s: common of %q to %q = %q", s.Library, s.Op, s.From, s.To, got)
		}
	}
}
