package flat

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// sums keeps what the whole table holds at one version, and the scope that was
// asked for last: each takes a scan to find out, and most queries are asked of the
// scope of the one before.
type sums struct {
	mu      sync.Mutex
	version int64
	scopes  map[string]scopeSums
	last    string
}

// scopeSums are the rows of a scope; vectors is -1 while it is not known how many of
// them can be found.
type scopeSums struct {
	stats   store.Stats
	vectors int
}

// whole is the key of all rows.
const whole = ""

func keyOf(scope store.Scope) (string, error) {
	if scope.IsZero() {
		return whole, nil
	}
	raw, err := json.Marshal(scope)
	return string(raw), err
}

// get returns what is known of a scope at a version.
func (s *sums) get(version int64, key string) (scopeSums, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.scopes[key]
	return known, ok && s.version == version
}

// put keeps what was found out about a scope.
func (s *sums) put(version int64, key string, known scopeSums) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version != version || s.scopes == nil {
		s.version, s.scopes = version, map[string]scopeSums{}
	}
	if key != whole && key != s.last {
		if s.last != whole {
			delete(s.scopes, s.last)
		}
		s.last = key
	}
	s.scopes[key] = known
}

// tokens is the length of a row in tokens, as scanChunk has it.
func tokens() string {
	return "(char_length(c.content) + " + strconv.Itoa(charsPerToken-1) + ") / " + strconv.Itoa(charsPerToken)
}

// Stats sums over the rows in scope. Each is a section and a passage.
func (v *View) Stats(ctx context.Context, scope store.Scope) (stats store.Stats, err error) {
	err = v.do(ctx, "count what is in", func(tx pgx.Tx) error {
		stats, err = v.stats(ctx, tx, scope)
		return err
	})
	return stats, err
}

func (v *View) stats(ctx context.Context, tx pgx.Tx, scope store.Scope) (store.Stats, error) {
	key, err := keyOf(scope)
	if err != nil {
		return store.Stats{}, err
	}
	if known, ok := v.store.sums.get(v.meta.Changed, key); ok {
		return known.stats, nil
	}
	var p params
	var stats store.Stats
	err = tx.QueryRow(ctx, "SELECT count(DISTINCT c.source), count(*), coalesce(sum("+tokens()+"), 0) FROM "+v.from(&p)+
		" WHERE "+all(v.table.scoped(&p, scope)), p...).Scan(&stats.Documents, &stats.Parents, &stats.Tokens)
	if err != nil {
		return store.Stats{}, err
	}
	stats.Children = stats.Parents
	v.store.sums.put(v.meta.Changed, key, scopeSums{stats: stats, vectors: -1})
	return stats, nil
}

// Count counts the rows that Exactly compares.
func (s searched) Count(scope store.Scope) ann.Statement {
	var p params
	from := s.view.from(&p)
	conditions := append(s.view.table.searchable(), s.view.table.scoped(&p, scope)...)
	return ann.Statement{SQL: "SELECT count(*) FROM " + from + " WHERE " + all(conditions), Args: p}
}

// QueueCount adds Count to a batch, unless the number is known.
func (s searched) QueueCount(b *pgx.Batch, scope store.Scope, into *int) error {
	key, err := keyOf(scope)
	if err != nil {
		return err
	}
	sums, version := &s.view.store.sums, s.view.meta.Changed
	known, ok := sums.get(version, key)
	if ok && known.vectors >= 0 {
		*into = known.vectors
		return nil
	}
	q := s.Count(scope)
	b.Queue(q.SQL, q.Args...).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(into); err != nil {
			return err
		}
		if ok {
			known.vectors = *into
			sums.put(version, key, known)
		}
		return nil
	})
	return nil
}

// AtMost counts the rows of a scope as far as most.
func (s searched) AtMost(ctx context.Context, tx pgx.Tx, scope store.Scope, most int) (n int, err error) {
	key, err := keyOf(scope)
	if err != nil {
		return 0, err
	}
	if known, ok := s.view.store.sums.get(s.view.meta.Changed, key); ok {
		return min(known.stats.Parents, most), nil
	}
	var p params
	from := s.view.from(&p)
	err = tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+from+" WHERE "+all(s.view.table.scoped(&p, scope))+
		" LIMIT "+p.add(most)+") s", p...).Scan(&n)
	return n, err
}
