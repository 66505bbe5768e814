package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// waiting calls its function for each statement, and what that returns at its end.
type waiting func(ctx context.Context) (done func())

type waitingKey struct{}

func (w waiting) start(ctx context.Context) context.Context {
	return context.WithValue(ctx, waitingKey{}, w(ctx))
}

func (waiting) end(ctx context.Context) {
	if done, ok := ctx.Value(waitingKey{}).(func()); ok {
		done()
	}
}

// TraceQueryStart is called by the driver, as are those below.
func (w waiting) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return w.start(ctx)
}

// TraceQueryEnd is called when the rows were read.
func (w waiting) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) { w.end(ctx) }

// TraceBatchStart is called for statements that are sent together.
func (w waiting) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return w.start(ctx)
}

// TraceBatchQuery is called for each of them.
func (waiting) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called when the rows of all were read.
func (w waiting) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) { w.end(ctx) }
