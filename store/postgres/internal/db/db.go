// Package db is the connection to a PostgreSQL server: addresses, pools,
// settings, retries and what its errors mean.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/webrag/webrag-tui/store"
)

// Options are the settings of the connections. The zero value has the defaults.
type Options struct {
	// SearchConns is the most connections for reading, 0 for 4.
	SearchConns int
	// ConnectTimeout bounds the making of a connection, 0 for 5 s.
	// StatementTimeout bounds a statement that reads, on the server, 0 for 30 s.
	ConnectTimeout, StatementTimeout time.Duration
	Log                              *slog.Logger // nil logs nothing
}

// DB is a database. It may be used from several goroutines.
type DB struct {
	search   *pgxpool.Pool
	location string
}

// Open checks the address and connects.
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = "webrag-tui"
	params["plan_cache_mode"] = "force_custom_plan"
	params["random_page_cost"] = "1.1"
	params["default_transaction_read_only"] = "on"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	d := &DB{search: pool, location: config.ConnConfig.Database}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, d.Fail(ctx, "open", err)
	}
	return d, nil
}

// Location is the address without secrets: "postgres://host:5432/name".
func (d *DB) Location() string { return d.location }

// Name is the name of the database.
func (d *DB) Name() string { return d.location }

// Read begins a read-only transaction at repeatable read, on a standby if the
// address names several hosts.
func (d *DB) Read(ctx context.Context) (pgx.Tx, error) {
	return d.search.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
}

// Connect makes a connection of its own for writing or migrating, on the primary,
// with lock and idle timeouts. Whoever asked for it closes it.
func (d *DB) Connect(ctx context.Context) (*pgx.Conn, error) {
	config := d.search.Config().ConnConfig.Copy()
	delete(config.RuntimeParams, "default_transaction_read_only")
	return pgx.ConnectConfig(ctx, config)
}

// IsLost reports whether err means that the transaction is gone though nothing
// was wrong with what was asked: a reader may begin again. That is a lost
// connection, a server that shuts down or recovers, a serialization failure or a
// deadlock.
func (d *DB) IsLost(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "57P01"
}

// IsBroken reports whether a transaction cannot go on after err: it failed, or
// its connection did.
func (d *DB) IsBroken(tx pgx.Tx, err error) bool {
	var e *pgconn.PgError
	return tx.Conn().IsClosed() || errors.As(err, &e)
}

// Fail says what was done to which database, and turns the server's codes into
// the errors that callers tell apart and a sentence on what to do. nil stays nil.
// What is an error of this program already is only said where it happened.
func (d *DB) Fail(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s corpus %s: %w", doing, d.Location(), context.Cause(ctx))
	}
	if errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%s corpus %s: %w", doing, d.Location(), err)
}

// Close closes all connections.
func (d *DB) Close() { d.search.Close() }
