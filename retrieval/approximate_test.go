package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// indexed is a corpus with an approximate index that finds only some rows, and
// that remembers how it was asked.
type indexed struct {
	*memory
	info  store.Info
	finds int // rows that the index returns; the rest are near misses
	asked []store.Search
}

func (x *indexed) Info() store.Info {
	info := x.memory.Info()
	info.Foreign, info.Unindexed, info.Missing = x.info.Foreign, x.info.Unindexed, x.info.Missing
	return info
}

func (x *indexed) Read(ctx context.Context) (store.View, error) {
	v, err := x.memory.Read(ctx)
	return &indexedView{v, x}, err
}

type indexedView struct {
	store.View
	of *indexed
}

func (v *indexedView) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	v.of.asked = append(v.of.asked, spec)
	found, err := v.View.Search(ctx, spec)
	found.Exact, found.EfSearch = spec.Exact, spec.EfSearch
	found.KeywordUnindexed = spec.Unindexed
	if spec.Exact {
		return found, err
	}
	for i := v.of.finds; i < len(found.Vector); i++ {
		found.Vector[i].Missed = true
	}
	found.Vectors = store.Asked{
		Rows: spec.EfSearch, Returned: v.of.finds, Index: "chunks_embedding_hnsw_idx",
		Settings: []store.Setting{{Name: "hnsw.ef_search", Value: fmt.Sprint(spec.EfSearch)}},
	}
	if spec.Explain {
		found.Vectors.Used, found.Vectors.Plan = "chunks_embedding_hnsw_idx", []string{"Limit", "  ->  Index Scan"}
	}
	return found, err
}

func newIndexed(finds int) *indexed {
	m := newMemory()
	m.page("guide", 0)
	for i := range 20 {
		m.section(fmt.Sprintf("s%02d", i), "guide", i, 10, .9-.02*float64(i))
	}
	return &indexed{memory: m, finds: finds}
}

func (x *indexed) retrieve(t *testing.T, q retrieval.Query, sets ...string) retrieval.Result {
	t.Helper()
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	for _, s := range sets {
		field, value, _ := strings.Cut(s, "=")
		if err := p.Set(field, value); err != nil {
			t.Fatal(err)
		}
	}
	q.Text = "words"
	r, err := retrieval.Retrieve(t.Context(), retrieval.Deps{Store: x, Embedder: newDouble()}, q, p, retrieval.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func vectorNotes(t *testing.T, r retrieval.Result) []string {
	t.Helper()
	i := slices.IndexFunc(r.Trace.Stages, func(s retrieval.Stage) bool { return s.Name == param.StageVector })
	return r.Trace.Stages[i].Notes
}

// A corpus that another program made is asked as that program asks it; our own so
// that nothing is missed.
func TestThePolicyFollowsTheCorpus(t *testing.T) {
	for _, c := range []struct {
		foreign bool
		set     string
		want    store.Policy
	}{
		{false, "search_policy=auto", store.PolicySafe},
		{true, "search_policy=auto", store.PolicySystem},
		{false, "search_policy=system", store.PolicySystem},
		{true, "search_policy=safe", store.PolicySafe},
	} {
		x := newIndexed(20)
		x.info.Foreign = c.foreign
		x.retrieve(t, retrieval.Query{}, c.set, "top_k_children_limit=7")
		got := x.asked[0]
		if got.Policy != c.want || got.OwnRows != 7 || got.VectorRows <= got.OwnRows || got.EfSearch != 100 || got.Explain {
			t.Errorf("%+v: asked with %+v", c, got)
		}
	}
}

// Of 20 children the index finds 8: the others are no results and carry their
// reason, and who asked for more is told.
func TestNearMissesOfTheIndex(t *testing.T) {
	x := newIndexed(8)
	r := x.retrieve(t, retrieval.Query{Plan: true}, "search_policy=system", "top_k_children_limit=12", "similarity_floor=0")
	if len(r.Items) != 8 {
		t.Errorf("%d results, want the 8 that the index finds", len(r.Items))
	}
	missed := 0
	for _, s := range r.Trace.Stages {
		for _, d := range s.Dropped {
			if d.Reason == phrase.ReasonANNMissed {
				missed++
			}
		}
	}
	if missed != 12 {
		t.Errorf("%d near misses, want 12", missed)
	}
	at := slices.IndexFunc(r.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeUnderReturn.Code })
	if at < 0 || !strings.Contains(r.Notices[at].Text, "8 of 12 rows") {
		t.Errorf("notices %+v", r.Notices)
	}
	notes := strings.Join(vectorNotes(t, r), "\n")
	for _, want := range []string{
		"approximate, ef_search 100", "12 near misses", "LIMIT 100 sent to the database, 8 rows returned", "index chunks_embedding_hnsw_idx, which the plan uses",
		"set hnsw.ef_search = 100", "  ->  Index Scan",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the trace lacks %q:\n%s", want, notes)
		}
	}
	if !x.asked[0].Explain {
		t.Error("no plan was asked for")
	}
	// An exact search has them all.
	if r := x.retrieve(t, retrieval.Query{}, "search=exact", "top_k_children_limit=12", "similarity_floor=0"); len(r.Items) != 12 {
		t.Errorf("%d results of an exact search, want 12", len(r.Items))
	}
}

// Evidence of an index that was told how many rows are wanted covers no more; what
// an index returned by itself covers every smaller limit.
func TestCoversWhatTheIndexWasAsked(t *testing.T) {
	for _, c := range []struct {
		scan  string
		limit int
		want  bool
	}{{"off", 30, true}, {"off", 7, true}, {"relaxed", 12, true}, {"relaxed", 3, true}, {"relaxed", 13, false}, {"strict", 13, false}} {
		x := newIndexed(20)
		p, _ := param.Preset(param.PresetWebRAG)
		p.Mode, p.SearchPolicy, p.IterativeScan, p.TopKChildrenLimit = param.ModeChunk, param.PolicySystem, param.IterativeScan(c.scan), 12
		ev, err := retrieval.Gather(t.Context(), retrieval.Deps{Store: x, Embedder: newDouble()}, retrieval.Query{Text: "words"}, p)
		if err != nil {
			t.Fatal(err)
		}
		p.TopKChildrenLimit = c.limit
		if got, why := ev.Covers(p); got != c.want {
			t.Errorf("%+v: covered %v (%s)", c, got, why)
		}
	}
}

// Where there is no index of words they are counted text by text, but only if
// that is asked for.
func TestWordsWithoutAnIndex(t *testing.T) {
	x := newIndexed(20)
	x.info.Missing = map[store.Capability]string{store.CapKeyword: "the database has no index of words"}
	code := func(r retrieval.Result) (codes []string) {
		for _, n := range r.Notices {
			codes = append(codes, n.Code)
		}
		return codes
	}
	missing := x.retrieve(t, retrieval.Query{}, "keyword_weight=0.3", "keyword_unindexed=true")
	if x.asked[0].Terms != nil || !slices.Contains(code(missing), phrase.NoticeKeywordMissing.Code) {
		t.Errorf("a store that cannot was asked: %+v, %v", x.asked[0], code(missing))
	}
	x.info.Unindexed = true
	offered := x.retrieve(t, retrieval.Query{}, "keyword_weight=0.3")
	at := slices.IndexFunc(offered.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeKeywordMissing.Code })
	if x.asked[1].Terms != nil || at < 0 || !strings.Contains(offered.Notices[at].Text, "keyword_unindexed") {
		t.Errorf("asked %+v, notices %+v", x.asked[1], offered.Notices)
	}
	asked := x.retrieve(t, retrieval.Query{}, "keyword_weight=0.3", "keyword_unindexed=true")
	if !x.asked[2].Unindexed || len(x.asked[2].Terms) == 0 || !slices.Contains(code(asked), phrase.NoticeKeywordUnindexed.Code) {
		t.Errorf("asked %+v, notices %v", x.asked[2], code(asked))
	}
}

// A corpus of another program whose model is not at hand is returned whole all
// the same; one of ours says what to do.
func TestFullContextWithoutAFittingEmbedder(t *testing.T) {
	for _, foreign := range []bool{true, false} {
		x := newIndexed(20)
		x.info.Foreign = foreign
		x.meta.EmbedderID = "another"
		p, _ := param.Preset(param.PresetWebRAG)
		r, err := retrieval.Retrieve(t.Context(), retrieval.Deps{Store: x, Embedder: newDouble()}, retrieval.Query{Text: "words"}, p, retrieval.Options{})
		if !foreign {
			var mismatch *store.MismatchError
			if !errors.As(err, &mismatch) {
				t.Errorf("%v, want a mismatch", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Mode != param.ModeFullContext || len(r.Items) != 20 || len(r.Notices) == 0 || !strings.Contains(r.Notices[0].Text, "could not be compared") {
			t.Errorf("%s with %d sections, %+v", r.Mode, len(r.Items), r.Notices)
		}
		p.Mode = param.ModeChunk
		if _, err := retrieval.Retrieve(t.Context(), retrieval.Deps{Store: x, Embedder: newDouble()}, retrieval.Query{Text: "words"}, p, retrieval.Options{}); err == nil {
			t.Error("sections were searched with vectors of another embedder")
		}
	}
}
