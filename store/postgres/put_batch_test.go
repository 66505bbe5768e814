package postgres

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// What pages written at once leave is what they leave one after the other, whatever
// was there, to the last counter.
func TestPagesAtOnceAreThoseOneByOne(t *testing.T) {
	one, many := pgtest.Database(t), pgtest.Database(t)
	_, w := writing(t, one, Options{})
	_, v := writing(t, many, Options{})
	setDims(t, w, 3)
	setDims(t, v, 3)
	rapid.Check(t, func(rt *rapid.T) {
		var pages []store.Bundle
		for range rapid.IntRange(1, 6).Draw(rt, "pages") {
			pages = append(pages, drawVersion(rt))
		}
		got, err := v.PutAll(t.Context(), pages)
		if err != nil {
			rt.Fatal(err)
		}
		for i := range pages {
			changed, err := w.Put(t.Context(), pages[i])
			if err != nil || changed != got[i] {
				rt.Fatalf("page %d of %d: changed = %v, %v, at once %v", i, len(pages), changed, err, got[i])
			}
		}
		if w.meta.Changed != v.meta.Changed {
			rt.Fatalf("the version is %d, at once %d", w.meta.Changed, v.meta.Changed)
		}
		want, have := stateOf(t, one), stateOf(t, many)
		if !maps.Equal(want.documents, have.documents) || want.between != have.between {
			rt.Fatalf("at once there is\n%v\nwant\n%v", have, want)
		}
	})
}

// drawVersion is one of a few pages that link to each other, as it may be at a time.
func drawVersion(rt *rapid.T) store.Bundle {
	n := rapid.IntRange(0, 5).Draw(rt, "page")
	url := func(n int) string { return fmt.Sprintf("https://example.org/%d", n) }
	b := leaf(url(n), 3, rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"red red", "red blue", "green", "blue green", "of"}), 1, 4, rapid.ID).Draw(rt, "texts")...)
	b.Document.Title = fmt.Sprint("T", rapid.IntRange(0, 1).Draw(rt, "title"))
	b.Document.Owner = rapid.SampledFrom([]string{"", "", "ann"}).Draw(rt, "owner")
	if rapid.Bool().Draw(rt, "alias") {
		b.Document.URLAliases = []string{url(rapid.IntRange(0, 7).Draw(rt, "other name"))}
	}
	for range rapid.IntRange(0, 3).Draw(rt, "links") {
		b.Links = append(b.Links, store.Link{ChunkID: b.Chunks[0].ID, TargetURL: url(rapid.IntRange(0, 7).Draw(rt, "to")), Text: "see"})
	}
	return b
}

// Of pages that are written at once, all are as they were when the session ends in the
// midst of it, wherever that is, and the next run writes them.
func TestABatchIsStoredAsAWhole(t *testing.T) {
	t.Parallel()
	for name, place := range putPlaces() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn, meant := pgtest.Database(t), pgtest.Database(t)
			s, again := open(t, dsn, Options{Create: true}), open(t, meant, Options{Create: true})
			for edition := 1; edition <= 2; edition++ {
				mustIndexSite(t, again, edition)
			}
			mustIndexSite(t, s, 1)
			before, after := stateOf(t, dsn), stateOf(t, meant)
			release := gate(t, dsn, place)
			ended := make(chan error, 1)
			go func() {
				_, err := indexSite(t, s, 2)
				ended <- err
			}()
			stuck(t, dsn, 1)
			pgtest.Exec(t, dsn, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'webrag-tui'`)
			if err := soon(t, "the run ends with its session", ended); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("indexing ends with %v", err)
			}
			release()
			ungate(t, dsn)
			if n := stateOf(t, dsn).eachWhole(t, before, after); n != 0 {
				t.Errorf("%d documents are new", n)
			}
			consistent(t, dsn)
			mustIndexSite(t, s, 2)
			if got := stateOf(t, dsn); got.eachWhole(t, state{}, after) != sitePages || got.between != after.between {
				t.Errorf("between the documents is\n%s\nwant\n%s", got.between, after.between)
			}
			consistent(t, dsn)
		})
	}
}

// Batches that are large enough to have their words merged beside the next one hold
// what small ones do, and leave nothing to be merged.
func TestLargeBatches(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	for n := range 3 {
		texts := make([]string, mergedRows)
		for i := range texts {
			texts[i] = fmt.Sprintf("word%d shared%d", n*mergedRows+i, i%7)
		}
		if _, err := w.PutAll(t.Context(), []store.Bundle{leaf(fmt.Sprintf("https://example.org/%d", n), 3, texts...)}); err != nil {
			t.Fatal(err)
		}
	}
	if !w.words.mine || w.words.listed == 0 || w.words.conn == nil {
		t.Errorf("nothing is merged beside a batch: %+v", w.words)
	}
	if err := w.Finish(t.Context(), nil); err != nil || w.words.listed != 0 {
		t.Error(err, w.words.listed)
	}
	consistent(t, dsn)
	found, err := view(t, s).Search(t.Context(), store.Search{Terms: store.Terms(fmt.Sprintf("word%d", mergedRows+3)), KeywordRows: 5})
	if err != nil || len(found.Keyword) != 1 || found.Keyword[0].DocumentID != storetest.ID("https://example.org/1") {
		t.Errorf("found %+v, %v", found.Keyword, err)
	}
}

// A role that may not merge leaves that to the server.
func TestLargeBatchesOfAnotherRole(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, w = writing(t, inRole(t, dsn, `GRANT USAGE ON SCHEMA public TO ROLE`, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ROLE`), Options{})
	for n := range 2 {
		texts := make([]string, mergedRows)
		for i := range texts {
			texts[i] = fmt.Sprintf("word%d", n*mergedRows+i)
		}
		mustPut(t, w, leaf(fmt.Sprintf("https://example.org/%d", n), 3, texts...), true)
	}
	if w.words.mine || w.words.conn != nil {
		t.Errorf("merged as another role: %+v", w.words)
	}
	consistent(t, dsn)
}
