package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	// errSilent reports a connection that does not answer though it is open.
	errSilent = errors.New("the server does not answer")
	// errBusy reports that no connection came free.
	errBusy = errors.New("no connection came free")
)

// Read begins a read-only transaction at repeatable read, on a standby if the
// address names several hosts, in one round trip. Its rollback gives the
// connection back, whatever has become of the context.
//
// A connection that turns out dead, because the server was restarted or the
// network was cut while it was idle, is replaced without a word: once, and
// together with all others that are idle.
func (d *DB) Read(ctx context.Context) (pgx.Tx, error) {
	tx, err := d.beginRead(ctx)
	if err != nil && ctx.Err() == nil && isLost(err) {
		d.search.Reset()
		tx, err = d.beginRead(ctx)
	}
	if err != nil {
		return nil, err
	}
	d.state.reached()
	return tx, nil
}

// beginRead begins a transaction that sees one version and writes nothing.
const beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

func (d *DB) beginRead(ctx context.Context) (pgx.Tx, error) {
	conn, err := d.acquire(ctx)
	if err != nil {
		return nil, err
	}
	query := beginRead
	if d.address.pooled {
		query += settings(d.searchSettings())
		if d.vectors.Load() {
			query += "; " + loadVector
		}
	}
	return d.beginOn(ctx, conn, query)
}

// beginOn begins a transaction on a connection of the pool, which goes back when
// that fails.
func (d *DB) beginOn(ctx context.Context, conn *pgxpool.Conn, query string) (pgx.Tx, error) {
	// A connection that was idle may lead nowhere by now.
	soon, cancel := context.WithTimeout(ctx, d.opts.ConnectTimeout)
	defer cancel()
	tx, err := conn.BeginTx(soon, pgx.TxOptions{BeginQuery: query})
	if err != nil {
		conn.Release()
		if ctx.Err() == nil && soon.Err() != nil {
			return nil, fmt.Errorf("%w (%v)", errSilent, d.opts.ConnectTimeout)
		}
		return nil, err
	}
	return &readTx{Tx: tx, conn: conn}, nil
}

// acquire takes a connection from the pool. Waiting for one is bounded, since
// whoever holds them all may be the one who waits.
func (d *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	patient, cancel := context.WithTimeout(ctx, d.opts.StatementTimeout)
	defer cancel()
	conn, err := d.search.Acquire(patient)
	if err != nil && ctx.Err() == nil && patient.Err() != nil {
		return nil, errBusy
	}
	return conn, err
}

// never says that no connection is pinged before it is used.
func never(context.Context, pgxpool.ShouldPingParams) bool { return false }

// readTx is a transaction that gives its connection back when it ends.
type readTx struct {
	pgx.Tx
	conn *pgxpool.Conn
}

// Rollback ends the transaction also after the context has ended, in bounded
// time.
func (t *readTx) Rollback(ctx context.Context) error {
	defer t.conn.Release()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancel()
	return t.Tx.Rollback(ctx)
}

// Commit ends the transaction like Rollback: there is nothing to keep.
func (t *readTx) Commit(ctx context.Context) error { return t.Rollback(ctx) }
