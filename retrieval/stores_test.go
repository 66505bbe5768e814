package retrieval_test

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/transfer"
	"github.com/webrag/webrag-tui/testdata"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// guide is the bundled guide in a file and, copied from it, in a database.
type guide struct {
	model    embedder.Embedder
	file     store.Store
	database store.Store
	dsn      string
}

func openGuide(t *testing.T) guide {
	t.Helper()
	ctx := t.Context()
	g := guide{model: embedder.NewBuiltin(), dsn: pgtest.Database(t)}
	tokens, err := embedder.NewTokenizer(g.model.Info().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	file, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "guide.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.ScanFS(ctx, pages, "guide", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indexing.Run(ctx, file, set.All(ctx), indexing.Options{Embedder: g.model, Tokenizer: tokens}); err != nil {
		t.Fatal(err)
	}
	database, err := postgres.Open(ctx, g.dsn, postgres.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	g.file, g.database = file, database
	if _, err := transfer.Copy(ctx, g.file, g.database, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := transfer.Verify(ctx, g.file, g.database, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	return g
}

// guideQuestions are the judged ones about the guide, once each.
func guideQuestions(t *testing.T) (texts []string) {
	t.Helper()
	judged, err := testdata.Judgments()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range judged {
		if !slices.Contains(texts, j.Query) {
			texts = append(texts, j.Query)
		}
	}
	return texts
}

func (g *guide) ask(t *testing.T, s store.Store, q retrieval.Query, p param.Params) retrieval.Result {
	t.Helper()
	result, err := retrieval.Retrieve(t.Context(), retrieval.Deps{Store: s, Embedder: g.model}, q, p, retrieval.Options{Trace: true})
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	return result
}

// sameScore is how far apart scores of different stores may be; rows whose scores
// are nearer to each other than twice that may change places.
const sameScore = 1e-6

// compareResults compares ids and scores.
func compareResults(t *testing.T, what string, want, got retrieval.Result) {
	t.Helper()
	if want.Mode != got.Mode || len(want.Items) != len(got.Items) {
		t.Errorf("%s: %s with %d results, want %s with %d", what, got.Mode, len(got.Items), want.Mode, len(want.Items))
		return
	}
	byRank := func(r retrieval.Result) []retrieval.Item {
		items := slices.Clone(r.Items)
		slices.SortStableFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
		return items
	}
	a, b := byRank(want), byRank(got)
	for from := 0; from < len(a); {
		to := from + 1
		for to < len(a) && a[to-1].Score-a[to].Score <= 2*sameScore {
			to++
		}
		ids := func(items []retrieval.Item) (list []string) {
			for _, it := range items[from:to] {
				list = append(list, it.ChunkID)
			}
			slices.Sort(list)
			return list
		}
		// The last rows may be cut off in the middle of equal ones.
		if x, y := ids(a), ids(b); !slices.Equal(x, y) && (to < len(a) || to-from == 1) {
			t.Errorf("%s: ranks %d to %d: %v, want %v", what, from+1, to, y, x)
		}
		from = to
	}
	for i := range a {
		if math.Abs(a[i].Score-b[i].Score) > sameScore {
			t.Errorf("%s: rank %d: score %v, want %v", what, i+1, b[i].Score, a[i].Score)
		}
	}
}

// The same corpus gives the same answers, whichever store keeps it.
func TestStoresAgree(t *testing.T) {
	t.Parallel()
	g := openGuide(t)
	depth := 1
	scopes := []store.Scope{{}, {MaxDepth: &depth}, {SourceURLs: []string{"file:guide/ranking.md", "file:guide/graph.html"}}, {Headings: []string{"settings", "following edges"}}}
	for _, preset := range param.Presets() {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			p, _ := param.Preset(preset)
			p.Search = param.SearchExact
			if p.Mode == param.ModeAuto {
				p.Mode = param.ModeChunk
			}
			found := 0
			for i, text := range guideQuestions(t) {
				q := retrieval.Query{Text: text, Scope: scopes[i%len(scopes)]}
				what := fmt.Sprintf("%q in scope %d", text, i%len(scopes))
				want := g.ask(t, g.file, q, p)
				compareResults(t, what, want, g.ask(t, g.database, q, p))
				found += len(want.Items)
			}
			if found < 100 {
				t.Errorf("only %d results were compared", found)
			}
		})
	}
	t.Run("full context", func(t *testing.T) {
		t.Parallel()
		p, _ := param.Preset(param.PresetWebRAG)
		q := retrieval.Query{Text: "what is depth decay"}
		want := g.ask(t, g.file, q, p)
		if want.Mode != param.ModeFullContext {
			t.Fatalf("mode %s", want.Mode)
		}
		compareResults(t, "full context", want, g.ask(t, g.database, q, p))
	})
}

// A corpus of few passages is compared as a whole by the default policy, too.
func TestTheDefaultPolicyAgreesWithTheFile(t *testing.T) {
	t.Parallel()
	g := openGuide(t)
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	for _, text := range guideQuestions(t) {
		q := retrieval.Query{Text: text}
		compareResults(t, text, g.ask(t, g.file, q, p), g.ask(t, g.database, q, p))
	}
}
