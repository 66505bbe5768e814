package db

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// lostCodes are the server's codes after which the same read may succeed in a new
// transaction: it was shut down or is not up yet, it ended this session because
// of its age, or another transaction was in the way. A standby answers with a
// serialisation failure when what it replays is in the way.
func lostCodes() []string {
	return []string{
		"57P01", "57P02", "57P03", // the server shuts down, crashed, starts
		"25P03", "57P05", // the session was idle for too long
		"40001", "40P01", // serialisation failure, deadlock
	}
}

// IsLost reports whether err means that the transaction is gone though nothing
// was wrong with what was asked: a reader may begin again, once. That is a lost
// connection, a server that shuts down or recovers, a serialisation failure, a
// deadlock, or a prepared statement whose tables have changed.
//
// An end of the context is not a loss, nor is a server that could not be reached
// when a new connection was made: [DB.Read] has tried that already. What writes
// is never done again, whatever this says.
func (d *DB) IsLost(err error) bool { return isLost(err) }

func isLost(err error) bool {
	var refused *pgconn.ConnectError
	var ended refusedError
	switch {
	case errors.As(err, &ended):
		return true
	case err == nil, errors.As(err, &refused),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, errSilent), pgconn.SafeToRetry(err):
		return true
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return slices.Contains(lostCodes(), e.Code) || strings.HasPrefix(e.Code, "08") ||
			// "cached plan must not change result type": the driver has forgotten the
			// statement by now.
			e.Code == "0A000" && e.Routine == "RevalidateCachedQuery"
	}
	return isBrokenPipe(err)
}

// isBrokenPipe reports whether the connection itself failed.
func isBrokenPipe(err error) bool {
	var network net.Error
	for _, broken := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, pgconn.ErrConnClosed,
		syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ETIMEDOUT,
	} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return errors.As(err, &network)
}

// IsBroken reports whether a transaction cannot go on after err: a statement of it
// failed, or its connection did.
func (d *DB) IsBroken(tx pgx.Tx, err error) bool {
	const inTransaction = 'T'
	conn := tx.Conn()
	return errors.Is(err, pgx.ErrTxClosed) || conn.IsClosed() || conn.PgConn().IsBusy() ||
		conn.PgConn().TxStatus() != inTransaction
}
