package keyword

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

func TestChooseTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dfs     []int
		match   store.Match
		used    []bool
		matches int
	}{
		"nothing":                   {nil, store.MatchAuto, nil, 0},
		"absent terms":              {[]int{0, 0}, store.MatchAuto, []bool{false, false}, 0},
		"all fit":                   {[]int{100, 0, 300}, store.MatchAuto, []bool{true, false, true}, 400},
		"just the bound":            {[]int{15_000, 5_000}, store.MatchAuto, []bool{true, true}, 20_000},
		"one row too many":          {[]int{15_000, 5_001}, store.MatchAuto, []bool{false, true}, 5_001},
		"the rarest come first":     {[]int{90_000, 10, 12_000, 9_000}, store.MatchAuto, []bool{false, true, false, true}, 9_010},
		"one term always":           {[]int{90_000, 80_000}, store.MatchAuto, []bool{false, true}, 80_000},
		"one term, beside absent":   {[]int{90_000, 0}, store.MatchAuto, []bool{true, false}, 90_000},
		"equal: the first":          {[]int{30_000, 30_000}, store.MatchAuto, []bool{true, false}, 30_000},
		"the zero mode is auto":     {[]int{90_000, 10}, "", []bool{false, true}, 10},
		"or takes all there are":    {[]int{90_000, 0, 10}, store.MatchOr, []bool{true, false, true}, 90_010},
		"and is as rare as its min": {[]int{90_000, 10}, store.MatchAnd, []bool{true, true}, 10},
		"and with an absent term":   {[]int{90_000, 0}, store.MatchAnd, []bool{true, true}, 0},
	} {
		spec := store.Search{Match: c.match}
		for i := range c.dfs {
			spec.Terms = append(spec.Terms, string(rune('a'+i)))
		}
		q := NewQuery(&spec)
		for i, df := range c.dfs {
			q.Terms[i].DF = df
		}
		q.Choose(&spec, 100_000, 20_000)
		var used []bool
		for _, term := range q.Terms {
			used = append(used, term.Used)
		}
		if q.Bound != c.matches || !slices.Equal(used, c.used) {
			t.Errorf("%s: %d matches, used %v, want %d, %v", name, q.Bound, used, c.matches, c.used)
		}
	}
}
