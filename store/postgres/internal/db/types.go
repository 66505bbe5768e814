package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

// hasVector asks whether the extension is in the search path, in one round trip
// and without a prepared statement.
const hasVector = "SELECT to_regtype('vector') IS NOT NULL"

// loadVector makes the session load the library of the extension, so that its
// settings exist and are checked. Before that any name and value would be taken.
const loadVector = "SELECT '[1]'::vector"

// prepare makes a new connection know vectors, if its database does.
func (d *DB) prepare(ctx context.Context, conn *pgx.Conn) error {
	var has bool
	if err := conn.QueryRow(ctx, hasVector, pgx.QueryExecModeSimpleProtocol).Scan(&has); err != nil {
		return err
	}
	d.vectors.Store(has)
	if !has {
		return nil
	}
	if err := pgxvector.RegisterTypes(ctx, conn); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, loadVector)
	return err
}

// prepareSearch is prepare for a connection for reading.
func (d *DB) prepareSearch(ctx context.Context, conn *pgx.Conn) error {
	if d.address.attributes && !d.address.pooled {
		if _, err := conn.Exec(ctx, "SET "+readOnly+" = on"); err != nil {
			return err
		}
	}
	return d.prepare(ctx, conn)
}

// Register makes a connection of [DB.Connect] know vectors after the extension
// was created on it, and the connections for reading too. Without the extension
// it does nothing.
func (d *DB) Register(ctx context.Context, conn *pgx.Conn) error {
	if err := d.prepare(ctx, conn); err != nil {
		return err
	}
	d.search.Reset()
	return nil
}
