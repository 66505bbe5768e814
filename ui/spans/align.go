package spans

import (
	"sort"

	"github.com/webrag/webrag-tui/offset"
)

// What must hold for a span to have a place in the other text.
const (
	// leastAligned is the share of all visible characters that two texts must
	// have in common to count as two forms of one. Of 6,393 sections of real
	// pages 4 share less with their HTML, and 98 % share more than 0.95. Of pairs
	// of neighbouring sections, 99 % share less: the others repeat each other.
	leastAligned = 0.6
	// leastShared is the share of the span's own visible characters that the
	// other text must have too, so that a formula or a word that is written
	// otherwise does not cost a passage its mark.
	leastShared = 0.6
	// mostGrown is how many times as many characters the place may have.
	mostGrown = 2
	// shortCommand is how much longer a character may be in another writing: most
	// names of signs in TeX are no longer.
	shortCommand = 8
)

// Alignment finds spans of one text in another that says the same in another
// form. It is immutable and may be used from several goroutines.
type Alignment struct {
	from, to letters
	runs     []offset.Run
	shared   int
}

// Align compares two markdown texts by what is read of them. Each counts up to
// the first 64 KB, as in [Render]. Whatever the texts, it comes to an end soon,
// see [offset.Common]; where they cannot be read, nothing is shared.
func Align(from, to string) *Alignment {
	a, err := readLetters(from)
	if err != nil {
		return &Alignment{}
	}
	b, err := readLetters(to)
	if err != nil {
		return &Alignment{}
	}
	runs := offset.Common(a.read, b.read)
	a.read, b.read = nil, nil // places alone are asked for from here on
	return newAlignment(a, b, runs)
}

func newAlignment(from, to letters, runs []offset.Run) *Alignment {
	x := &Alignment{from: from, to: to, runs: runs}
	for _, r := range runs {
		x.shared += r.N
	}
	return x
}

// Inverse finds spans of the other text in the first.
func (x *Alignment) Inverse() *Alignment {
	runs := make([]offset.Run, len(x.runs))
	for i, r := range x.runs {
		runs[i] = offset.Run{A: r.B, B: r.A, N: r.N}
	}
	return newAlignment(x.to, x.from, runs)
}

// Shared is the share of the visible characters of the first text that the other
// has too, in the same order, in [0, 1]; 0 for a text without any.
func (x *Alignment) Shared() float64 {
	return float64(x.shared) / float64(max(1, len(x.from.start)))
}

// Holds reports whether the two count as forms of one text. If not, no span has
// a place.
func (x *Alignment) Holds() bool { return x.Shared() >= leastAligned }

// Place returns the code points of the other text that stand for the code points
// [start, end) of the first, from the first visible character that is shared to
// the last, with what stands between. What both texts have there in different
// writing, such as a formula, belongs to it if the span covers it whole.
//
// There is no place (ok is false) for a span without visible text, for one of
// which the other text lacks too much, and where the texts do not align at all.
func (x *Alignment) Place(start, end int) (from, to int, ok bool) {
	if !x.Holds() {
		return 0, 0, false
	}
	first := sort.Search(len(x.from.end), func(i int) bool { return int(x.from.end[i]) > start })
	last := sort.Search(len(x.from.start), func(i int) bool { return int(x.from.start[i]) >= end })
	if first >= last {
		return 0, 0, false
	}
	low, high, shared := x.across(first, last)
	if shared == 0 || float64(shared) < leastShared*float64(last-first) || high-low > mostGrown*(last-first) {
		return 0, 0, false
	}
	return int(x.to.start[low]), int(x.to.end[high-1]), true
}

// across carries the characters [first, last) over. shared counts those that
// both have.
func (x *Alignment) across(first, last int) (low, high, shared int) {
	at := sort.Search(len(x.runs), func(i int) bool { return x.runs[i].A+x.runs[i].N > first })
	begin := at
	for ; at < len(x.runs) && x.runs[at].A < last; at++ {
		r := x.runs[at]
		from, to := max(first, r.A), min(last, r.A+r.N)
		if shared == 0 {
			low = r.B + from - r.A
		}
		high = r.B + to - r.A
		shared += to - from
	}
	if shared == 0 {
		return 0, 0, 0
	}
	// What differs before the first run and behind the last one.
	before, after := offset.Run{}, offset.Run{A: len(x.from.start), B: len(x.to.start)}
	if begin > 0 {
		before = x.runs[begin-1]
	}
	if at < len(x.runs) {
		after = x.runs[at]
	}
	if begun := x.runs[begin]; first == before.A+before.N && rewritten(begun.A-first, begun.B-before.B-before.N) {
		low = before.B + before.N
	}
	if done := x.runs[at-1]; last == after.A && rewritten(last-done.A-done.N, after.B-high) {
		high = after.B
	}
	return low, high, shared
}

// rewritten reports whether a stretch of one text may be a stretch of the other
// in another writing, by their lengths: "α" and "lpha", but not a word and a
// row of a table.
func rewritten(from, to int) bool { return from > 0 && to <= mostGrown*from+shortCommand }
