package convert

import "bytes"

// flushMode says what a paragraph is written as.
type flushMode uint8

const (
	modeParagraph flushMode = iota
	modeHeading             // one line after its marker
	modeCell                // one line within a table row
)

// flush writes what was collected at the end of the output, with its escapes and
// signs, and empties the collection.
func (c *converter) flush(mode flushMode) {
	t := &c.inl
	t.resolve()
	w := copier{c: c, t: t, mode: mode, forced: -1, mark: len(c.marks)}
	w.lineStart(0)
	for i := range t.events {
		e := &t.events[i]
		w.to(e.at())
		switch {
		case e.kind == eventChar:
			if e.escape && w.forced != e.at() {
				c.buf = append(c.buf, '\\')
			}
		case e.drop:
		case e.mark == markEm:
			c.buf = append(c.buf, '*')
		case e.mark == markStrong:
			c.buf = append(c.buf, "**"...)
		case e.mark == markStrike:
			c.buf = append(c.buf, "~~"...)
		case e.kind == eventOpen:
			c.buf = append(c.buf, '[')
		default:
			c.buf = append(c.buf, "]("...)
			c.buf = append(c.buf, t.targets[e.link]...)
			c.buf = append(c.buf, ')')
		}
	}
	w.to(len(t.buf))
	t.reset()
}

// dropByteOrderMark removes the marks that the text begins with, and the signs
// that then enclose nothing. At the start of a page they would be taken off again.
func (t *inline) dropByteOrderMark() {
	const mark = "\uFEFF"
	n := 0
	for bytes.HasPrefix(t.buf[n:], []byte(mark)) {
		n += len(mark)
	}
	if n == 0 {
		return
	}
	t.buf = append(t.buf[:0], t.buf[n:]...)
	for i := range t.events {
		t.events[i].pos = max(0, t.events[i].pos-int32(n))
	}
	for i := range t.events {
		if e := &t.events[i]; e.kind != eventChar && t.events[e.mate].pos == e.pos {
			e.drop = true
		}
	}
	for i := range t.marks {
		t.marks[i].pos = max(0, t.marks[i].pos-n)
		t.marks[i].end = max(0, t.marks[i].end-n)
	}
}

// copier copies a paragraph to the output and moves its marks along.
type copier struct {
	c      *converter
	t      *inline
	mode   flushMode
	at     int // how far it has got
	forced int // offset of a character that the start of its line has escaped
	begun  int // marks of the paragraph that were begun
	ended  int // marks of the paragraph whose end was passed
	mark   int // index in c.marks of the first mark not ended
}

// lineStart looks for syntax at the start of a line of a paragraph.
func (w *copier) lineStart(pos int) {
	if w.mode != modeParagraph || w.t.signsAt(pos) {
		return
	}
	line := w.t.buf[pos:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if i := lineSyntax(line, pos == 0); i >= 0 && !w.t.protected(pos+i) {
		w.forced = pos + i
	}
}

// protected reports whether a code span of ours stands at an offset: a backtick
// of the text is an event.
func (t *inline) protected(pos int) bool {
	if t.buf[pos] != '`' {
		return false
	}
	for i := t.eventsFrom(pos); i < len(t.events) && t.events[i].at() == pos; i++ {
		if t.events[i].kind == eventChar {
			return false
		}
	}
	return true
}

// to copies up to an offset.
func (w *copier) to(end int) {
	for w.at < end {
		stop := end
		if i := bytes.IndexByte(w.t.buf[w.at:end], '\n'); i >= 0 {
			stop = w.at + i
		}
		if w.forced >= w.at && w.forced < stop && w.forced > w.at {
			stop = w.forced
		} else if w.forced == w.at {
			w.c.buf = append(w.c.buf, '\\')
			stop = min(stop, w.at+1)
		}
		if stop == w.at { // a line break
			w.moveMarks(w.at + 1)
			w.at++
			if w.mode == modeParagraph {
				w.c.next()
				w.lineStart(w.at)
			} else {
				w.c.buf = append(w.c.buf, ' ')
			}
			continue
		}
		if w.mode == modeHeading && stop == len(w.t.buf) {
			w.heading(stop)
			return
		}
		w.copy(stop)
	}
}

// heading copies the end of a heading; number signs there would be taken for its
// closing sequence.
func (w *copier) heading(stop int) {
	n := len(bytes.TrimRight(w.t.buf[:stop], "#"))
	n = max(n, w.at)
	w.copy(n)
	if n < stop {
		w.c.buf = append(w.c.buf, '\\')
		w.copy(stop)
	}
}

func (w *copier) copy(stop int) {
	w.moveMarks(stop)
	w.c.buf = append(w.c.buf, w.t.buf[w.at:stop]...)
	w.at = stop
}

// moveMarks gives the marks that begin or end in [at, stop) their place in the
// output, where at has been reached.
func (w *copier) moveMarks(stop int) {
	c, t := w.c, w.t
	shift := len(c.buf) - w.at
	for ; w.begun < len(t.marks) && t.marks[w.begun].pos < stop; w.begun++ {
		m := &t.marks[w.begun]
		if m.isLink {
			m.link.At = m.pos + shift
			c.keepLink(m.link)
			continue
		}
		c.marks = append(c.marks, mark{start: m.pos + shift, flags: m.flags})
	}
	for ; w.ended < w.begun && t.marks[w.ended].end <= stop; w.ended++ {
		if m := &t.marks[w.ended]; !m.isLink {
			c.marks[w.mark].end = m.end + shift
			w.mark++
		}
	}
}
