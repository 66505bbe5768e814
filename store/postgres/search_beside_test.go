package postgres

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// bothArms is a search of the site with both arms.
func bothArms() store.Search {
	return store.Search{
		Vector: wordVectors{dims: 8}.vector("the roots and leaves of trees"), VectorRows: 7,
		Terms: store.Terms("trees leaves roots"), KeywordRows: 7,
		Scope: store.Scope{SourceURLs: []string{siteURL(0), siteURL(1)}},
	}
}

// apart is what both arms find one by one.
func apart(t *testing.T, v *View, spec store.Search) store.Found {
	t.Helper()
	words := spec
	words.Vector = nil
	spec.Terms = nil
	found, kept := mustSearch(t, v, spec), mustSearch(t, v, words)
	found.TakeKeyword(&kept)
	if len(found.Vector) == 0 || len(found.Keyword) == 0 {
		t.Fatalf("the arms find nothing: %+v", found)
	}
	return found
}

// checkArms holds a search with both arms to what they find apart, and how they ran
// to the words.
func checkArms(t *testing.T, v *View, want store.Found, run string) {
	t.Helper()
	found := mustSearch(t, v, bothArms())
	how := found.KeywordRun
	found.KeywordRun = ""
	if !strings.HasPrefix(how, run) || !reflect.DeepEqual(found, want) {
		t.Errorf("searched %s, want %s; found\n%+v, want\n%+v", how, run, found, want)
	}
}

// The two arms run at once, in one snapshot, and find what each of them finds.
func TestTheArmsRunAtOnce(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	s := open(t, dsn, Options{Conn: db.Options{SearchConns: 2}})
	v := view(t, s)
	want := apart(t, v, bothArms())
	// What was written since the view began is in neither arm.
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 2)
	checkArms(t, v, want, "beside the vectors")
	must(t, "close", v.Close())

	// Each waits for a lock of its own, and giving up ends both.
	v = view(t, s)
	release := holdUp(t, dsn, "chunks")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := v.Search(ctx, bothArms())
		ended <- err
	}()
	stuck(t, dsn, 2)
	cancel()
	if err := soon(t, "a search that is given up ends", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("given up, it ends with %v", err)
	}
	release()
	must(t, "close", v.Close())
	// Both connections are free again.
	v = view(t, s)
	checkArms(t, v, apart(t, v, bothArms()), "beside the vectors")
	_ = view(t, s)
}

// The vector arm fails while the keyword arm waits: that one is not waited for.
func TestAVectorArmThatFailsEndsTheOther(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	v := view(t, open(t, dsn, Options{}))
	release := holdUp(t, dsn, "term_stats")
	defer release()
	pgtest.Exec(t, dsn, "ALTER TABLE chunks RENAME COLUMN embedding TO lost")
	ended := make(chan error, 1)
	go func() {
		_, err := v.Search(t.Context(), bothArms())
		ended <- err
	}()
	if err := soon(t, "the search ends", ended); err == nil || !strings.Contains(err.Error(), "embedding") {
		t.Errorf("it ends with %v", err)
	}
}

// Where there is no second connection the arms run one after the other, find the
// same, and say why.
func TestTheArmsRunOneAfterTheOther(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	for _, c := range []struct {
		name   string
		conns  int
		others int // views that are open meanwhile
		why    string
	}{
		{"one connection", 1, 0, "there is one connection only"},
		{"all in use", 3, 2, "all 3 connections are in use"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, dsn, Options{Conn: db.Options{SearchConns: c.conns}})
			for range c.others {
				_ = view(t, s)
			}
			v := view(t, s)
			checkArms(t, v, apart(t, v, bothArms()), "after the vectors: "+c.why)
		})
	}
	t.Run("no more connections", func(t *testing.T) {
		role := inRole(t, dsn, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE`)
		name := pgtest.Value[string](t, role, `SELECT current_user::text`)
		pgtest.Exec(t, dsn, "ALTER ROLE "+name+" LOGIN CONNECTION LIMIT 1")
		s := open(t, asRole(t, dsn, name), Options{})
		v := view(t, s)
		checkArms(t, v, apart(t, v, bothArms()), "after the vectors: no second connection could be had")
	})
	// A server that refuses ends the transaction by it: the view begins anew, and
	// does not ask again.
	t.Run("no shared snapshots", func(t *testing.T) {
		pgtest.Exec(t, dsn, "REVOKE EXECUTE ON FUNCTION pg_export_snapshot() FROM PUBLIC")
		s := open(t, inRole(t, dsn, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE`), Options{})
		v := view(t, s)
		want := apart(t, v, bothArms())
		for range 2 {
			checkArms(t, v, want, "after the vectors: the server shares no snapshot: permission denied")
		}
	})
}

// asRole is an address at which a role logs in by itself.
func asRole(t *testing.T, dsn, role string) string {
	t.Helper()
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.User(role)
	return address.String()
}
