package transcript

import "bytes"

// An output collects what the command under way prints. Of one that is too long
// it keeps the first quarter and the end: of a log the newest lines tell most.
type output struct {
	most    int
	head    []byte
	tail    []byte
	cut     bool
	at      int64 // where its first line begins in the input
	bytes   int64 // how much of the input it is
	line    int   // number of its first line
	remarks []Entry
}

func (o *output) full(l rawLine) bool { return len(o.head)+len(l.text)+1 > o.most && len(o.head) > 0 }

// skip counts a line that is no output.
func (o *output) skip(l rawLine) {
	if o.bytes == 0 {
		o.at, o.line = l.at, l.number
	}
	o.bytes += l.size
}

func (o *output) add(l rawLine) {
	o.bytes += l.size
	o.cut = o.cut || l.cut
	into, text := &o.head, l.text
	if o.tail != nil || len(o.head)+len(text) >= o.most {
		o.divide()
		into = &o.tail
		if len(text) > o.most/2 {
			text, o.cut = text[:o.most/2], true
		}
	}
	*into = append(*into, text...)
	if l.ended {
		*into = append(*into, '\n')
	}
	if len(o.tail) > 2*o.most {
		o.tail = append(o.tail[:0], lastLines(o.tail, o.most*3/4)...)
		o.cut = true
	}
}

// divide begins the tail with what the head has above its quarter.
func (o *output) divide() {
	if o.tail != nil {
		return
	}
	quarter := bytes.LastIndexByte(o.head[:min(len(o.head), o.most/4)], '\n') + 1
	o.tail = append(make([]byte, 0, 2*o.most+o.most/2+1), o.head[quarter:]...)
	o.head = o.head[:quarter]
}

// take hands over what was collected, and begins anew.
func (o *output) take() output {
	out := *o
	*o = output{most: o.most}
	if out.tail == nil {
		return out
	}
	if len(out.head)+len(out.tail) > out.most {
		out.tail, out.cut = lastLines(out.tail, out.most*3/4), true
	}
	out.head, out.tail = append(out.head, out.tail...), nil
	return out
}

// lastLines are the whole lines within the last n bytes.
func lastLines(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	b = b[len(b)-n:]
	return b[bytes.IndexByte(b, '\n')+1:]
}
