package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a database. It may be used from several goroutines.
type DB struct {
	address *address
	opts    Options
	search  *pgxpool.Pool
	where   string
	state   watch
	// vectors says that the last connection that was made found the extension.
	vectors atomic.Bool
	// alone is why no transaction can be begun beside another, nil as long as
	// nothing is known against it.
	alone atomic.Pointer[string]
}

// Open checks the address and makes the first connection for reading. It fails
// with an [AddressError] when the address is wrong, and with a
// store.ErrUnavailable when the server cannot be reached.
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	a, err := parse(dsn, opts.Isolated)
	if err != nil {
		return nil, err
	}
	d := &DB{address: a, opts: opts.withDefaults(), where: location(a.hosts, a.name())}
	err = d.connectSearch(ctx)
	if isSettingRefused(err) && !a.pooled {
		d.opts.Log.Info("a pooler is between this program and the server: settings are sent with each transaction", "corpus", d.where)
		a.pooled = true
		err = d.connectSearch(ctx)
	}
	if err != nil {
		return nil, d.Fail(ctx, "open", err)
	}
	d.state.reached()
	return d, nil
}

// connectSearch makes the pool and its first connection.
func (d *DB) connectSearch(ctx context.Context) error {
	pool, err := pgxpool.NewWithConfig(ctx, d.searchConfig())
	if err != nil {
		return err
	}
	d.search = pool
	conn, err := pool.Acquire(ctx)
	if err != nil {
		d.Close()
		return err
	}
	conn.Release()
	return nil
}

// isSettingRefused recognises the answer of a pooler to a setting at the start of
// a connection.
func isSettingRefused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "08P01" && strings.Contains(e.Message, "startup parameter")
}

// Location is the address without user and secrets: "postgres://host:5432/name",
// with all hosts in the order of the address.
func (d *DB) Location() string { return d.where }

// Argument is the address as it stands in a command that is printed to be run:
// without a password, and quoted where a shell needs that.
func (d *DB) Argument() string {
	shown := WithoutPassword(d.address.shown)
	if strings.ContainsAny(shown, " &;?*'\"$\\()[]<>|") {
		return "'" + strings.ReplaceAll(shown, "'", `'\''`) + "'"
	}
	return shown
}

// Name is the name of the database.
func (d *DB) Name() string { return d.address.name() }

// User is the role that the address names, or that the system's user name or PGUSER gives.
func (d *DB) User() string { return d.address.config.ConnConfig.User }

// Pooled reports whether a pooler that pools transactions is in between. Then
// nothing outlives a transaction: no advisory lock of a session, no setting, no
// prepared statement.
func (d *DB) Pooled() bool { return d.address.pooled }

// HasVector reports whether the connection that was made last found the extension
// pgvector in the database.
func (d *DB) HasVector() bool { return d.vectors.Load() }

// State is how the connection was when it was last used.
func (d *DB) State() State { return d.state.get() }

// Connect makes a connection of its own for writing or migrating, on the primary,
// with lock and idle timeouts. It knows vectors if the database does; after
// creating the extension call [DB.Register]. Whoever asked for it closes it.
func (d *DB) Connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, d.writeConfig())
	if err != nil {
		return nil, err
	}
	if err := d.prepare(ctx, conn); err != nil {
		return nil, errors.Join(err, closeNow(conn))
	}
	d.state.reached()
	return conn, nil
}

// Begin begins a transaction that writes on a connection of [DB.Connect], with
// its timeouts even behind a pooler, in one round trip.
func (d *DB) Begin(ctx context.Context, conn *pgx.Conn) (pgx.Tx, error) {
	query := "BEGIN"
	if d.address.pooled {
		query += settings(d.writeSettings())
	}
	return conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: query})
}

// closeNow closes a connection whatever has become of the context.
func closeNow(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), cancelGrace)
	defer cancel()
	if err := conn.Close(ctx); err != nil {
		return fmt.Errorf("close the connection: %w", err)
	}
	return nil
}

// Close closes all connections for reading, and waits in bounded time for those
// that are in use or lead into a network that does not answer: the driver would
// wait for what it asked of the server last.
func (d *DB) Close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		d.search.Close()
	}()
	select {
	case <-closed:
	case <-time.After(cancelGrace):
	}
}
