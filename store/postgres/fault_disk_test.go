package postgres

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// widePages have vectors that are kept beside the table of chunks, but for the
// first two, whose words the embedder does not know.
func widePages() []source.NormalizedDocument {
	pages := siteEdition(1)
	for i := range 2 {
		pages[i].Markdown = fmt.Sprintf("# Page %d\n\nThe trees of page %d are unknown to all. See [one](%s).\n", i, i, siteURL(3))
	}
	return pages
}

// A disk that is full while a site is indexed costs the page that finds no room.
// What was written before can be read, and the next run goes on when there is
// space.
func withoutSpace(t *testing.T, server *pgtest.Server) {
	options := func() indexing.Options {
		o := siteOptions(t)
		o.Embedder = wordVectors{dims: 640}
		o.BatchTexts = 1
		return o
	}
	meant := server.Database(t)
	_, err := indexing.Run(t.Context(), open(t, meant, Options{Create: true}), each(widePages(), nil), options())
	must(t, "index", err)
	after := stateOf(t, meant)

	// The pages that are stored when a table has no room any more. That of terms
	// takes more rows into the pages that it has, so that it must have none.
	for table, pages := range map[string]int{"chunks": 2, "chunk_terms": 0} {
		t.Run("for "+table, func(t *testing.T) {
			dsn := server.Database(t)
			s := open(t, dsn, Options{Create: true})
			o := options()
			stored, goOn := make(chan bool), make(chan bool)
			first := stored
			o.Progress = func(p indexing.Progress) {
				if p.Stage == indexing.StageIndex && p.PagesDone == pages && stored != nil {
					close(stored)
					stored = nil
					<-goOn
				}
			}
			ended := make(chan error, 1)
			go func() {
				_, err := indexing.Run(t.Context(), s, each(widePages(), nil), o)
				ended <- err
			}()
			soon(t, "pages are stored", first)
			free := server.FillDisk(t, dsn, table)
			close(goOn)
			err := soon(t, "the run ends", ended)
			t.Log(err)
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), siteURL(pages)) {
				t.Errorf("without space the run ends with %v", err)
			}
			got := stateOf(t, dsn)
			for url, rows := range got.documents {
				if rows != after.documents[url] {
					t.Errorf("%s is\n%s\nwant\n%s", url, rows, after.documents[url])
				}
			}
			if len(got.documents) != pages {
				t.Errorf("%d documents, want %d", len(got.documents), pages)
			}
			consistent(t, dsn)
			v := view(t, s)
			found, err := v.Search(t.Context(), store.Search{Terms: store.Terms("trees"), KeywordRows: 100})
			if err != nil || len(found.Keyword) != pages {
				t.Errorf("meanwhile %d passages are found, %v", len(found.Keyword), err)
			}
			must(t, "close", v.Close())
			free()
			_, err = indexing.Run(t.Context(), s, each(widePages(), nil), options())
			must(t, "index again", err)
			if got := stateOf(t, dsn); got.eachWhole(t, state{}, after) != sitePages || got.between != after.between {
				t.Errorf("between documents is\n%s\nwant\n%s", got.between, after.between)
			}
			consistent(t, dsn)
		})
	}
}
