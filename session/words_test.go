package session

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/embedder"
)

// The places of a word are put together, and what they bring is neither lost nor counted
// twice, wherever the ranges of words point.
func TestWordsKeepTheirShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.StringMatching(`[abAB é\x1b]{0,12}`).Draw(t, "query")
		n := len([]rune(query))
		var c Cosine
		want := 0.0
		for range rapid.IntRange(0, 6).Draw(t, "words") {
			w := embedder.WordShare{
				Start: rapid.IntRange(-1, 13).Draw(t, "from"), End: rapid.IntRange(-1, 13).Draw(t, "to"),
				Share: float64(rapid.IntRange(-4, 4).Draw(t, "share")), Ignored: rapid.Bool().Draw(t, "ignored"),
			}
			c.Query = append(c.Query, w)
			if w.Start >= 0 && w.Start < w.End && w.End <= n {
				want += w.Share
			}
		}
		got, sum := c.Words(query), 0.0
		for i, w := range got {
			sum += w.Share
			if slices.Contains([]rune(w.Text), '\x1b') {
				t.Fatalf("%q is not safe to draw", w.Text)
			}
			if i > 0 && got[i-1].Ignored && !w.Ignored || i > 0 && got[i-1].Ignored == w.Ignored && got[i-1].Share < w.Share {
				t.Fatalf("%+v are not in order", got)
			}
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Fatalf("%+v bring %v, want %v", got, sum, want)
		}
	})
}

func TestWordsIgnoreCase(t *testing.T) {
	c := Cosine{Query: []embedder.WordShare{
		{Start: 0, End: 3, Ignored: true}, {Start: 4, End: 9, Share: .125}, {Start: 10, End: 15, Share: .25}, {Start: 16, End: 21, Share: .3},
	}}
	want := []Word{{Text: "Decay", Share: .375}, {Text: "depth", Share: .3}, {Text: "the", Ignored: true}}
	if got := c.Words("the Decay decay depth"); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
