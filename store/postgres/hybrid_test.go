package postgres_test

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A database that a WebRAG indexer made has no index of words: hybrid searches it by
// vectors alone, and says so.
func TestHybridWithoutKeywordSearch(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Links)
	s := open(t, dsn, postgres.Options{Sidecar: t.TempDir()})
	if err := s.Remember(t.Context(), store.Meta{EmbedderID: "given", Dimensions: webragtest.Dims, Tokenizer: "approx"}); err != nil {
		t.Fatal(err)
	}
	deps := retrieval.Deps{Store: s, Embedder: &given{id: "given", dims: webragtest.Dims, vector: []float32{1, 0, 0, 0}}}
	p, _ := param.Preset(param.PresetHybrid)
	res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "gradient boosting trees"}, p, retrieval.Options{Trace: true})
	if err != nil || len(res.Items) == 0 || res.Items[0].Score != 1 {
		t.Fatalf("%d items, %v: %+v", len(res.Items), err, res.Notices)
	}
	for _, code := range []string{phrase.NoticeKeywordMissing.Code, phrase.NoticeSingleArm.Code} {
		if !slices.ContainsFunc(res.Notices, func(n retrieval.Notice) bool { return n.Code == code }) {
			t.Errorf("no notice %s: %+v", code, res.Notices)
		}
	}
}
