package db

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// Options are the settings of the connections. The zero value has the defaults.
// Where the address sets the same thing (pool_max_conns, connect_timeout,
// statement_timeout, lock_timeout, idle_in_transaction_session_timeout,
// application_name), the address wins.
type Options struct {
	// SearchConns is the most connections for reading, 0 for 4. A view occupies
	// one as long as it is open, and a search of both arms another if one is free.
	SearchConns int
	// ConnectTimeout bounds the making of a connection to one host, and the wait
	// for the first answer of one that was idle; 0 for 5 s.
	ConnectTimeout time.Duration
	// StatementTimeout bounds a statement that reads, on the server, and the wait
	// for a free connection; 0 for 30 s. The contexts of callers bound it too, and
	// sooner: this one frees a server whose client is gone.
	StatementTimeout time.Duration
	// LockTimeout bounds the wait for a lock while writing, 0 for 10 s.
	LockTimeout time.Duration
	// IdleTimeout ends a transaction that writes and is left alone for so long, so
	// that its locks do not outlive a program that hangs; 0 for 5 min.
	IdleTimeout time.Duration
	// Tracer is told of all statements, nil of none.
	Tracer pgx.QueryTracer
	// Waiting is called before each statement that reads, and what it returns when its
	// rows were read; nil for nobody to be told. A Tracer takes its place.
	Waiting func(ctx context.Context) (done func())
	// Isolated is for an address that somebody else may have written: it gets no
	// password and no client certificate but those that stand in it.
	Isolated bool
	Log      *slog.Logger // nil logs nothing
}

func (o Options) withDefaults() Options {
	or := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	or(&o.ConnectTimeout, 5*time.Second)
	or(&o.StatementTimeout, 30*time.Second)
	or(&o.LockTimeout, 10*time.Second)
	or(&o.IdleTimeout, 5*time.Minute)
	if o.SearchConns <= 0 {
		o.SearchConns = 4
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
