package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// cancelGrace is how long a cancelled statement may take to end on the server
// before its connection is given up, at most: where connections must be made
// faster it is less.
const cancelGrace = 2 * time.Second

// canceller is what happens on a connection whose context ends: the server is
// asked to cancel the statement, and the connection is kept.
//
// A server that has closed the connection of the request has sent its signal: no
// later statement can be hit by it, since a signal that comes while the server
// waits for a statement does nothing. So all that is needed before the connection
// is used again is to have seen that end.
type canceller struct {
	conn  *pgconn.PgConn
	grace time.Duration
	done  chan struct{} // closed when the request has ended
	sent  bool          // the server has dealt with the request
}

// HandleCancel is called by the driver when the context ends.
func (c *canceller) HandleCancel(context.Context) {
	until := time.Now().Add(c.grace)
	_ = c.conn.Conn().SetDeadline(until) // it fails on a closed connection only
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		ctx, cancel := context.WithDeadline(context.Background(), until)
		defer cancel()
		err := c.conn.CancelRequest(ctx)
		c.sent = err == nil && ctx.Err() == nil
	}()
}

// HandleUnwatchAfterCancel is called when the statement has ended after that.
func (c *canceller) HandleUnwatchAfterCancel() {
	<-c.done
	var deadline time.Time
	if !c.sent {
		// The request may still arrive and hit another statement: whoever uses the
		// connection next must fail, and so close it.
		deadline = time.Unix(1, 0)
	}
	_ = c.conn.Conn().SetDeadline(deadline)
}
