package transfer_test

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/flat"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/transfer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// Rows of another program become a corpus: with ids as corpora have them, a section
// for each passage, and vectors of length 1.
func TestCopyATable(t *testing.T) {
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE TABLE items (id int PRIMARY KEY, content text, embedding halfvec(2), url text);
		INSERT INTO items VALUES (1, 'The first tree.', '[3,4]', 'https://a.example'), (2, 'A second one.', '[0,0]', 'https://a.example'),
			(3, NULL, NULL, NULL), (10, 'The last.', '[0,1]', 'https://b.example')`)
	from, err := flat.Open(t.Context(), dsn, flat.Options{Table: "items"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = from.Close() })
	to := open(t)
	r, err := transfer.Copy(t.Context(), from, to, transfer.Options{})
	if err != nil || r.Documents != 3 || r.Chunks != 8 || r.Orphans != 4 {
		t.Fatalf("copied %+v, %v", r, err)
	}
	if err := transfer.Verify(t.Context(), from, to, transfer.Options{}); err != nil {
		t.Error(err)
	}
	v, err := to.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.Close() }()
	found, err := v.Search(t.Context(), store.Search{Vector: []float32{0.6, 0.8}, VectorRows: 5, Terms: []string{"tree"}, KeywordRows: 5})
	if err != nil || len(found.Vector) != 2 || found.Vector[0].Similarity < 0.9999 || len(found.Keyword) != 1 || found.Keyword[0].ID != found.Vector[0].ID {
		t.Errorf("found %+v, %v", found, err)
	}
}
