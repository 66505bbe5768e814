package db

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// snapshotID is how the server names a snapshot.
var snapshotID = regexp.MustCompile(`^[0-9A-Fa-f-]{1,64}$`)

// Beside prepares a second transaction on a connection of its own that sees exactly
// what tx sees, a transaction of [DB.Read], so that two statements can run at once.
// begin begins it, in another goroutine if need be and while tx goes on, and fails
// with an [AloneError] where there can be none after all; its rollback gives the
// connection back. Where it is clear that there can be none begin is nil, and why
// says so in a few words. An error means that tx is of no use any more.
func (d *DB) Beside(ctx context.Context, tx pgx.Tx) (begin func(context.Context) (pgx.Tx, error), why string, err error) {
	if d.address.pooled {
		// The pooler may have one connection for all, and would wait for it to come free.
		return nil, "a pooler is between this program and the server", nil
	}
	if refused := d.alone.Load(); refused != nil {
		return nil, *refused, nil
	}
	// Every view occupies a connection, and waits here for another one only while
	// one is free: the last that takes one does not, so that not all wait for all.
	switch s := d.search.Stat(); {
	case s.MaxConns() < 2:
		return nil, "there is one connection only", nil
	case s.AcquiredConns() >= s.MaxConns():
		return nil, fmt.Sprintf("all %d connections are in use", s.MaxConns()), nil
	}
	id, err := d.exportSnapshot(ctx, tx)
	if err != nil {
		return nil, "", err
	}
	server := serverOf(tx.Conn())
	return func(ctx context.Context) (pgx.Tx, error) {
		conn, err := d.acquire(ctx)
		if err != nil {
			return nil, AloneError{"no second connection could be had", err}
		}
		if serverOf(conn.Conn()) != server {
			conn.Release()
			return nil, AloneError{"the second connection leads to another server", nil}
		}
		second, err := d.beginOn(ctx, conn, beginRead+"; SET TRANSACTION SNAPSHOT '"+id+"'")
		if err != nil {
			return nil, AloneError{"the second connection cannot see what the first one sees", err}
		}
		return second, nil
	}, "", nil
}

// serverOf is the address that a connection leads to.
func serverOf(conn *pgx.Conn) string { return conn.PgConn().Conn().RemoteAddr().String() }

// AloneError reports that a transaction has none beside it, and why.
type AloneError struct {
	Why   string
	cause error
}

func (e AloneError) Error() string { return e.Why }

func (e AloneError) Unwrap() error { return e.cause }

// exportSnapshot names what tx sees for other transactions. A server that refuses ends tx
// with that; it is not asked again.
func (d *DB) exportSnapshot(ctx context.Context, tx pgx.Tx) (id string, err error) {
	err = tx.QueryRow(ctx, "SELECT pg_export_snapshot()").Scan(&id)
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && !isLost(err) && ctx.Err() == nil:
		why := "the server shares no snapshot: " + strings.TrimSpace(refused.Message)
		d.alone.Store(&why)
		return "", refusedError{err}
	case err == nil && !snapshotID.MatchString(id):
		why := "the server names snapshots in a way that is not known here"
		d.alone.Store(&why)
		return "", refusedError{errors.New(why)}
	}
	return id, err
}

// refusedError reports that a transaction ended because of something that will not
// be tried again: whoever reads begins anew.
type refusedError struct{ cause error }

func (e refusedError) Error() string { return e.cause.Error() }

func (e refusedError) Unwrap() error { return e.cause }
