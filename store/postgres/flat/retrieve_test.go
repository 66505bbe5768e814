package flat_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/flat"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// notes are short texts of three pages.
func notes() [][2]string {
	return [][2]string{
		{"ensemble.md", "Gradient boosting adds shallow trees one after another."},
		{"ensemble.md", "Each tree of boosting is fitted to the errors that the earlier trees left."},
		{"ensemble.md", "A random forest averages many deep trees, each grown on a sample of the rows."},
		{"glossary.md", "A decorator is a function that returns another function."},
		{"glossary.md", "A generator is a function that yields values one by one."},
		{"everest.md", "Mount Everest is the highest mountain above sea level."},
	}
}

// openNotes embeds the notes as LlamaIndex would have, and opens the table.
func openNotes(t *testing.T) retrieval.Deps {
	t.Helper()
	ctx := t.Context()
	model := embedder.NewBuiltin()
	dsn := pgtest.Database(t)
	dims := model.Info().Dims
	pgtest.Exec(t, dsn, fmt.Sprintf(`
		CREATE TABLE data_notes (id bigserial PRIMARY KEY, text varchar NOT NULL, metadata_ json, node_id varchar, embedding vector(%d));
		CREATE INDEX data_notes_embedding_idx ON data_notes USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)`, dims))
	for i, note := range notes() {
		vector, err := model.EmbedOne(ctx, note[1], embedder.RoleDocument)
		if err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, dsn, "INSERT INTO data_notes (text, metadata_, node_id, embedding) VALUES ($1, json_build_object('file_path', $2::text, 'kind', 'note'), $3, $4)",
			note[1], note[0], fmt.Sprint("node-", i), pgvector.NewVector(vector).String())
	}
	s, err := flat.Open(ctx, dsn, flat.Options{Sidecar: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p50, p995 := model.DefaultCalibration()
	err = s.Remember(ctx, store.Meta{
		EmbedderID: model.Info().ID, Dimensions: dims, Tokenizer: model.Info().Tokenizer,
		Calibration: store.Calibration{EmbedderID: model.Info().ID, P50: p50, P995: p995},
	})
	if err != nil {
		t.Fatal(err)
	}
	return retrieval.Deps{Store: s, Embedder: model}
}

// Every preset finds the passages, each as its own section, in both modes.
func TestRetrieve(t *testing.T) {
	t.Parallel()
	deps := openNotes(t)
	for _, preset := range param.Presets() {
		t.Run(preset, func(t *testing.T) {
			p, _ := param.Preset(preset)
			p.Mode, p.KeywordUnindexed, p.RequireOwner = param.ModeChunk, true, false
			res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "boosting trees"}, p, retrieval.Options{Trace: true, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Items) == 0 {
				t.Fatalf("nothing is found: %+v", res.Notices)
			}
			first := res.Items[0]
			if first.SourceURL != "ensemble.md" || first.ParentID != "" || !strings.Contains(first.ChunkText, "boosting") || first.Level != store.Parent {
				t.Errorf("the first is %+v", first)
			}
			for _, n := range res.Notices {
				if n.Code == phrase.NoticeNoParents.Code {
					t.Errorf("a row counts as one without a section: %+v", n)
				}
			}
			p.Mode = param.ModeFullContext
			res, err = retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "boosting trees"}, p, retrieval.Options{})
			if err != nil || len(res.Items) == 0 {
				t.Fatalf("of everything there is %d, %v", len(res.Items), err)
			}
		})
	}
}

func TestRetrieveInScope(t *testing.T) {
	t.Parallel()
	deps := openNotes(t)
	p, _ := param.Preset("webrag")
	p.Mode, p.KeywordUnindexed = param.ModeChunk, true
	res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "a function", Scope: store.Scope{SourceURLs: []string{"glossary.md"}}}, p, retrieval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Items {
		if res.Items[i].SourceURL != "glossary.md" {
			t.Errorf("out of scope: %+v", res.Items[i])
		}
	}
	if len(res.Items) == 0 {
		t.Error("nothing is found")
	}
}

// A table has no index of words: hybrid searches by vectors alone, in their order,
// and says so.
func TestHybridWithoutKeywordSearch(t *testing.T) {
	t.Parallel()
	deps := openNotes(t)
	retrieve := func(preset string) retrieval.Result {
		t.Helper()
		p, _ := param.Preset(preset)
		p.TopK, p.DedupThreshold = 3, 0
		res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "boosting trees"}, p, retrieval.Options{Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res, nearest := retrieve(param.PresetHybrid), retrieve(param.PresetTextbook)
	if len(res.Items) != 3 || len(nearest.Items) != 3 {
		t.Fatalf("%d items, %d by vectors", len(res.Items), len(nearest.Items))
	}
	for i := range res.Items {
		// The vector arm is all there is: a first place gets all of the score.
		if want := 61 / float64(61+i); res.Items[i].ChunkID != nearest.Items[i].ChunkID || math.Abs(res.Items[i].Score-want) > 1e-9 {
			t.Errorf("item %d is %s with %f, want %s with %f", i, res.Items[i].ChunkID, res.Items[i].Score, nearest.Items[i].ChunkID, want)
		}
	}
	var codes []string
	for _, n := range res.Notices {
		codes = append(codes, n.Code)
	}
	if !slices.Contains(codes, phrase.NoticeKeywordMissing.Code) || !slices.Contains(codes, phrase.NoticeSingleArm.Code) {
		t.Errorf("it says %v", res.Notices)
	}
	at := slices.IndexFunc(res.Trace.Stages, func(s retrieval.Stage) bool { return s.Name == param.StageKeyword })
	if at < 0 || len(res.Trace.Stages[at].Notes) == 0 || !strings.HasPrefix(res.Trace.Stages[at].Notes[0], "missing: ") {
		t.Errorf("the trace is %+v", res.Trace)
	}
}
