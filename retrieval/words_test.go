package retrieval_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// A word counts as often as the query says it, and in the headings and the title;
// each has a line that says so, and the shares add up to the bit.
func TestWordsOfFieldsAreExplained(t *testing.T) {
	deps, _ := openLibrary(t)
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode, p.Fusion = param.ModeChunk, param.FusionConvex
	ask := func(text string) (*retrieval.Item, map[string]retrieval.WordShare) {
		t.Helper()
		r, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: text}, p, retrieval.Options{Explain: true})
		if err != nil || len(r.Items) == 0 || r.Items[0].Keyword == nil {
			t.Fatalf("%q: %+v, %v", text, r.Items, err)
		}
		words := map[string]retrieval.WordShare{}
		sum := 0.0
		for _, w := range r.Items[0].Keyword.Words {
			words[w.Term] = w
			sum += w.Share
		}
		if sum != r.Items[0].Keyword.Score {
			t.Errorf("%q: the shares add up to %v, the score is %v", text, sum, r.Items[0].Keyword.Score)
		}
		return &r.Items[0], words
	}
	_, once := ask("boosting ensembles trees")
	it, twice := ask("boosting ensembles boosting trees")
	boost := twice["boost"]
	if boost.Weight != 2 || boost.TF.Body != 1 || boost.TF.Heading != 1 || boost.TF.Title != 0 || math.Abs(boost.Share-2*once["boost"].Share) > 1e-12 {
		t.Errorf("the word that the query repeats is %+v, once it is %+v", boost, once["boost"])
	}
	if e := twice["ensembl"]; e.Weight != 1 || e.TF.Body != 0 || e.TF.Title != 1 || e.Share <= 0 || e.DF != 5 {
		t.Errorf("the word of the title is %+v", e)
	}
	tree := formulas(it.Explanation)
	for _, line := range []string{
		// The best child is the heading itself, of one term.
		`"boost": 1× in 1 terms, 1× in the headings, weight 2, in 3 of 11 passages`,
		`"ensembl": 0× in 1 terms, 1× in the title, in 5 of 11 passages`,
	} {
		if !strings.Contains(tree, line) {
			t.Errorf("no line %q in\n%s", line, tree)
		}
	}
}

// The trace tells terms from the numbers of passages that hold them, and those that were
// not searched for from the others.
func TestTermsOfTheTrace(t *testing.T) {
	deps, _ := openLibrary(t)
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode = param.ModeChunk
	for query, want := range map[string]string{
		"boosting ensembles 21": `terms: "boost" in 3, "ensembl" in 5 of 11 passages; not searched for: "21" in 0`,
		"21":                    `terms: not searched for: "21" in 0`,
	} {
		r, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: query}, p, retrieval.Options{Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Trace.Stages, func(s retrieval.Stage) bool { return s.Name == param.StageKeyword })
		if notes := r.Trace.Stages[at].Notes; !slices.Contains(notes, want) {
			t.Errorf("%q: no note %s in %q", query, want, notes)
		}
	}
}

// formulas writes the labels and formulas of a tree, a node a line.
func formulas(e *retrieval.Explanation) string {
	text := e.Label + ": " + e.Formula + "\n"
	for _, c := range e.Children {
		text += formulas(c)
	}
	return text
}
