package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// eventRows reads tables of events, as `kubectl get events` and the end of
// `kubectl describe` print them. Ages count back from the moment of reading.
type eventRows struct {
	frame stamp.Frame
	table table
	list  []evidence.ClusterEvent
}

func (e *eventRows) header(t table) { e.table = t }

// line reads one line of a table.
func (e *eventRows) line(line string) {
	text := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(text, "LAST SEEN") || strings.HasPrefix(text, "NAMESPACE") && strings.Contains(text, "LAST SEEN"):
		e.header(headings(line))
	case strings.HasPrefix(text, "Type ") && strings.Contains(text, " Age "), strings.HasPrefix(text, "FirstSeen"):
		e.header(headings(line))
	case e.table == nil || strings.HasPrefix(text, "----") || text == "" || len(e.list) == maxItems:
	default:
		e.row(line)
	}
}

// row reads one event. Column names differ in case between the two tables.
func (e *eventRows) row(line string) {
	cell := func(names ...string) string {
		for _, n := range names {
			if v := e.table.cell(line, n); v != "" {
				return v
			}
		}
		return ""
	}
	age := cell("LAST SEEN", "Age", "LastSeen")
	ev := evidence.ClusterEvent{
		Reason: clip(cell("REASON", "Reason")),
		Text:   clip(cell("MESSAGE", "Message")),
		Object: clip(cell("OBJECT")),
		Count:  count(cell("COUNT", "Count")),
	}
	if ns := cell("NAMESPACE"); ns != "" && ev.Object != "" {
		kind, name, _ := strings.Cut(ev.Object, "/")
		ev.Object = clip(kind + "/" + ns + "/" + name)
	}
	if ev.Reason == "" || age == "" {
		return
	}
	e.date(&ev, age)
	if first, ok := e.frame.Age(cell("FIRST SEEN", "FirstSeen")); ok {
		ev.Since = first
	}
	e.list = append(e.list, ev)
}

// date reads "2m13s", or "2m13s (x3 over 10m)" of a folded event.
func (e *eventRows) date(ev *evidence.ClusterEvent, age string) {
	last, folded, _ := strings.Cut(age, " (x")
	ev.At, _ = e.frame.Age(strings.TrimSpace(last))
	times, over, ok := strings.Cut(strings.TrimSuffix(folded, ")"), " over ")
	if !ok {
		return
	}
	ev.Count = count(times)
	ev.Since, _ = e.frame.Age(over)
}

// ParseEvents reads `kubectl get events`, as a table or with -o json or yaml.
func ParseEvents(b []byte, f stamp.Frame) ([]evidence.ClusterEvent, error) {
	if err := bounded("kubectl events", b); err != nil {
		return nil, err
	}
	head := strings.TrimSpace(string(b[:min(len(b), 64)]))
	if strings.HasPrefix(head, "{") || strings.HasPrefix(head, "apiVersion:") || strings.HasPrefix(head, "---") {
		return parseEventList(b, f)
	}
	rows := eventRows{frame: f}
	for line := range strings.Lines(string(b)) {
		rows.line(strings.TrimRight(line, "\r\n"))
	}
	if rows.table == nil {
		return nil, errors.New("parse kubectl events: no headings")
	}
	return rows.list, nil
}
