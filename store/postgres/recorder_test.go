package postgres_test

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// trip is what one round trip to the server carries.
type trip []sent

// sent is a statement with its parameters.
type sent struct {
	sql  string
	args []any
}

// recorder keeps the round trips of a store.
type recorder struct {
	mu    sync.Mutex
	trips []trip
}

var (
	_ pgx.QueryTracer = (*recorder)(nil)
	_ pgx.BatchTracer = (*recorder)(nil)
)

func (r *recorder) add(t trip) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips = append(r.trips, t)
}

// take returns what was sent since it was last called.
func (r *recorder) take() []trip {
	r.mu.Lock()
	defer r.mu.Unlock()
	trips := r.trips
	r.trips = nil
	return trips
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	r.add(trip{{d.SQL, d.Args}})
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	var t trip
	for _, q := range d.Batch.QueuedQueries {
		t = append(t, sent{q.SQL, q.Arguments})
	}
	r.add(t)
	return ctx
}

func (r *recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// statements is how many the trips carry.
func statements(trips []trip) (n int) {
	for _, t := range trips {
		n += len(t)
	}
	return n
}

// replay sends the same again and reads all that comes back, as pgx gives it: what
// anybody would do who wrote these statements by hand.
func replay(ctx context.Context, conn *pgx.Conn, trips []trip) (rows int, err error) {
	for _, t := range trips {
		var read int
		if len(t) == 1 {
			read, err = replayOne(ctx, conn, t[0])
		} else {
			read, err = replayBatch(ctx, conn, t)
		}
		if err != nil {
			return rows, err
		}
		rows += read
	}
	return rows, nil
}

func replayOne(ctx context.Context, conn *pgx.Conn, s sent) (int, error) {
	if len(s.args) == 0 {
		// As the store does it, for lists of settings the simple way.
		answers, err := conn.PgConn().Exec(ctx, s.sql).ReadAll()
		n := 0
		for _, a := range answers {
			n += len(a.Rows)
		}
		return n, err
	}
	rows, err := conn.Query(ctx, s.sql, s.args...)
	if err != nil {
		return 0, err
	}
	return count(rows)
}

func replayBatch(ctx context.Context, conn *pgx.Conn, t trip) (n int, err error) {
	var batch pgx.Batch
	for _, s := range t {
		batch.Queue(s.sql, s.args...).Query(func(rows pgx.Rows) error {
			read, err := count(rows)
			n += read
			return err
		})
	}
	return n, conn.SendBatch(ctx, &batch).Close()
}

func count(rows pgx.Rows) (n int, err error) {
	defer rows.Close()
	for rows.Next() {
		if _, err := rows.Values(); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}
