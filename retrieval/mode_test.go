package retrieval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

func TestModeBySize(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens int
		set    []string
		mode   param.Mode
		clamp  bool
	}{
		{"at the threshold", 30000, nil, param.ModeFullContext, false},
		{"one above", 30001, nil, param.ModeChunk, false},
		{"at the clamped threshold", 40000, []string{"full_context_threshold", "50000"}, param.ModeFullContext, true},
		{"above the clamped threshold", 40001, []string{"full_context_threshold", "50000"}, param.ModeChunk, true},
		{"smaller budget", 25000, []string{"context_budget", "20000"}, param.ModeChunk, true},
		{"threshold at the budget", 40000, []string{"full_context_threshold", "40000"}, param.ModeFullContext, false},
		{"threshold 0", 1, []string{"full_context_threshold", "0"}, param.ModeChunk, false},
		{"forced chunk", 10, []string{"mode", "chunk"}, param.ModeChunk, false},
		{"forced full context", 30001, []string{"mode", "full_context"}, param.ModeFullContext, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench().set(t, c.set...)
			b.page("a", 0)
			b.section("P", "a", 0, c.tokens, 0.9)
			r := b.retrieve(t)
			if r.Mode != c.mode {
				t.Errorf("mode %s, want %s", r.Mode, c.mode)
			}
			if got := strings.Contains(codes(r), phrase.NoticeThresholdClamped.Code); got != c.clamp {
				t.Errorf("clamp notice %v, want %v", got, c.clamp)
			}
			if len(r.Items) != 1 {
				t.Errorf("%d items, want 1", len(r.Items))
			}
		})
	}
}

func TestScopeDecidesTheMode(t *testing.T) {
	b := newBench()
	b.page("a", 0)
	b.page("b", 0)
	b.section("A", "a", 0, 20000, 0.9)
	b.section("B", "b", 0, 20000, 0.9)
	if r := b.retrieve(t); r.Mode != param.ModeChunk {
		t.Errorf("both pages: mode %s", r.Mode)
	}
	q := retrieval.Query{Text: "question", Scope: store.Scope{SourceURLs: []string{"b"}}}
	r, err := retrieval.Retrieve(t.Context(), b.deps(), q, b.params, retrieval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Mode != param.ModeFullContext || ids(r.Items) != "B" || r.Stats.TotalTokens != 20000 {
		t.Errorf("one page: mode %s, items %s, stats %+v", r.Mode, ids(r.Items), r.Stats)
	}
}

func TestNothingToSearchIsNoError(t *testing.T) {
	t.Run("empty corpus", func(t *testing.T) {
		b := newBench()
		r := b.retrieve(t)
		if r.Mode != param.ModeFullContext || !r.IsEmpty() || r.TopScore() != 0 {
			t.Errorf("got %+v", r)
		}
		if r.Stats.TotalDocuments != 0 || r.Stats.TotalParentChunks != 0 || r.Stats.TotalTokens != 0 {
			t.Errorf("stats %+v", r.Stats)
		}
		if codes(r) != phrase.NoticeEmptyCorpus.Code {
			t.Errorf("notices %s", codes(r))
		}
		if b.double.calls != 0 {
			t.Errorf("the embedder was called %d times", b.double.calls)
		}
	})
	t.Run("empty scope", func(t *testing.T) {
		b := newBench()
		b.page("a", 0)
		b.section("A", "a", 0, 1, 0.9)
		q := retrieval.Query{Text: "question", Scope: store.Scope{SourceURLs: []string{"elsewhere"}}}
		r, err := retrieval.Retrieve(t.Context(), b.deps(), q, b.params, retrieval.Options{})
		if err != nil || codes(r) != phrase.NoticeEmptyScope.Code || b.double.calls != 0 {
			t.Errorf("error %v, notices %s, %d embeddings", err, codes(r), b.double.calls)
		}
	})
	for _, blank := range []string{"", " ", "\t\n\u00a0"} {
		t.Run("blank query", func(t *testing.T) {
			b := newBench()
			b.page("a", 0)
			b.section("A", "a", 0, 1, 0.9)
			r, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: blank}, b.params, retrieval.Options{Trace: true})
			if err != nil || !r.IsEmpty() || codes(r) != phrase.NoticeEmptyQuery.Code {
				t.Errorf("error %v, items %s, notices %s", err, ids(r.Items), codes(r))
			}
			if b.double.calls != 0 || len(b.memory.calls) != 0 {
				t.Errorf("%d embeddings, reads %v", b.double.calls, b.memory.calls)
			}
		})
	}
	t.Run("blank to the embedder", func(t *testing.T) {
		b := newBench()
		b.double.fail = &embedder.EmptyInputError{}
		b.page("a", 0)
		b.section("A", "a", 0, 1, 0.9)
		if r := b.retrieve(t); !r.IsEmpty() || codes(r) != phrase.NoticeEmptyQuery.Code {
			t.Errorf("items %s, notices %s", ids(r.Items), codes(r))
		}
	})
	t.Run("no searchable words", func(t *testing.T) {
		for _, mode := range []string{"chunk", "full_context"} {
			b := newBench().set(t, "mode", mode)
			b.double.vector = []float32{0, 0}
			b.page("a", 0)
			b.section("A", "a", 0, 1, 0.9)
			r := b.retrieve(t)
			if codes(r) != phrase.NoticeNoWords.Code {
				t.Errorf("%s: notices %s", mode, codes(r))
			}
			if b.memory.calls["search"] != 0 {
				t.Errorf("%s: a vector without direction was searched for", mode)
			}
			if r.IsEmpty() != (mode == "chunk") {
				t.Errorf("%s: items %s", mode, ids(r.Items))
			}
		}
	})
	t.Run("no vectors", func(t *testing.T) {
		b := newBench().set(t, "mode", "chunk")
		b.page("a", 0)
		b.section("A", "a", 0, 1)
		if r := b.retrieve(t); codes(r) != phrase.NoticeNoVectors.Code || !r.IsEmpty() {
			t.Errorf("notices %s, items %s", codes(r), ids(r.Items))
		}
	})
	t.Run("everything under the floor", func(t *testing.T) {
		b := newBench().set(t, "mode", "chunk")
		b.page("a", 0)
		b.section("A", "a", 0, 1, 0.297)
		r := b.retrieve(t)
		if !r.IsEmpty() || codes(r) != phrase.NoticeNothingAbove.Code {
			t.Fatalf("notices %s, items %s", codes(r), ids(r.Items))
		}
		want := `nothing is above the floor of .300; the nearest is .297, "Section A" in "a"`
		if got := r.Notices[0].Text; got != want {
			t.Errorf("notice %q, want %q", got, want)
		}
	})
}

func TestErrors(t *testing.T) {
	b := newBench()
	b.page("a", 0)
	b.section("A", "a", 0, 1, 0.9)
	ask := func(b *bench) error {
		_, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{})
		return err
	}
	t.Run("budget 0", func(t *testing.T) {
		c := *b
		c.params.ContextBudget = 0
		var param *param.Error
		if err := ask(&c); !errors.As(err, &param) || param.Field != "context_budget" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("another embedder", func(t *testing.T) {
		c := *b
		c.double = newDouble()
		c.double.info = embedderInfo("other", 3)
		err := ask(&c)
		var mismatch *store.MismatchError
		if !errors.As(err, &mismatch) {
			t.Fatalf("got %v", err)
		}
		if *mismatch != (store.MismatchError{Have: "double", Want: "other", HaveDims: 2, WantDims: 3}) {
			t.Errorf("got %+v", mismatch)
		}
		if strings.Count(err.Error(), "--reembed --corpus ") != 1 {
			t.Errorf("the error does not say what to do: %v", err)
		}
		if c.double.calls != 0 {
			t.Error("the query was embedded in vain")
		}
	})
	t.Run("another dimension", func(t *testing.T) {
		c := *b
		c.double = newDouble()
		c.double.vector = []float32{1, 0, 0}
		var mismatch *store.MismatchError
		if err := ask(&c); !errors.As(err, &mismatch) || mismatch.WantDims != 3 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("embedding fails", func(t *testing.T) {
		c := *b
		c.double = newDouble()
		c.double.fail = errors.New("down")
		if err := ask(&c); !errors.Is(err, c.double.fail) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the store fails", func(t *testing.T) {
		c := *b
		m := *b.memory
		m.fail = store.ErrUnavailable
		c.memory = &m
		if err := ask(&c); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "memory") {
			t.Errorf("got %v", err)
		}
	})
}
