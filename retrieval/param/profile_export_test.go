package param_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// exported is a profile written in both ways.
func exported(t *testing.T, preset string, changes ...string) (env, code string) {
	t.Helper()
	p := param.Profile{Version: 1, Name: "tight", Preset: preset}
	p.Params, _ = param.Preset(preset)
	for _, pair := range changes {
		field, text, _ := strings.Cut(pair, "=")
		if err := p.Params.Set(field, text); err != nil {
			t.Fatal(err)
		}
	}
	var e, c bytes.Buffer
	floor, _ := p.Params.FloorOn(false, store.Calibration{})
	if err := p.WriteSystemEnv(&e, param.KnownFloor{Floor: floor}); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteGoOptions(&c); err != nil {
		t.Fatal(err)
	}
	return e.String(), c.String()
}

// TestEveryParameterIsExported holds that none is passed over in silence: each
// stands there as a setting or in a comment, and where the system goes its own
// way, it says which.
func TestEveryParameterIsExported(t *testing.T) {
	options := map[string]string{
		"keyword_weight": "KeywordWeight", "overfetch": "OverfetchMultiplier", "min_score": "MinRetrievalScore",
		"reranker": "Reranker", "rerank_min_score": "NewScoreReranker", "top_k": "Retrieve(ctx, query, ", "max_hops": "WithMaxHops",
		"vector_weight": "WithVectorWeight", "graph_weight": "WithGraphWeight", "hop_decay": "WithHopDecay", "bidirectional": "WithBidirectional",
		"relations": "WithRelationFilter", "min_traversal_score": "WithMinTraversalScore", "seed_top_k": "WithSeedTopK",
	}
	for _, preset := range param.Presets() {
		for _, changes := range [][]string{
			nil,
			{
				"mode=auto", "keyword_weight=0.4", "max_hops=1", "relations=part_of", "reranker=score", "rerank_min_score=0.2", "min_score=0.1",
				"dedup_threshold=0.9", "similarity_floor=0.2", "depth_decay_rate=0.1", "context_budget=5000", "unit=chunk", "top_k=3",
			},
		} {
			env, code := exported(t, preset, changes...)
			for _, s := range param.Specs() {
				if !strings.Contains(env, s.Env+"=") && !strings.Contains(env, s.Field) {
					t.Errorf("%s: the variables say nothing of %s:\n%s", preset, s.Field, env)
				}
				option := options[s.Field]
				if !strings.Contains(code, s.Field) && (option == "" || !strings.Contains(code, option)) {
					t.Errorf("%s: the options say nothing of %s:\n%s", preset, s.Field, code)
				}
			}
			for line := range strings.Lines(env + code) {
				if strings.HasSuffix(strings.TrimSpace(line), "the system") {
					t.Errorf("%s: a line says nothing: %s", preset, line)
				}
			}
		}
	}
}

func TestVariablesOfTheSystem(t *testing.T) {
	env, _ := exported(t, param.PresetWebRAG, "similarity_floor=0.42", "floor_scale=raw", "context_budget=8000", "dedup_threshold=0.9", "search_policy=system")
	for _, want := range []string{
		"RETRIEVAL_FULL_CONTEXT_THRESHOLD=30000\n", "RETRIEVAL_CONTEXT_BUDGET=8000\n", "RETRIEVAL_TOP_K_CHILDREN_LIMIT=60\n",
		"RETRIEVAL_SIMILARITY_FLOOR=0.42\n", "RETRIEVAL_DEPTH_DECAY_RATE=0.05\n", "RETRIEVAL_DEPTH_FLOOR=0.8\n", "RETRIEVAL_HNSW_EF_SEARCH=100\n",
		"#   dedup_threshold=0.9: the system keeps near-duplicates\n",
	} {
		if !strings.Contains(env, want) {
			t.Errorf("%q is missing in\n%s", want, env)
		}
	}
	settings := 0
	for line := range strings.Lines(env) {
		if !strings.HasPrefix(line, "#") {
			settings++
		}
	}
	if settings != 7 || strings.Contains(env, "# !") {
		t.Errorf("%d lines are settings, want 7 and no warning:\n%s", settings, env)
	}
	env, _ = exported(t, param.PresetTopK)
	for _, want := range []string{"0 means 5 rows here", "mode chunk", "0 means the index's own"} {
		if !strings.Contains(env, want) {
			t.Errorf("%q is missing in\n%s", want, env)
		}
	}
}

// A line that the system cannot take, or that the profile never chose for it,
// would change what it does for the worse.
func TestOnlyWhatTheSystemCanTakeIsALiveLine(t *testing.T) {
	for _, c := range []struct {
		preset  string
		changes []string
		first   string
		live    []string
	}{
		{"hybrid", []string{"top_k=8", "rrf_k=20"}, "# Profile tight: 2 settings differ from preset hybrid; none of them can be set in the system under tuning.", nil},
		{"hybrid", []string{"top_k=8", "context_budget=900"}, "# Profile tight: 2 settings differ from preset hybrid; 1 of them can be set in the system under tuning.", []string{"RETRIEVAL_CONTEXT_BUDGET=900"}},
		{"topk", []string{"depth_decay_rate=0.1"}, "# Profile tight: 1 setting differs from preset topk; it can be set in the system under tuning.", []string{"RETRIEVAL_DEPTH_DECAY_RATE=0.1", "RETRIEVAL_DEPTH_FLOOR=0.8"}},
		{
			"webrag",
			[]string{"depth_decay_rate=0", "hnsw_ef_search=0", "top_k_children_limit=0", "mode=chunk"},
			"# Profile tight: 4 settings differ from preset webrag; 1 of them can be set in the system under tuning.",
			[]string{"RETRIEVAL_CONTEXT_BUDGET=40000", "RETRIEVAL_SIMILARITY_FLOOR=0.3", "RETRIEVAL_DEPTH_DECAY_RATE=0", "RETRIEVAL_DEPTH_FLOOR=0.8"},
		},
	} {
		env, _ := exported(t, c.preset, c.changes...)
		var live []string
		for line := range strings.Lines(env) {
			if !strings.HasPrefix(line, "#") {
				live = append(live, strings.TrimSuffix(line, "\n"))
			}
		}
		if first, _, _ := strings.Cut(env, "\n"); first != c.first || !slices.Equal(live, c.live) {
			t.Errorf("%s %v: first line %q, live %q\n%s", c.preset, c.changes, first, live, env)
		}
	}
}

// oasisStub has the signatures of the specification of the hybrid and the graph
// retriever: their constructors, and the options that each of them takes.
const oasisStub = `package oasis

import "context"

type (
	Store              interface{ SearchChunks() }
	EmbeddingProvider  interface{ Embed() }
	Provider           interface{ Chat() }
	Tracer             interface{ Start() }
	Logger             struct{}
	RelationType       string
	ChunkFilter        struct{}
	RetrievalResult    struct{ Score float32 }
	Reranker           interface{ Rerank(ctx context.Context, query string, results []RetrievalResult, topK int) ([]RetrievalResult, error) }
	HybridRetriever    struct{}
	GraphRetriever     struct{}
	RetrieverOption    func(*HybridRetriever)
	GraphOption        func(*GraphRetriever)
)

func (*HybridRetriever) Retrieve(ctx context.Context, query string, topK int) ([]RetrievalResult, error)
func (*GraphRetriever) Retrieve(ctx context.Context, query string, topK int) ([]RetrievalResult, error)

func NewHybridRetriever(s Store, e EmbeddingProvider, o ...RetrieverOption) *HybridRetriever
func WithReranker(r Reranker) RetrieverOption
func WithMinRetrievalScore(s float32) RetrieverOption
func WithKeywordWeight(w float32) RetrieverOption
func WithOverfetchMultiplier(n int) RetrieverOption
func WithFilters(f ...ChunkFilter) RetrieverOption
func WithRetrieverTracer(t Tracer) RetrieverOption
func WithRetrieverLogger(l *Logger) RetrieverOption
func NewScoreReranker(min float32) Reranker
func NewLLMReranker(p Provider) Reranker

func NewGraphRetriever(s Store, e EmbeddingProvider, o ...GraphOption) *GraphRetriever
func WithMaxHops(n int) GraphOption
func WithGraphWeight(w float32) GraphOption
func WithVectorWeight(w float32) GraphOption
func WithHopDecay(d []float32) GraphOption
func WithBidirectional(b bool) GraphOption
func WithRelationFilter(t ...RelationType) GraphOption
func WithMinTraversalScore(s float32) GraphOption
func WithSeedTopK(k int) GraphOption
func WithSeedKeywordWeight(w float32) GraphOption
func WithGraphFilters(f ...ChunkFilter) GraphOption
func WithGraphRetrieverTracer(t Tracer) GraphOption
func WithGraphRetrieverLogger(l *Logger) GraphOption
`

// stubs are packages that are known by their sources.
type stubs map[string]*types.Package

func (s stubs) Import(path string) (*types.Package, error) {
	if p := s[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no stub of %s", path)
}

// add checks the types of a package and keeps it.
func (s stubs) add(path, code string) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path+".go", code, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s[path], err = (&types.Config{Importer: s}).Check(path, files, []*ast.File{f}, nil)
	return err
}

// What is written compiles against the specification's signatures, with nothing
// but the store, the embedder and the language model for the reader to bring.
func TestGoOptionsCompile(t *testing.T) {
	known := stubs{}
	for _, stub := range []struct{ path, code string }{{"context", "package context\ntype Context interface{ Done() }"}, {"oasis", oasisStub}} {
		if err := known.add(stub.path, stub.code); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(code string) error {
		return known.add("main", "package main\nimport (\n\"context\"\n\"oasis\"\n)\n"+
			"func retrieve(ctx context.Context, store oasis.Store, embedding oasis.EmbeddingProvider, llmProvider oasis.Provider, query string, topK int) ([]oasis.RetrievalResult, error) {\n"+
			code+"\nreturn results, err\n}\n")
	}
	if err := compile("retriever := oasis.NewGraphRetriever(store, embedding, oasis.WithReranker(nil))\nresults, err := retriever.Retrieve(ctx, query, 5)"); err == nil {
		t.Fatal("the stubs let the graph retriever have a reranker")
	}
	for _, preset := range param.Presets() {
		for _, reranker := range []string{"none", "score", "llm", "http"} {
			for _, changes := range [][]string{
				nil,
				{"min_score=0.05", "rerank_min_score=0.1"},
				{"keyword_weight=0.5", "fusion=convex", "min_score=0.05"},
				{"max_hops=1", "hop_decay=1,0.25", "relations=depends_on,part_of", "seed_top_k=0", "rerank_min_score=0.1"},
				{"rrf_scale=raw", "keyword_weight=0.3", "min_score=0.01"},
			} {
				_, code := exported(t, preset, append([]string{"reranker=" + reranker}, changes...)...)
				if err := compile(code); err != nil {
					t.Errorf("%s %v with reranker %s: %v in\n%s", preset, changes, reranker, err, code)
				}
				if strings.Contains(code, "NewGraphRetriever") && reranker != "none" &&
					!strings.Contains(code, "//   reranker="+reranker+": the system has no option for a reranker; call one on its results\n") {
					t.Errorf("%s: the reranker %s has vanished from\n%s", preset, reranker, code)
				}
			}
		}
	}
}

func TestGoOptions(t *testing.T) {
	_, code := exported(t, param.PresetGraph, "relations=depends_on,part_of", "keyword_weight=0.25")
	for _, want := range []string{
		"oasis.NewGraphRetriever(store, embedding,\n", "oasis.WithMaxHops(2),\n", "oasis.WithHopDecay([]float32{1, 0.7, 0.5}),\n",
		"oasis.WithRelationFilter(\"depends_on\", \"part_of\"),\n", "oasis.WithSeedKeywordWeight(0.25),\n", "Retrieve(ctx, query, 5)\n",
	} {
		if !strings.Contains(code, want) {
			t.Errorf("%q is missing in\n%s", want, code)
		}
	}
	// Its fused scores are sums of weight / (60 + rank + 1): .05 of ours is .05 / 61
	// there, and .05 itself would let nothing through.
	_, code = exported(t, param.PresetHybrid, "min_score=0.05", "reranker=score", "rerank_min_score=0.1", "dedup_threshold=0.9")
	for _, want := range []string{
		"oasis.NewHybridRetriever(store, embedding,\n", "oasis.WithKeywordWeight(0.3),\n", "oasis.WithOverfetchMultiplier(3),\n",
		"\t// min_score=0.05, divided by 61: the retriever does not scale its fused scores\n\toasis.WithMinRetrievalScore(0.000819672),\n",
		"oasis.WithReranker(oasis.NewScoreReranker(0.00163934)),\n",
		"//   dedup_threshold=0.9: the system keeps near-duplicates\n",
		"//   rrf_scale=normalized: the system leaves fused scores as the sums of weight / (k + rank + 1), at most 1/61\n",
	} {
		if !strings.Contains(code, want) {
			t.Errorf("%q is missing in\n%s", want, code)
		}
	}
	for _, c := range []struct{ changes, want string }{
		{"rrf_scale=raw min_score=0.01", "\toasis.WithMinRetrievalScore(0.01),\n"},
		{"reranker=llm min_score=0.4", "\toasis.WithMinRetrievalScore(0.4),\n"},
		{"fusion=convex min_score=0.05", "\t// ! min_score=0.05 is no score of fused ranks in this profile, as the retriever's scores are: choose one of at most 1/61\n"},
		{"keyword_weight=0 min_score=0.05", "\t// ! min_score=0.05 is no score of fused ranks"},
	} {
		_, code := exported(t, param.PresetHybrid, strings.Fields(c.changes)...)
		if !strings.Contains(code, c.want) {
			t.Errorf("%s: %q is missing in\n%s", c.changes, c.want, code)
		}
	}
}

// A parameter whose stage is off is said to have no effect, wherever it stands.
func TestIdleParametersAreSaidToBeIdle(t *testing.T) {
	for _, c := range []struct {
		field, off, on string
	}{
		{"depth_floor", "depth_decay_rate=0", "depth_decay_rate=0.1"},
		{"floor_scale", "similarity_floor=-1", "similarity_floor=0.2"},
		{"rrf_k", "keyword_weight=0", "keyword_weight=0.2"},
		{"unscored", "reranker=none", "reranker=llm"},
		{"full_context_overflow", "mode=chunk", "mode=auto"},
		{"budget_policy", "context_budget=2147483647", "context_budget=900"},
		{"merge_adjacent", "unit=parent", "unit=chunk"},
		{"search_policy", "search=exact", "search=ann"},
		{"overfetch", "top_k_children_limit=9", "top_k_children_limit=0"},
	} {
		for change, idle := range map[string]bool{c.off: true, c.on: false} {
			env, code := exported(t, param.PresetHybrid, change)
			text := code
			if c.field == "overfetch" { // an option there
				text = env
			}
			_, unused, _ := strings.Cut(text, "no effect in this profile:")
			if strings.Contains(unused, c.field) != idle {
				t.Errorf("with %s, %s has no effect: want %t\n%s", change, c.field, idle, text)
			}
		}
	}
}

func TestAProfilesNameStaysInItsComment(t *testing.T) {
	p := param.Profile{Version: 1, Name: "a\nRETRIEVAL_TOP_K=1\u2028b\x1b[31m", Preset: param.PresetWebRAG}
	p.Params, _ = param.Preset(p.Preset)
	var env bytes.Buffer
	if err := p.WriteSystemEnv(&env, param.KnownFloor{
		Floor: param.Floor{Scale: param.FloorCalibrated}, Corpus: "c\nRETRIEVAL_TOP_K=1",
	}); err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(env.String(), "\n"); first != fmt.Sprintf("# Profile %s: no setting differs from preset webrag.", "a RETRIEVAL_TOP_K=1 b [31m") {
		t.Errorf("the first line is %q", first)
	}
	if strings.Contains(env.String(), "\nRETRIEVAL_TOP_K=1") {
		t.Errorf("a name has become a line:\n%s", env.String())
	}
}

// The system reads its floor as a cosine: it gets the one that was in force, and
// none where that is not known.
func TestTheSystemsFloorIsACosine(t *testing.T) {
	p := param.Profile{Version: 1, Name: "tight", Preset: param.PresetWebRAG}
	p.Params, _ = param.Preset(p.Preset)
	for _, c := range []struct {
		changes []string
		known   param.KnownFloor
		want    string
	}{
		{[]string{"similarity_floor=0.22"}, param.KnownFloor{Corpus: "guide"}, "# On the scale of the corpus guide: .220 cal = .253 raw.\nRETRIEVAL_SIMILARITY_FLOOR=0.253133\n"},
		{
			[]string{"similarity_floor=0.22"},
			param.KnownFloor{Unknown: "there is\nno corpus"},
			"# ! similarity_floor 0.22 is on the scale of a corpus, and the system reads a plain cosine. Which one, is not known: there is no corpus.\n# RETRIEVAL_SIMILARITY_FLOOR=\n",
		},
		{[]string{"similarity_floor=0.22", "floor_scale=raw"}, param.KnownFloor{}, "RETRIEVAL_CONTEXT_BUDGET=40000\nRETRIEVAL_TOP_K_CHILDREN_LIMIT=60\nRETRIEVAL_SIMILARITY_FLOOR=0.22\n"},
		{[]string{"similarity_floor=-1"}, param.KnownFloor{}, "LIMIT=60\nRETRIEVAL_SIMILARITY_FLOOR=-1\n"},
	} {
		q := p
		for _, change := range c.changes {
			field, text, _ := strings.Cut(change, "=")
			if err := q.Params.Set(field, text); err != nil {
				t.Fatal(err)
			}
		}
		c.known.Floor, _ = q.Params.FloorOn(true, store.Calibration{P50: 0.05, P995: 0.327})
		var env bytes.Buffer
		if err := q.WriteSystemEnv(&env, c.known); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(env.String(), c.want) {
			t.Errorf("%q is missing in\n%s", c.want, env.String())
		}
	}
}
