package offset

import (
	"cmp"
	"slices"
	"sort"
)

// Run is a stretch that two texts share: a[A:A+N] is b[B:B+N].
type Run struct{ A, B, N int }

const (
	// anchorLength is how many items in a row must occur once in either sequence
	// to tie them together. Two dozen letters are a few words: long enough to be
	// rarely there by chance, short enough that most sentences have some.
	anchorLength = 24
	// wordAnchor is the same for sequences of words.
	wordAnchor = 4
	// mostEdits is how different, in items deleted and inserted, a stretch
	// between two anchors may be for its own shared items to be looked for. The
	// memory of the search grows with its square, here to 4 MB.
	mostEdits = 1000
	// mostSteps bounds the work on all such stretches together: some tens of
	// milliseconds, whatever the texts.
	mostSteps = 1 << 24
)

// Common returns what two sequences share, in the order that both have it in,
// as runs that neither overlap nor touch. What stands elsewhere in the other
// sequence is not found, nor a few equal items amid much that differs: they are
// mostly chance.
//
// It ties the sequences at stretches that occur once in both (patience), and
// compares what lies between by the shortest edit script (Myers, "An O(ND)
// difference algorithm and its variations", 1986). Where that is too much work
// nothing is shared: time is O((n+m) log(n+m)) and a constant, memory O(n+m) and
// a constant.
func Common(a, b []rune) []Run {
	c := comparison{a: a, b: b, steps: mostSteps}
	c.tied(0, len(a), 0, len(b), anchorLength, c.between)
	return withoutChance(c.runs, len(a), len(b), max(len(a), len(b)))
}

// CommonWords is [Common] for sequences of words, each given by a number of its
// own: fewer of them in a row tie the sequences together and are no chance, and
// where more stands between two such places than an edit script is searched for,
// single words that occur there once in both tie too.
func CommonWords(a, b []int32) []Run {
	c := comparison{a: a, b: b, steps: mostSteps}
	c.tied(0, len(a), 0, len(b), wordAnchor, c.betweenWords)
	return withoutChance(c.runs, len(a), len(b), wordAnchor-1)
}

// comparison collects runs in order.
type comparison struct {
	a, b  []rune
	steps int // that may still be taken
	runs  []Run
}

// add appends a run, as part of the one before it if they touch.
func (c *comparison) add(r Run) {
	if r.N == 0 {
		return
	}
	if n := len(c.runs); n > 0 {
		if last := &c.runs[n-1]; last.A+last.N == r.A && last.B+last.N == r.B {
			last.N += r.N
			return
		}
	}
	c.runs = append(c.runs, r)
}

// tied adds what two stretches share, tied at n items in a row that occur there
// once in both. between adds what lies between such places.
func (c *comparison) tied(fromA, toA, fromB, toB, n int, between func(fromA, toA, fromB, toB int)) {
	atA, atB := fromA, fromB
	for _, r := range anchors(c.a[fromA:toA], c.b[fromB:toB], n) {
		r.A, r.B = r.A+fromA, r.B+fromB
		between(atA, r.A, atB, r.B)
		c.add(r)
		atA, atB = r.A+r.N, r.B+r.N
	}
	between(atA, toA, atB, toB)
}

// betweenWords adds what two stretches of words share.
func (c *comparison) betweenWords(fromA, toA, fromB, toB int) {
	if toA-fromA+toB-fromB <= mostEdits {
		c.between(fromA, toA, fromB, toB)
		return
	}
	c.tied(fromA, toA, fromB, toB, 1, c.between)
}

// between adds what a[fromA:toA] and b[fromB:toB] share.
func (c *comparison) between(fromA, toA, fromB, toB int) {
	head := 0
	for fromA+head < toA && fromB+head < toB && c.a[fromA+head] == c.b[fromB+head] {
		head++
	}
	c.add(Run{fromA, fromB, head})
	fromA, fromB = fromA+head, fromB+head
	tail := 0
	for fromA < toA-tail && fromB < toB-tail && c.a[toA-tail-1] == c.b[toB-tail-1] {
		tail++
	}
	if toA-tail > fromA && toB-tail > fromB {
		c.script(fromA, toA-tail, fromB, toB-tail)
	}
	c.add(Run{toA - tail, toB - tail, tail})
}

// script adds what the shortest edit script leaves alone, nothing if there is
// none within the limits. reach[k] is how far along a the furthest path on
// diagonal k has come, A − B = k; the paths of each round are kept to find the
// way back.
func (c *comparison) script(fromA, toA, fromB, toB int) {
	a, b := c.a[fromA:toA], c.b[fromB:toB]
	limit := min(mostEdits, len(a)+len(b))
	var (
		rounds [][]int32
		reach  = make([]int32, 2*limit+3)
		zero   = limit + 1
	)
	for edits := 0; edits <= limit; edits++ {
		kept := make([]int32, 0, edits+1)
		for k := -edits; k <= edits; k += 2 {
			x := int(reach[zero+k-1]) + 1
			if k == -edits || k < edits && reach[zero+k-1] < reach[zero+k+1] {
				x = int(reach[zero+k+1])
			}
			begin := x
			for y := x - k; x < len(a) && y < len(b) && a[x] == b[y]; y++ {
				x++
			}
			c.steps -= 1 + x - begin
			reach[zero+k] = int32(x)
			kept = append(kept, int32(x))
			if x >= len(a) && x-k >= len(b) {
				c.retrace(append(rounds, kept), k, fromA, fromB)
				return
			}
		}
		if c.steps < 0 {
			return
		}
		rounds = append(rounds, kept)
	}
}

// retrace walks back from the end of the script, on diagonal k in the last
// round, and adds the runs on the way.
func (c *comparison) retrace(rounds [][]int32, k, fromA, fromB int) {
	var found []Run
	for edits := len(rounds) - 1; edits > 0; edits-- {
		before := func(k int) int { return int(rounds[edits-1][(k+edits-1)/2]) }
		end := int(rounds[edits][(k+edits)/2])
		var begin, from int
		if k == -edits || k < edits && before(k-1) < before(k+1) {
			from = k + 1
			begin = before(from)
		} else {
			from = k - 1
			begin = before(from) + 1
		}
		found = append(found, Run{fromA + begin, fromB + begin - k, end - begin})
		k = from
	}
	found = append(found, Run{fromA, fromB, int(rounds[0][0])})
	for _, r := range slices.Backward(found) {
		c.add(r)
	}
}

// anchors returns the longest chain of stretches of n items that occur once in
// each sequence, in the order of both and without overlaps.
func anchors(a, b []rune, n int) []Run {
	var found []Run
	inB := once(b, n)
	for _, at := range once(a, n) {
		i, ok := slices.BinarySearchFunc(inB, at, func(in, of int) int {
			return slices.Compare(b[in:in+n], a[of:of+n])
		})
		if ok {
			found = append(found, Run{at, inB[i], n})
		}
	}
	slices.SortFunc(found, func(x, y Run) int { return cmp.Compare(x.A, y.A) })
	return chain(found)
}

// once returns where the stretches of n items begin that occur only once, sorted
// by what they say.
func once(s []rune, n int) []int {
	starts := make([]int, max(0, len(s)-n+1))
	for i := range starts {
		starts[i] = i
	}
	same := func(i, j int) int { return slices.Compare(s[i:i+n], s[j:j+n]) }
	slices.SortFunc(starts, same)
	single := starts[:0]
	for i := 0; i < len(starts); {
		j := i + 1
		for j < len(starts) && same(starts[i], starts[j]) == 0 {
			j++
		}
		if j == i+1 {
			single = append(single, starts[i])
		}
		i = j
	}
	return single
}

// chain returns the longest part of runs, sorted by A, in which B rises too
// (patience sorting), with overlaps cut off.
func chain(runs []Run) []Run {
	var (
		top  []int // the run with the lowest B that ends a chain of each length
		prev = make([]int, len(runs))
	)
	for i, r := range runs {
		n := sort.Search(len(top), func(n int) bool { return runs[top[n]].B >= r.B })
		prev[i] = -1
		if n > 0 {
			prev[i] = top[n-1]
		}
		if n == len(top) {
			top = append(top, i)
		} else {
			top[n] = i
		}
	}
	if len(top) == 0 {
		return nil
	}
	rising := make([]Run, len(top))
	for i, n := top[len(top)-1], len(top)-1; n >= 0; i, n = prev[i], n-1 {
		rising[n] = runs[i]
	}
	kept := rising[:0]
	endA, endB := 0, 0
	for _, r := range rising {
		over := max(endA-r.A, endB-r.B, 0)
		if over >= r.N {
			continue
		}
		r = Run{r.A + over, r.B + over, r.N - over}
		endA, endB = r.A+r.N, r.B+r.N
		kept = append(kept, r)
	}
	return kept
}

// withoutChance drops runs of up to most items that are no longer than what
// differs on both of their sides: a letter or two between two deleted paragraphs.
func withoutChance(runs []Run, lenA, lenB, most int) []Run {
	kept := make([]Run, 0, len(runs))
	for i, r := range runs {
		before, after := Run{}, Run{A: lenA, B: lenB}
		if len(kept) > 0 {
			before = kept[len(kept)-1]
		}
		if i+1 < len(runs) {
			after = runs[i+1]
		}
		left := max(r.A-before.A-before.N, r.B-before.B-before.N)
		right := max(after.A-r.A-r.N, after.B-r.B-r.N)
		if r.N > min(left, right, most) {
			kept = append(kept, r)
		}
	}
	return kept
}
