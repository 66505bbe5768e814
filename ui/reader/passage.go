package reader

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// passage is a part of the shown text that is being selected, in code points of
// what its rendering was made of.
type passage struct {
	// from and to are the line that the selection began with, head its other end.
	from, to int
	head     int
}

// span is what is selected: down to the head, or up to it.
func (s *passage) span() spans.Span {
	if s.head < s.from {
		return spans.Span{Start: s.head, End: s.to, Level: spans.Selected}
	}
	return spans.Span{Start: s.from, End: max(s.head, s.from), Level: spans.Selected}
}

// byLine moves the head by a line, down or up, and returns the line that it is in then; ok
// is false at the end of the text.
func (s *passage) byLine(r *spans.Rendering, n int) (line int, ok bool) {
	up := s.head < s.from
	from, to := 0, r.Height()
	step := 1
	if n < 0 {
		from, to, step = r.Height()-1, -1, -1
	}
	for i := from; i != to; i += step {
		start, end, ok := r.LineSpan(i)
		switch {
		case !ok:
		case n > 0 && up && start > s.head:
			s.head = start
			if start >= s.from {
				s.head = s.to
			}
			return i, true
		case n > 0 && !up && end > s.head:
			s.head = end
			return i, true
		case n < 0 && up && start < s.head, n < 0 && !up && s.head <= s.to && start < s.from:
			s.head = start
			return i, true
		case n < 0 && !up && s.head > s.to && end < s.head:
			s.head = max(end, s.to)
			return i, true
		}
	}
	return 0, false
}

// byWord moves the head by a word, on or back, and returns the line that it is in then.
func (s *passage) byWord(r *spans.Rendering, n int) (line int) {
	words := r.Words()
	up := s.head < s.from
	end := func(w spans.Span) int {
		if up {
			return w.Start
		}
		return w.End
	}
	if n > 0 {
		for _, w := range words {
			if end(w) > s.head {
				s.head = end(w)
				break
			}
		}
		if up && s.head >= s.from {
			s.head = s.to
		}
	} else {
		for i := len(words) - 1; i >= 0; i-- {
			w := words[i]
			if e := end(w); e < s.head {
				s.head = e
				if !up && e <= s.from {
					s.head = w.Start // beyond where it began: it goes on upwards
				}
				break
			}
		}
	}
	return r.LineOf(max(0, s.head-1))
}

// startPassage selects the line of the focused mark if it can be seen, else the
// first visible line with text, and reports whether there is one.
func (p *shownSection) startPassage() bool {
	r := p.ready.Rendering
	line := p.Top
	if p.focus >= 0 && p.focus < len(p.stops) {
		if at, _ := p.marked.At(p.stops[p.focus]); p.Has(at) {
			line = at
		}
	}
	for ; line < r.Height(); line++ {
		if start, end, ok := r.LineSpan(line); ok {
			p.passage = &passage{from: start, to: end, head: end}
			p.paint()
			return true
		}
	}
	return false
}

// showPassage paints the selection, with the line of its head in sight.
func (p *shownSection) showPassage(line int) {
	p.paint()
	p.Show(line)
	p.refit()
}

func (p *shownSection) endPassage() {
	p.passage = nil
	p.paint()
}

// passageNote counts what is selected, for the title.
func (p *shownSection) passageNote() string {
	s := p.passage.span()
	words := len(strings.Fields(p.ready.Rendering.Slice(s.Start, s.End)))
	return fmt.Sprintf("selected %s, %s", wording.Plural(words, "word"), wording.Plural(s.End-s.Start, "character"))
}
