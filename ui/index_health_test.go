package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

func TestIndexHealth(t *testing.T) {
	var asked string
	answer := func(_ context.Context, query string) (session.IndexHealth, error) {
		asked = query
		return session.IndexHealth{
			K: 60,
			Index: store.VectorIndex{
				Name: "chunks_embedding_hnsw_idx", Method: "hnsw", Type: "halfvec", Valid: true, Rows: 100_000, Dead: 1200,
				Options: []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "64"}}, Bytes: 204_472_320, TableBytes: 1 << 20,
			},
			Probed: store.Probed{Exact: 90 * time.Millisecond, Rows: 100_000, Points: []store.ProbePoint{
				{EfSearch: 40, Returned: 40, Recall: .617, Took: 800 * time.Microsecond, Used: "chunks_embedding_hnsw_idx"},
				{EfSearch: 800, Returned: 60, Recall: 1, Took: 40 * time.Millisecond},
			}},
		}, nil
	}
	open := func(answer func(context.Context, string) (session.IndexHealth, error)) *driver {
		d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
			o.Query = "depth decay"
			o.Open = func(context.Context) (*session.Corpus, error) {
				return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, Health: answer}, nil
			}
		})
		d.settle()
		d.press(": 'recall' enter")
		return d
	}
	d := open(answer)
	if asked != "depth decay" {
		t.Errorf("asked %q", asked)
	}
	d.mustShow("chunks_embedding_hnsw_idx", "hnsw over halfvec", "m 16", "100k vectors", "195.0 MB", "1.2k dead entries (never vacuumed)",
		"the 60 nearest of 100k to “depth decay”", ".617", "40 of 60", "index", "scan", "exact", "1.000")
	d.press("esc")
	d.mustNotShow("ef_search")

	open(func(context.Context, string) (session.IndexHealth, error) {
		return session.IndexHealth{}, session.ErrNoIndex
	}).mustShow("searched exactly")
	open(func(context.Context, string) (session.IndexHealth, error) {
		return session.IndexHealth{}, errors.New("the server is gone")
	}).mustShow("the server is gone")
	open(nil).mustShow("searched exactly")
}
