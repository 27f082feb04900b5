package service

import (
	"errors"
	"strings"

	"github.com/lockscene/lockscene/evidence"
	"github.com/lockscene/lockscene/inspect/stamp"
)

// A description reads `kubectl describe pod`: labels and values, nested by
// indentation. Sections begin at the left margin, containers two columns in, and
// a container's fields further in than its name.
type description struct {
	frame      stamp.Frame
	name, ns   string
	node       string
	phase      string
	reason     string
	section    string // Containers, Init Containers, Events, …
	containers []evidence.Container
	first      int // the present pod's containers begin here
	indent     int // of the present container's name; zero: none yet
	block      string
	run        *evidence.Run // what the block State or Last State collects
	events     eventRows
	at         int // events of the present pod begin here
}

// ParseDescribe reads `kubectl describe pod` of one pod or several: their
// containers, and the events printed at the end of each.
func ParseDescribe(b []byte, f stamp.Frame) ([]evidence.Container, []evidence.ClusterEvent, error) {
	if err := bounded("kubectl describe", b); err != nil {
		return nil, nil, err
	}
	d := description{frame: f, events: eventRows{frame: f}}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			d.line(line)
		}
	}
	d.close()
	if len(d.containers) == 0 {
		return nil, nil, errors.New("parse kubectl describe: no pod in it")
	}
	return d.containers, d.events.list, nil
}

func (d *description) line(line string) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	key, value, labelled := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch {
	case indent == 0 && labelled:
		d.top(key, value)
	case d.section == "Events":
		d.events.line(line)
	case !strings.HasSuffix(d.section, "ontainers") || !labelled:
	case d.indent == 0 || indent <= d.indent:
		if value == "" && len(d.containers) < maxItems {
			d.indent, d.block, d.run = indent, "", nil
			d.containers = append(d.containers, evidence.Container{Name: clip(key), Status: "waiting"})
		}
	default:
		d.field(key, value)
	}
}

// top reads what stands at the left margin.
func (d *description) top(key, value string) {
	switch key {
	case "Name":
		d.close()
		d.name, d.ns, d.node, d.phase, d.reason, d.section = value, "", "", "", "", ""
		return
	case "Namespace":
		d.ns = value
	case "Node":
		d.node, _, _ = strings.Cut(value, "/")
	case "Status":
		d.phase, _, _ = strings.Cut(value, " ")
	case "Reason":
		d.reason = value
	}
	d.section, d.indent, d.run = key, 0, nil
	if key == "Events" {
		d.events.header(nil)
	}
}

// field reads one field of a container. Reason, Exit Code, Started and Finished
// belong to the block above them.
func (d *description) field(key, value string) {
	if d.indent == 0 || len(d.containers) == d.first {
		return
	}
	c := &d.containers[len(d.containers)-1]
	switch key {
	case "Container ID":
		c.ID = clip(bareID(value))
	case "Restart Count":
		c.Restarts = count(value)
	case "State":
		d.block, d.run = "State", nil
		if c.Status = strings.ToLower(value); value == "Terminated" {
			c.Status = "exited"
		}
	case "Last State":
		if d.block, d.run = "Last State", nil; value == "Terminated" {
			c.Previous = &evidence.Run{Exit: Untold}
			d.run = c.Previous
		}
	case "Reason", "Exit Code", "Signal", "Started", "Finished":
		d.state(c, key, value)
	case "Message":
	default:
		d.block = ""
	}
}

func (d *description) state(c *evidence.Container, key, value string) {
	at, _ := d.frame.Time(value)
	switch {
	case d.block == "State" && key == "Reason":
		c.Reason, c.OOMKilled = clip(value), value == "OOMKilled"
	case d.block == "State" && key == "Exit Code":
		c.Exit = evidence.Saw("pod/exitCode", count(value))
	case d.block == "State" && key == "Started":
		c.Started = at
	case d.block == "State" && key == "Finished":
		c.Finished = at
	case d.run == nil || d.block == "":
	case key == "Reason":
		d.run.Reason = clip(value)
	case key == "Exit Code":
		d.run.Exit = count(value)
	case key == "Signal":
		d.run.Signal = count(value)
	case key == "Started":
		d.run.Started = at
	case key == "Finished":
		d.run.Finished = at
	}
}

// close ends the description of one pod.
func (d *description) close() {
	if d.name == "" {
		return
	}
	pod := clip(qualified(d.ns, d.name))
	if len(d.containers) == d.first && d.phase != "" {
		d.containers = append(d.containers, evidence.Container{Status: strings.ToLower(d.phase)})
	}
	for i := range d.containers[d.first:] {
		c := &d.containers[d.first+i]
		c.Pod, c.Node = pod, clip(d.node)
		podReason(c, clip(d.reason))
	}
	for i := range d.events.list[d.at:] {
		if e := &d.events.list[d.at+i]; e.Object == "" {
			e.Object = "pod/" + pod
		}
	}
	d.first, d.at, d.name = len(d.containers), len(d.events.list), ""
}
