package reader

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/spans"
)

// markKind is what a mark marks. Of those of a section, the highest kind is the one
// that n and N step through.
type markKind uint8

const (
	markMatch markKind = iota
	markCited
	markFound
)

func kindOf(l spans.Level) markKind {
	switch l {
	case spans.Found:
		return markFound
	case spans.Citation:
		return markCited
	default:
		return markMatch
	}
}

func isCited(s spans.Span) bool { return kindOf(s.Level) == markCited }

// Marks are the passages of a section that the query matched, or its painted words, and
// the cited span, where the section holds it, in code points of its text.
func (v *View) Marks(it *retrieval.Item) []spans.Span {
	if it == nil {
		return nil
	}
	low, high := v.Session().Params().SimilarityFloor, 0.0
	if r := v.Session().Result(); r != nil {
		for i := range r.Items {
			for _, match := range r.Items[i].Matches {
				high = max(high, match.Similarity)
			}
		}
	}
	var marks []spans.Span
	if v.needs.IsPainted() && len(it.Matches) > 0 {
		if known := v.Session().Cosines(it); known != nil {
			marks = paintedWords(known, v.Session().Query(), it)
		}
	}
	if marks == nil { // the words are not known yet
		marks = rendering.MatchMarks(it, max(low, 0), high)
	}
	if of, span := v.needs.Cited(); of != nil && of.SourceURL == it.SourceURL && span.Start < it.CharEnd && it.CharStart < span.End {
		marks = append(marks, spans.Span{
			Start: max(span.Start, it.CharStart) - it.CharStart, End: min(span.End, it.CharEnd) - it.CharStart,
			Level: spans.Citation, Label: "c",
		})
	}
	return marks
}

// Repaint lays the marks of the selected section anew.
func (v *View) Repaint() {
	if it := v.shown.item; it != nil {
		v.shown.show(it, v.Marks(it))
	}
}

// Painted tells that words are marked from now on, or are not any more: they are shown in a
// form that has them.
func (v *View) Painted() {
	v.Repaint()
	if v.needs.IsPainted() && v.marksElsewhere() {
		v.ShowRendered()
	}
}

// marksElsewhere says that the section has marks which this form cannot show.
func (v *View) marksElsewhere() bool {
	p := &v.shown
	return p.item != nil && p.lost > 0 && len(p.stops) == 0 && v.formOf(p.item) != rendering.Rendered
}

// FocusedMatch is the match, by similarity from 0, that the reader stands on, -1 for none.
func (v *View) FocusedMatch() int {
	mark, ok := v.shown.focused()
	if !ok || kindOf(mark.Level) != markMatch {
		return -1
	}
	return numberOf(mark) - 1
}

// numberOf is the number of a match, by similarity from 1; 0 for other marks.
func numberOf(mark spans.Span) int {
	n, err := strconv.Atoi(mark.Label)
	if err != nil || kindOf(mark.Level) != markMatch {
		return 0
	}
	return n
}
