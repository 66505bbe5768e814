package retrieval_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// deadDeps are a corpus and an embedder that panic when anything is asked of them.
func deadDeps() retrieval.Deps {
	return retrieval.Deps{Store: struct{ store.Store }{}, Embedder: struct{ embedder.Embedder }{}}
}

func answer(t *testing.T, d retrieval.Deps, r retrieval.Request) (retrieval.Result, error) {
	t.Helper()
	p, _ := param.Preset(param.PresetWebRAG)
	return retrieval.Answer(t.Context(), d, r, store.Scope{}, p, retrieval.Options{})
}

func TestASelectionIsItsOnlySource(t *testing.T) {
	const passage = " Zwölf é\n\n🌍 oaks. "
	r, err := answer(t, deadDeps(), retrieval.Request{
		Question: "which trees?", Mode: retrieval.ModeSelectedText,
		SelectedText: passage, DocPath: "guide/trees.md", Section: "Oaks",
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Mode != "selected_text_only" || len(r.Items) != 1 {
		t.Fatalf("mode %q with %d items", r.Mode, len(r.Items))
	}
	it := r.Items[0]
	if it.ChunkID != "selection" || it.Score != 1 || it.Rank != 1 || it.SelectedText() != passage || it.HasRaw {
		t.Errorf("got %+v", it)
	}
	if got := []rune(passage); it.CharStart != 0 || it.CharEnd != len(got) {
		t.Errorf("it spans [%d, %d), not %d code points", it.CharStart, it.CharEnd, len(got))
	}
	if it.Explanation.Recompute() != it.Score {
		t.Error("its explanation does not add up")
	}
	link := citations.Cite(it.Place(), citations.Links{})
	if want := "guide/trees#oaks"; link.URL != want || link.Section != "Oaks" {
		t.Errorf("cited as %+v, want %s", link, want)
	}
	if g := r.Ground(citations.Policy{}); g.Context != passage || !strings.Contains(g.SystemInstruction, "ONLY") {
		t.Errorf("grounded as %+v", g)
	}
	s := r.Trace.Stages[0]
	if s.In-len(s.Dropped)-len(s.Merged)+s.Added != s.Out {
		t.Errorf("the stage does not add up: %+v", s)
	}
	if span, ok := it.Cite(1, 6); !ok || span.VerbatimText != "Zwölf" || span.SectionHeading != "Oaks" {
		t.Errorf("cited %+v, %v", span, ok)
	}
}

func TestRequestsThatLackSomething(t *testing.T) {
	for _, c := range []struct {
		name    string
		request retrieval.Request
		want    error
		say     string
	}{
		{"blank question", retrieval.Request{Question: " \n"}, retrieval.ErrBlankQuestion, ""},
		{"blank question, by name", retrieval.Request{Mode: retrieval.ModeNormal}, retrieval.ErrBlankQuestion, ""},
		{"blank question about a selection", retrieval.Request{Question: "\t", Mode: retrieval.ModeSelectedText, SelectedText: "x"}, retrieval.ErrBlankQuestion, ""},
		{"blank selection", retrieval.Request{Question: "q", Mode: retrieval.ModeSelectedText, SelectedText: " \n "}, retrieval.ErrBlankSelection, ""},
		{"no selection", retrieval.Request{Question: "q", Mode: retrieval.ModeSelectedText}, retrieval.ErrBlankSelection, ""},
		{"unknown mode", retrieval.Request{Question: "q", Mode: "chunk"}, nil, `no mode "chunk"`},
		{"unknown mode before the blank question", retrieval.Request{Mode: "Normal"}, nil, "selected_text_only"},
		{
			"too long",
			retrieval.Request{Question: "q", Mode: retrieval.ModeSelectedText, SelectedText: strings.Repeat("x", retrieval.MaxSelection+1)},
			nil, "1048577 bytes",
		},
	} {
		r, err := answer(t, deadDeps(), c.request)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if len(r.Items) != 0 {
			t.Errorf("%s: %d items came all the same", c.name, len(r.Items))
		}
	}
	longest := retrieval.Request{Question: "q", Mode: retrieval.ModeSelectedText, SelectedText: strings.Repeat("x", retrieval.MaxSelection)}
	if _, err := answer(t, deadDeps(), longest); err != nil {
		t.Errorf("the longest selection: %v", err)
	}
}

func TestSelectNeedsNoMode(t *testing.T) {
	for _, mode := range []param.Mode{"", retrieval.ModeNormal} {
		if r, err := retrieval.Select(retrieval.Request{Question: "q", Mode: mode, SelectedText: "x"}); err != nil || r.Mode != retrieval.ModeSelectedText {
			t.Errorf("mode %q: %q, %v", mode, r.Mode, err)
		}
		if _, err := retrieval.Select(retrieval.Request{Question: "q", Mode: mode}); !errors.Is(err, retrieval.ErrBlankSelection) {
			t.Errorf("mode %q: nothing was selected, and the error is %v", mode, err)
		}
	}
}

func TestANormalQuestionIsRetrieved(t *testing.T) {
	b := small(t)
	for _, mode := range []param.Mode{"", retrieval.ModeNormal} {
		r, err := retrieval.Answer(t.Context(), b.deps(), retrieval.Request{Question: "question", Mode: mode, SelectedText: "ignored"},
			store.Scope{}, b.params, retrieval.Options{})
		if err != nil || r.IsEmpty() || r.Items[0].ChunkID == "selection" {
			t.Errorf("mode %q: %d items, %v", mode, len(r.Items), err)
		}
	}
}

// A selection is answered by a file that knows neither the corpus nor what
// embeds, so that no later change can make it search.
func TestTheSelectionsFileReachesNothing(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "selection.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains([]string{"errors", "fmt", "strings", "unicode/utf8", "github.com/webrag/webrag-tui/retrieval/param"}, path) {
			t.Errorf("selection.go imports %s", path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains([]string{"Deps", "Gather", "Extend", "Retrieve", "Answer"}, id.Name) {
			t.Errorf("selection.go uses %s", id.Name)
		}
		return true
	})
}
