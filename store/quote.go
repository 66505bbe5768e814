package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote is text to be found in pages, in the form in which texts are compared:
// runs of white space are one space, and letters are small.
type Quote struct{ folded string }

// NewQuote folds a quote. It reports false for one of white space alone, which is
// nowhere.
func NewQuote(text string) (Quote, bool) {
	q := Quote{strings.TrimSpace(Fold(text))}
	return q, q.folded != ""
}

// String returns the folded quote.
func (q Quote) String() string { return q.folded }

// Within returns what stands in the quote as it stands in the page: without the
// first and the last word, which may be pieces of longer ones. Of a quote of few
// words nothing is left.
func (q Quote) Within() string {
	first, last := strings.IndexFunc(q.folded, isNoWord), strings.LastIndexFunc(q.folded, isNoWord)
	if first < 0 || first == last {
		return ""
	}
	return q.folded[first:last]
}

func isNoWord(r rune) bool {
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}

// Passages are the places of a quote in a page, as ranges of its code points in
// order.
type Passages []passage

type passage struct{ start, end int }

// Passages finds the quote in a page made of its parents, which are given with
// their texts and in the order of the page. It may go from one into the next.
func (q Quote) Passages(parents []Chunk) Passages {
	var page folder
	for i := range parents {
		page.add(parents[i].ChunkText, parents[i].CharStart)
	}
	var found Passages
	for from := 0; ; {
		i := bytes.Index(page.text[from:], []byte(q.folded))
		if i < 0 {
			return found
		}
		found = append(found, passage{int(page.points[from+i]), int(page.points[from+i+len(q.folded)-1]) + 1})
		from += i + len(q.folded)
	}
}

// At returns where the passage with this index begins and ends.
func (p Passages) At(i int) (start, end int) { return p[i].start, p[i].end }

// Meet reports whether a chunk, from start to end, has a piece of a passage, and
// whether it has a whole one.
func (p Passages) Meet(start, end int) (some, whole bool) {
	reaching, _ := slices.BinarySearchFunc(p, start, func(p passage, start int) int { return cmp.Or(cmp.Compare(p.end, start), -1) })
	if reaching == len(p) || p[reaching].start >= end {
		return false, false
	}
	inside, _ := slices.BinarySearchFunc(p, start, func(p passage, start int) int { return cmp.Compare(p.start, start) })
	return true, inside < len(p) && p[inside].end <= end
}

// Fold returns text in the form in which quotes are compared.
//
//	Fold("An  ÜBERBAUM\nstands ") // "an überbaum stands "
func Fold(text string) string {
	var f folder
	f.add(text, 0)
	return string(f.text)
}

// folder joins the texts of a page in the form in which quotes are compared.
type folder struct {
	text []byte
	// points[i] is the code point of the page that byte i of text came from.
	points []int32
	end    int // the code point after the last text
}

// add appends a text that starts at a code point of the page. Between texts that
// do not touch there is white space.
func (f *folder) add(text string, start int) {
	if start > f.end {
		f.rune(' ', f.end)
	}
	point := start
	for _, r := range text {
		f.rune(r, point)
		point++
	}
	f.end = point
}

func (f *folder) rune(r rune, point int) {
	if unicode.IsSpace(r) {
		if n := len(f.text); n > 0 && f.text[n-1] == ' ' {
			return
		}
		r = ' '
	}
	before := len(f.text)
	f.text = utf8.AppendRune(f.text, unicode.ToLower(r))
	for range len(f.text) - before {
		f.points = append(f.points, int32(point))
	}
}
