package postgres

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestACorpusOnAStandby(t *testing.T) {
	if testing.Short() {
		t.Skip("making a standby takes the time, and one goroutine asks it: the full run has this test")
	}
	primary := pgtest.Private(t)
	dsn := primary.Database(t)
	pgtest.Exec(t, dsn, ownSchema()+vectors3+cosine)
	standby := primary.Standby(t)
	standby.CatchUp(t, primary)
	there := standby.With(t, pgtest.Value[string](t, dsn, "SELECT current_database()"))

	s := open(t, there, Options{})
	if !s.Info().ReadOnly || !s.layout.Load().server.standby || s.layout.Load().vector.index.name == "" {
		t.Errorf("alone: %+v, %+v", s.Info(), s.layout.Load())
	}
	if _, err := s.Write(context.Background()); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "address of the primary") {
		t.Errorf("Write gives %v", err)
	}
	// A standby shares what it sees with a second connection, too.
	first := view(t, s)
	if found := mustSearch(t, first, store.Search{Vector: []float32{1, 0, 0}, VectorRows: 1, Terms: []string{"word"}, KeywordRows: 1}); !strings.HasPrefix(found.KeywordRun, "beside") {
		t.Errorf("both arms are searched %s", found.KeywordRun)
	}
	// Replaying the next change would wait for it, up to max_standby_streaming_delay.
	_ = first.Close()
	// A new index reaches the standby, and the corpus stays what it was.
	pgtest.Exec(t, dsn, "DROP INDEX chunks_embedding_hnsw_idx")
	standby.CatchUp(t, primary)
	_ = view(t, s).Close()
	if l := s.layout.Load(); l.vector.index.name != "" || !s.Info().ReadOnly {
		t.Errorf("after a change: %+v, %+v", s.Info(), l)
	}

	both := open(t, severalHosts(t, there, dsn), Options{})
	if info := both.Info(); info.ReadOnly || !both.layout.Load().server.standby {
		t.Errorf("with the primary: %+v, %+v", info, both.layout.Load())
	}
}

// severalHosts joins DSNs of one database to one that prefers a standby.
func severalHosts(t *testing.T, dsns ...string) string {
	t.Helper()
	var hosts []string
	var u *url.URL
	for _, dsn := range dsns {
		var err error
		if u, err = url.Parse(dsn); err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, u.Host)
	}
	u.Host = strings.Join(hosts, ",")
	return withParameter(t, u.String(), "target_session_attrs", "prefer-standby")
}
