package retrieval_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Whether any word of a query is in the corpus is the same whether the query is searched
// for with all that belongs to it, or only its words are counted.
func TestMatchTermsIsThatOfASearch(t *testing.T) {
	deps, _ := openLibrary(t)
	words := []string{"boosting", "ensembles", "trees", "zebra", "of", "quagga", "", "?!"}
	seen := map[bool]bool{}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for range rapid.IntRange(0, 3).Draw(t, "words") {
			text += rapid.SampledFrom(words).Draw(t, "word") + " "
		}
		d, q := deps, retrieval.Query{Text: text}
		p, _ := param.Preset(rapid.SampledFrom(param.Presets()).Draw(t, "preset"))
		if rapid.IntRange(0, 3).Draw(t, "lab") == 0 {
			l := drawLabOf(t, 2)
			d, q = l.deps(), drawQueryOf(t, append(questions(), text)...)
			d.Now = l.now()
		}
		p.RequireOwner = false
		none, err := retrieval.MatchTerms(t.Context(), d, q, p)
		if err != nil {
			t.Skip(err)
		}
		p.Mode, p.KeywordWeight, p.KeywordMatch, p.EmptyQuery = param.ModeChunk, 0.5, param.MatchOr, param.EmptyIsEmpty
		ev, err := retrieval.Gather(t.Context(), d, q, p)
		if err != nil {
			t.Skip(err)
		}
		if want := ev.NoTermMatch(); none != want {
			t.Fatalf("%q: none of the words is there: %v, a search says %v", q.Text, none, want)
		}
		seen[none] = true
	})
	if !seen[true] || !seen[false] {
		t.Errorf("only %v was seen", seen)
	}
}
