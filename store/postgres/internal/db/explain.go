package db

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/webrag/webrag-tui/store"
)

// explain says what an error of the driver or of the server means. ok is false
// for errors of this program.
func (d *DB) explain(err error, writes bool) (why reason, ok bool) {
	var e *pgconn.PgError
	var refused *pgconn.ConnectError
	var long *pgproto3.ExceededMaxBodyLenErr
	switch {
	case errors.Is(err, errBusy):
		return because(store.ErrUnavailable,
			"all %d connections of this program are in use, and none came free within %v; let a query end and ask again",
			d.search.Config().MaxConns, d.opts.StatementTimeout), true
	case errors.Is(err, errSilent):
		return unreached("the server does not answer any more; check the network and ask again"), true
	case errors.As(err, &e):
		return d.explainCode(e, writes, errors.As(err, &refused)), true
	case errors.As(err, &refused):
		return d.explainRefusal(refused), true
	case errors.As(err, &long):
		return because(store.ErrForeign, "a row of it has %d MB; there are at most %d: %s", long.ActualBodyLen>>20, long.MaxExpectedBodyLen>>20, store.ErrForeign), true
	case errors.Is(err, pgx.ErrTxClosed), isLost(err):
		return unreached("the connection to the server was lost; ask again"), true
	}
	return reason{}, false
}

// saying appends the server's own words to a reason.
func saying(r reason, e *pgconn.PgError) reason {
	r.sentence = fmt.Sprintf("%s (the server says: %s, %s)", r.sentence, plain(e.Message), plain(e.Code))
	return r
}
