package offset

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// runesOf spells the runs of a text.
func runesOf(a []rune, runs []Run) []string {
	var s []string
	for _, r := range runs {
		s = append(s, string(a[r.A:r.A+r.N]))
	}
	return s
}

func TestCommon(t *testing.T) {
	t.Parallel()
	const page = "Search returns children. Children lift to their parents. Depth is multiplied in."
	for _, c := range []struct {
		name, a, b string
		want       []string
	}{
		{"nothing", "", "abc", nil},
		{"the same", page, page, []string{page}},
		{"a worked example", "the depth decays", "the deep decays", []string{"the de", " decays"}},
		{"a letter amid what differs", "xxxxxaxxxxx", "yyyyyayyyyy", nil},
		{
			"a sentence more", page, strings.Replace(page, "Depth", "They keep the best score. Depth", 1),
			[]string{"Search returns children. Children lift to their parents. ", "Depth is multiplied in."},
		},
		{
			"a sentence elsewhere", page, "Depth is multiplied in. Search returns children. Children lift to their parents.",
			[]string{"Search returns children. Children lift to their parents."},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, b := []rune(c.a), []rune(c.b)
			if got := runesOf(a, Common(a, b)); !slices.Equal(got, c.want) {
				t.Errorf("%q and %q share %q, want %q", c.a, c.b, got, c.want)
			}
		})
	}
}

// drawTwo draws a text and one made of it by deleting, inserting and moving.
func drawTwo(t *rapid.T) (a, b []rune) {
	letters := rapid.SampledFrom([]rune("abcdefgh é漢"))
	a = rapid.SliceOfN(letters, 0, 300).Draw(t, "a")
	b = slices.Clone(a)
	for range rapid.IntRange(0, 6).Draw(t, "edits") {
		from := rapid.IntRange(0, len(b)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(b), from+40)).Draw(t, "to")
		cut := slices.Clone(b[from:to])
		b = slices.Delete(b, from, to)
		at := rapid.IntRange(0, len(b)).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			b = slices.Insert(b, at, cut...)
		case 2:
			b = slices.Insert(b, at, rapid.SliceOfN(letters, 0, 40).Draw(t, "new")...)
		}
	}
	return a, b
}

// checkRuns holds runs to what they promise: they are in the order of both
// texts, apart from each other, and shared.
func checkRuns(t interface{ Fatalf(string, ...any) }, a, b []rune, runs []Run) {
	var last Run
	for i, r := range runs {
		gapA, gapB := r.A-last.A-last.N, r.B-last.B-last.N
		if r.N <= 0 || gapA < 0 || gapB < 0 || i > 0 && gapA == 0 && gapB == 0 {
			t.Fatalf("run %d is %v, after %v", i, r, last)
		}
		if r.A+r.N > len(a) || r.B+r.N > len(b) || !slices.Equal(a[r.A:r.A+r.N], b[r.B:r.B+r.N]) {
			t.Fatalf("run %d, %v, is not shared", i, r)
		}
		last = r
	}
}

func TestCommonRunsAreShared(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTwo(t)
		checkRuns(t, a, b, Common(a, b))
		if same := Common(a, a); len(a) > 0 && !slices.Equal(same, []Run{{0, 0, len(a)}}) {
			t.Fatalf("a text shares %v with itself", same)
		}
	})
}

// wordsFrom are n words that occur nowhere else.
func wordsFrom(first int32, n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = first + int32(i)
	}
	return out
}

func TestCommonWords(t *testing.T) {
	t.Parallel()
	const much = 2 * mostEdits
	island, sea := wordsFrom(1, 5), wordsFrom(10_000, much)
	var often, seldom []int32
	for i := range int32(mostEdits) {
		often = append(often, 10*i, 10*i+1, 10*i+2, 10*i+3)
		seldom = append(seldom, 10*i, 10*i+1, 10*i+2, 10*i+4)
	}
	for _, c := range []struct {
		name string
		a, b []int32
		want int
	}{
		{"a worked example", []int32{7, 1, 2, 3, 4, 8, 9}, []int32{1, 2, 3, 4, 5, 9}, 5},
		{"a few amid much", slices.Concat(wordsFrom(20_000, much), island, sea), slices.Concat(wordsFrom(30_000, much), island, wordsFrom(40_000, much)), 5},
		{"fewer are chance", slices.Concat(wordsFrom(20_000, much), island[:3], sea), slices.Concat(wordsFrom(30_000, much), island[:3], wordsFrom(40_000, much)), 0},
		{"each fourth differs, in more than is searched for", often, seldom, 3 * mostEdits},
		{"nothing", nil, island, 0},
	} {
		runs := CommonWords(c.a, c.b)
		checkRuns(t, c.a, c.b, runs)
		got := 0
		for _, r := range runs {
			got += r.N
		}
		if got != c.want {
			t.Errorf("%s: %d words are shared, want %d", c.name, got, c.want)
		}
	}
}

func TestCommonWordsAreShared(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTwo(t)
		checkRuns(t, a, b, CommonWords(a, b))
		if same := CommonWords(a, a); len(a) > 0 && !slices.Equal(same, []Run{{0, 0, len(a)}}) {
			t.Fatalf("a text shares %v with itself", same)
		}
	})
}

// The script is the shortest: what it leaves alone is a longest common
// subsequence, here counted by the table that everybody knows.
func TestTheScriptIsTheShortest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]rune("abc")), 0, 40)
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		c := comparison{a: a, b: b, steps: mostSteps}
		c.between(0, len(a), 0, len(b))
		checkRuns(t, a, b, c.runs)
		got := 0
		for _, r := range c.runs {
			got += r.N
		}
		row := make([]int, len(b)+1)
		for i := range a {
			diagonal := 0
			for j := range b {
				above := row[j+1]
				if a[i] == b[j] {
					row[j+1] = diagonal + 1
				} else {
					row[j+1] = max(above, row[j])
				}
				diagonal = above
			}
		}
		if want := row[len(b)]; got != want {
			t.Fatalf("%d of %q and %q are shared, not %d", got, string(a), string(b), want)
		}
	})
}

// Texts that have nothing to tie them together give up in bounded work: counted
// in steps, as time would be a matter of the machine.
func TestHostileTextsCostBoundedWork(t *testing.T) {
	t.Parallel()
	const n = 64 << 10
	a, b := make([]rune, n), make([]rune, n)
	for i := range a {
		a[i], b[i] = rune('a'+i%2), rune('a'+i%3)
	}
	c := comparison{a: a, b: b, steps: mostSteps}
	c.between(0, n, 0, n)
	if c.steps < -4*n {
		t.Errorf("%d steps more than allowed were taken", -c.steps)
	}
	checkRuns(t, a, b, Common(a, b))
}

func FuzzCommon(f *testing.F) {
	f.Add("the depth decays", "the deep decays")
	f.Add(strings.Repeat("ab", 50), strings.Repeat("abc", 40))
	f.Add("\xff\x00é", "é")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkRuns(t, []rune(a), []rune(b), Common([]rune(a), []rune(b)))
	})
}
