package indexing

import (
	"slices"
	"sort"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/offset"
)

// What must hold for a range of a page's markdown, which another converter made,
// to have a place in the page's HTML. Both forms are compared word by word, see
// [offset.CommonWords].
const (
	// leastAligned is the share of the range's words, in percent, that the place
	// has too, in their order.
	leastAligned = 80
	// leastCovered is the share of the place's words that the range has.
	leastCovered = 70
	// fewWords is below how many words both shares must be whole.
	fewWords = 8
	// leastPage is the share of the words of the shorter text that both must
	// have, or the HTML is of another page: one with the same licence, say.
	leastPage = 30
)

// alignment ties a page's markdown to its HTML by way of the markdown that our
// converter makes of the HTML, of which it knows the origin.
type alignment struct {
	html *convert.Page
	// ours is the analysis of html.Markdown.
	ours *page
	// given are the words of the page's markdown, text, and own those of ours; with
	// the index of the same word in the other text, -1 for none.
	text           string
	given, own     []word
	toOwn, toGiven []int32
}

// align compares a page that was scanned with its converted HTML, and returns nil
// when they are not forms of one text.
func align(p *page, converted *convert.Page) *alignment {
	a := &alignment{html: converted, ours: &page{text: converted.Markdown}, text: p.text}
	if a.ours.scan(); len(a.ours.blocks) > maxBlocks {
		return nil
	}
	v := vocabulary{}
	a.given, a.own = p.words(v), a.ours.words(v)
	a.toOwn, a.toGiven = nobody(len(a.given)), nobody(len(a.own))
	shared := 0
	for _, r := range offset.CommonWords(numbers(a.given), numbers(a.own)) {
		for i := range r.N {
			a.toOwn[r.A+i], a.toGiven[r.B+i] = int32(r.B+i), int32(r.A+i)
		}
		shared += r.N
	}
	if shared == 0 || 100*shared < leastPage*min(len(a.given), len(a.own)) {
		return nil
	}
	return a
}

func nobody(n int) []int32 { return slices.Repeat([]int32{-1}, n) }

func numbers(words []word) []int32 {
	out := make([]int32, len(words))
	for i := range words {
		out[i] = words[i].number
	}
	return out
}

// place returns the byte range of our markdown that says the same as the bytes
// [from, to) of the given one.
func (a *alignment) place(from, to int) (start, end int, ok bool) {
	i, j := wordAt(a.given, from), wordAt(a.given, to)
	lo, hi := -1, -1
	for k := i; k < j; k++ {
		if at := int(a.toOwn[k]); at >= 0 {
			if lo < 0 {
				lo = at
			}
			hi = at + 1
		}
	}
	if lo < 0 {
		return 0, 0, false
	}
	lo, start = a.begin(lo)
	hi, end = a.finish(hi)
	hi, end = a.trailing(hi, end)
	if !enough(a.given[i:j], a.toOwn[i:j], leastAligned) || !enough(a.own[lo:hi], a.toGiven[lo:hi], leastCovered) {
		return 0, 0, false
	}
	return start, end, true
}

// enough says that the share of words, in percent, has one in the other text.
// Loose words count only where there are no others.
func enough(words []word, other []int32, share int) bool {
	all, found, loose, looseFound := 0, 0, 0, 0
	for i := range words {
		n := 0
		if other[i] >= 0 {
			n = 1
		}
		if words[i].loose {
			loose++
			looseFound += n
		} else {
			all++
			found += n
		}
	}
	if all == 0 {
		all, found = loose, looseFound
	}
	if all < fewWords {
		share = 100
	}
	return 100*found >= share*all
}

// begin returns the first word of the place that begins with the own word at lo,
// and the byte where the place begins: with the block of that word, unless
// another word of the block belongs to what is before; then with the line, such
// as a row or an item; else with the word.
func (a *alignment) begin(lo int) (word, start int) {
	b, at := a.block(lo), int(a.own[lo].from)
	first := lo
	for first > 0 && a.toGiven[first-1] < 0 && int(a.own[first-1].from) >= b.start {
		first--
	}
	if first == 0 || int(a.own[first-1].from) < b.start {
		return first, b.start
	}
	before := int(a.own[first-1].to)
	line := strings.LastIndexByte(a.ours.text[before:at], '\n')
	if line < 0 {
		return lo, at
	}
	start = before + line + 1
	return wordAt(a.own, start), start
}

// finish is begin for the end of a place: hi is behind its last word. Words
// without a counterpart between two places of a line belong to the first.
func (a *alignment) finish(hi int) (words, end int) {
	b, at := a.block(hi-1), int(a.own[hi-1].to)
	for words = hi; words < len(a.own) && a.toGiven[words] < 0 && int(a.own[words].from) < b.end; {
		words++
	}
	if words == len(a.own) || int(a.own[words].from) >= b.end {
		return words, b.end
	}
	end = int(a.own[words].from)
	if line := strings.IndexByte(a.ours.text[at:end], '\n'); line >= 0 {
		end = at + line + 1
	}
	return wordAt(a.own, end), end
}

// trailing extends a place that ends with a block by the blocks behind it that
// have no words but loose ones, none of which the given text has: formulas that a
// converter drops, images.
func (a *alignment) trailing(hi, end int) (words, at int) {
	blocks := a.ours.blocks
	for i := sort.Search(len(blocks), func(i int) bool { return blocks[i].start >= end }); i < len(blocks) && blocks[i].start == end; i++ {
		w := hi
		for w < len(a.own) && int(a.own[w].from) < blocks[i].end && a.own[w].loose && a.toGiven[w] < 0 {
			w++
		}
		if w < len(a.own) && int(a.own[w].from) < blocks[i].end {
			break
		}
		hi, end = w, blocks[i].end
	}
	return hi, end
}

// block returns the block of an own word.
func (a *alignment) block(w int) *block {
	blocks, at := a.ours.blocks, int(a.own[w].from)
	return &blocks[sort.Search(len(blocks), func(i int) bool { return blocks[i].end > at })]
}

// anchor returns the fragment that the HTML gives the heading in bytes [from,
// to), empty where it has none there.
func (a *alignment) anchor(from, to int) string {
	start, end, ok := a.place(from, to)
	if !ok {
		return ""
	}
	lo, hi := (&cutter{blocks: a.ours.blocks}).span(start, end)
	for i := lo; i < hi; i++ {
		if b := &a.ours.blocks[i]; b.kind == kindHeading {
			return a.html.Anchors[a.ours.contentStart(b)]
		}
	}
	return ""
}

// keepWithNext returns the byte offsets, ascending, of the lines of the given text
// that are lines of terms, titles and captions in the HTML, word by word.
func (a *alignment) keepWithNext() []int {
	var out []int
	for _, at := range a.html.KeepWithNext {
		lo, hi := wordAt(a.own, at), wordAt(a.own, lineEnd(a.ours.text, at))
		if lo == hi || a.toGiven[lo] < 0 || int(a.toGiven[hi-1]-a.toGiven[lo]) != hi-1-lo {
			continue
		}
		first, last, before := int(a.toGiven[lo]), int(a.toGiven[hi-1]), 0
		if first > 0 {
			before = int(a.given[first-1].to)
		}
		line := strings.LastIndexByte(a.text[before:a.given[first].from], '\n')
		if line < 0 && before > 0 || strings.IndexByte(a.text[a.given[first].from:a.given[last].to], '\n') >= 0 {
			continue
		}
		out = append(out, before+line+1)
	}
	return out
}

// targets are the places of the given text that fragments name: those of the
// first word behind each that both texts have, in the same block.
func (a *alignment) targets() []convert.Target {
	var out []convert.Target
	shared := 0 // the first word behind the target that both texts have
	for _, t := range a.html.Targets {
		first := wordAt(a.own, t.At)
		for shared = max(shared, first); shared < len(a.own) && a.toGiven[shared] < 0; {
			shared++
		}
		if shared == len(a.own) {
			break
		}
		if a.block(first) == a.block(shared) {
			out = append(out, convert.Target{At: int(a.given[a.toGiven[shared]].from), ID: t.ID})
		}
	}
	return out
}
