package db

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

// hasVector asks whether the extension is in the search path, and which that is, in
// one round trip and without a prepared statement.
const hasVector = "SELECT pg_catalog.to_regtype('vector') IS NOT NULL, pg_catalog.current_setting('search_path')"

// loadVector makes the session load the library of the extension, so that its
// settings exist and are checked. Before that any name and value would be taken.
const loadVector = "SELECT '[1]'::vector"

// prepare makes a new connection know vectors, if its database does, within the time
// that is there for making it.
func (d *DB) prepare(ctx context.Context, conn *pgx.Conn) error {
	soon, cancel := context.WithTimeout(ctx, d.connectTimeout())
	defer cancel()
	// A server that breaks the protocol can have the driver wait past the end of soon.
	cut := time.AfterFunc(d.connectTimeout()+cancelGrace, func() { _ = conn.PgConn().Conn().SetDeadline(time.Unix(1, 0)) })
	defer cut.Stop()
	defer context.AfterFunc(soon, func() { cut.Reset(cancelGrace) })()
	err := d.register(soon, conn)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case soon.Err() != nil:
		return fmt.Errorf("%w (%v)", errSilent, d.connectTimeout())
	}
	return err
}

func (d *DB) register(ctx context.Context, conn *pgx.Conn) error {
	var has bool
	var path string
	if err := conn.QueryRow(ctx, hasVector, pgx.QueryExecModeSimpleProtocol).Scan(&has, &path); err != nil {
		return err
	}
	if isCatalogBehind(path) {
		return &AddressError{d.address.shown, fmt.Sprintf("the search_path of this connection is %s: with pg_catalog behind another schema, what is in that schema could take the place of PostgreSQL's own operators; leave pg_catalog out of it, in the address or where it is set (ALTER DATABASE, ALTER ROLE)", path)}
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

// isCatalogBehind reports whether a search path names the schema of PostgreSQL's own
// functions and operators after another one. A path that does not name it has it
// first.
func isCatalogBehind(path string) bool {
	at := 0
	for i, schema := range strings.Split(path, ",") {
		// A name with a comma or a quote in it may be taken for more: not for less.
		if strings.EqualFold(strings.Trim(strings.TrimSpace(schema), `"`), "pg_catalog") {
			at = i
		}
	}
	return at > 0
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
