package postgres

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// near searches as the system does.
func near(t testing.TB, v *View) store.Found {
	t.Helper()
	found, err := v.Search(t.Context(), store.Search{
		Vector: wordVectors{dims: 8}.vector("the roots of trees"), VectorRows: 10, EfSearch: 100, Policy: store.PolicySystem,
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// An extension whose index cannot go on with a search is not asked to.
func TestAnExtensionThatIsTooOld(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	v := view(t, s)
	before := near(t, v)
	if before.Exact || before.Vectors.Index == "" {
		t.Fatalf("the index is not asked: %+v", before.Vectors)
	}
	must(t, "close", v.Close())
	// A catalog that says so is all of an old version that can be had.
	exec(t, dsn, `UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'`)
	old := open(t, dsn, Options{Create: true})
	if why := old.Info().Missing[store.CapApprox]; !strings.Contains(why, "pgvector 0.7.4") || !strings.Contains(why, "ALTER EXTENSION vector UPDATE") {
		t.Errorf("what is missing is %v", old.Info().Missing)
	}
	if advice := strings.Join(old.Info().Advice, "\n"); !strings.Contains(advice, "pgvector 0.7.4") {
		t.Errorf("the advice is %q", advice)
	}
	found := near(t, view(t, old))
	if !found.Exact || !strings.Contains(found.Vectors.Why, "0.7.4") || !slices.Equal(ids(found.Vector), ids(before.Vector)) {
		t.Errorf("found %+v\nbefore %+v", found, before)
	}
	mustIndexSite(t, old, 2)
	consistent(t, dsn)
}

// A database without the extension gets it with its tables.
func TestADatabaseWithoutTheExtension(t *testing.T) {
	t.Parallel()
	dsn := pgtest.EmptyDatabase(t)
	if s, err := Open(t.Context(), inRole(t, dsn, `GRANT CREATE ON SCHEMA public TO ROLE`), Options{Create: true}); err == nil || !strings.Contains(err.Error(), "CREATE EXTENSION") {
		t.Errorf("a role without the right to make it: %v, %v", s, err)
	}
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	sameCorpus(t, inFile(t, 1), s)
	if found := near(t, view(t, s)); len(found.Vector) == 0 || found.Vectors.Index == "" {
		t.Errorf("found %+v", found)
	}
}

// Whoever drops the extension drops the vectors with it. That is said, and not
// that there is nothing near; words are found as before.
func TestAnExtensionThatIsDroppedWhileItIsInUse(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	words := store.Search{Terms: store.Terms("trees"), KeywordRows: 100}
	before := stateOf(t, dsn)
	exec(t, dsn, `DROP EXTENSION vector CASCADE`)
	const gone = "vectors are gone"
	dropped := func(s *Store) {
		t.Helper()
		v := view(t, s)
		both := words
		both.Vector, both.VectorRows = wordVectors{dims: 8}.vector("trees"), 10
		if _, err := v.Search(t.Context(), both); err == nil || !strings.Contains(err.Error(), gone) || !strings.Contains(err.Error(), "backup") {
			t.Errorf("a search by meaning: %v", err)
		}
		if found := mustSearch(t, v, words); len(found.Keyword) != sitePages {
			t.Errorf("words find %+v", found)
		}
		if warnings := strings.Join(s.Info().Warnings, "\n"); !strings.Contains(warnings, gone) {
			t.Errorf("the warnings are %q", warnings)
		}
		must(t, "close", v.Close())
	}
	dropped(s)
	dropped(open(t, dsn, Options{}))
	if _, err := indexSite(t, s, 2); err == nil || !strings.Contains(err.Error(), gone) {
		t.Errorf("indexing: %v", err)
	}
	if n := len(stateOf(t, dsn).documents); n != len(before.documents) {
		t.Errorf("%d documents are left of %d", n, len(before.documents))
	}
	// The extension comes back, the vectors do not.
	dropped(open(t, dsn, Options{Create: true}))
	exec(t, dsn, `CREATE EXTENSION IF NOT EXISTS vector`)
	dropped(s)
}
