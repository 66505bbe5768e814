package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Connect opens one connection, which is closed at the end of the test.
func Connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = conn.Close(ctx) // the test may have broken it
	})
	return conn
}

// Exec runs statements on a connection of their own: several, separated by
// semicolons, if there are no arguments.
func Exec(t testing.TB, dsn, sql string, args ...any) {
	t.Helper()
	if err := execute(context.Background(), dsn, sql, args...); err != nil {
		t.Fatalf("%.200s: %v", sql, err)
	}
}

// Value returns the single value of a query, asked on a connection of its own.
func Value[T any](t testing.TB, dsn, sql string, args ...any) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var value T
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := conn.QueryRow(ctx, sql, args...).Scan(&value); err != nil {
		t.Fatalf("%.200s: %v", sql, err)
	}
	return value
}

func execute(ctx context.Context, dsn, sql string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, sql, args...)
	return err
}
