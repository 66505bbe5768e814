// Package prepared keeps the statements of one connection, so that each is compiled once.
package prepared

import (
	"context"
	"database/sql"
)

// Statements are those of a connection by their text. They are used by one goroutine, as
// long as the connection is open, and closed after use.
type Statements struct {
	conn   *sql.Conn
	byText map[string]*sql.Stmt
}

// New returns the statements of a connection, of which none is compiled yet.
func New(conn *sql.Conn) *Statements {
	return &Statements{conn: conn, byText: make(map[string]*sql.Stmt)}
}

// Close ends the statements, and not the connection.
func (s *Statements) Close() {
	for _, stmt := range s.byText {
		_ = stmt.Close()
	}
	clear(s.byText)
}

// Get returns the statement of a query, which is not to be closed.
func (s *Statements) Get(ctx context.Context, query string) (*sql.Stmt, error) {
	stmt, ok := s.byText[query]
	if ok {
		return stmt, nil
	}
	// It outlives the call that it is compiled for.
	stmt, err := s.conn.PrepareContext(context.WithoutCancel(ctx), query)
	if err == nil {
		s.byText[query] = stmt
	}
	return stmt, err
}

// QueryContext is that of the connection.
func (s *Statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.Get(ctx, query) //nolint:sqlclosecheck // Close closes them all
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// ExecContext is that of the connection, for one statement.
func (s *Statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := s.Get(ctx, query) //nolint:sqlclosecheck // Close closes them all
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// Scan reads the first row of a query, as [sql.Row.Scan] does.
func (s *Statements) Scan(ctx context.Context, query string, to []any, args ...any) error {
	stmt, err := s.Get(ctx, query) //nolint:sqlclosecheck // Close closes them all
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(ctx, args...).Scan(to...)
}
