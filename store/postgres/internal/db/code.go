package db

import (
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store"
)

// explainCode says what an error of the server means, after its code: the
// server's text may be in any language.
func (d *DB) explainCode(e *pgconn.PgError, writes, connecting bool) reason {
	if connecting {
		if r, ok := d.explainLogin(e); ok {
			return saying(r, e)
		}
	}
	for _, of := range []func(*pgconn.PgError, bool) (reason, bool){
		d.explainPermission, d.explainLimit, d.explainEnd, d.explainSchema,
	} {
		if r, ok := of(e, writes); ok {
			return saying(r, e)
		}
	}
	return because(nil, "the server refused it: %s (%s)", plain(e.Message), plain(e.Code))
}

// explainLogin covers what happens while a connection is made.
func (d *DB) explainLogin(e *pgconn.PgError) (reason, bool) {
	conn := d.address.config.ConnConfig
	switch e.Code {
	case "28P01":
		if conn.Password == "" {
			return because(nil, "user %q needs a password and none was given; put it into ~/.pgpass or PGPASSWORD", plain(conn.User)), true
		}
		return because(nil, "the password of user %q was not accepted; correct it in the address, in ~/.pgpass or in PGPASSWORD", plain(conn.User)), true
	case "28000":
		if strings.Contains(e.Message, "does not exist") {
			return because(nil, "there is no role %q on this server; correct the user's name, or have an administrator create it: CREATE ROLE %s LOGIN",
				plain(conn.User), identifier(conn.User)), true
		}
		return because(nil, "user %q is not let in; check the user's name, sslmode, and the server's pg_hba.conf for this machine", plain(conn.User)), true
	case "3D000":
		if conn.Database == "" {
			return because(nil, "the address names no database, and there is none with the user's name %q; add /name to the address", plain(conn.User)), true
		}
		return because(nil, "there is no database %q on this server; correct the name, or create it: CREATE DATABASE %s", plain(conn.Database), identifier(conn.Database)), true
	case "42501":
		return because(nil, "user %q may not connect to it; have its owner run: GRANT CONNECT ON DATABASE %s TO %s",
			plain(conn.User), identifier(d.Name()), identifier(conn.User)), true
	case "42704", "22023":
		return because(nil, "the server does not know a parameter of the address or does not take its value; correct what stands after the ?"), true
	case "08P01":
		return because(nil, "the server or a pooler in between refuses a parameter; leave it out of the address, or add pool_mode=transaction for a pooler"), true
	}
	return reason{}, false
}

// explainPermission covers what may not be done.
func (d *DB) explainPermission(e *pgconn.PgError, writes bool) (reason, bool) {
	user := identifier(d.User())
	switch {
	case e.Code == "25006":
		return because(store.ErrReadOnly, "the server takes no writes: it is a standby, or set to read only; give the address of the primary"), true
	case e.Code == "42501" && isOwners(e):
		// No grant helps, and the role may well write other rows.
		return because(nil, "row security keeps this row from the connection: it lets one read and write only the rows of the owner that the corpus is opened for; "+
			"name that owner with --owner, or connect as a role with BYPASSRLS"), true
	case e.Code == "42501" && writes:
		return because(store.ErrReadOnly,
			"user %s may not write here; have the owner run: GRANT USAGE, CREATE ON SCHEMA public TO %s; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %s",
			user, user, user), true
	case e.Code == "42501":
		return because(nil, "user %s may not read here; have the owner run: GRANT USAGE ON SCHEMA public TO %s; GRANT SELECT ON ALL TABLES IN SCHEMA public TO %s",
			user, user, user), true
	}
	return reason{}, false
}

// isOwners reports whether a policy of row security refused, of which the code says
// nothing: the server's text does, in English, and so does its function that checks
// policies, in any language.
func isOwners(e *pgconn.PgError) bool {
	return strings.Contains(e.Message, "row-level security") || e.Routine == "ExecWithCheckOptions"
}

// explainLimit covers what the server has no more of, and what took too long.
func (d *DB) explainLimit(e *pgconn.PgError, writes bool) (reason, bool) {
	again := store.ErrUnavailable
	switch e.Code {
	case "53300":
		r := unreached("the server has no connection left; close other programs that use it, or raise max_connections or the role's CONNECTION LIMIT")
		return r, true
	case "53100":
		return because(again, "the server's disk is full; make room on it, nothing of what was being written is kept"), true
	case "53200":
		return because(again, "the server has no memory left for this; lower work_mem or maintenance_work_mem, or free memory"), true
	case "57014":
		switch {
		case strings.Contains(e.Message, "user request"):
			return because(again, "the statement was cancelled on the server by somebody else; ask again"), true
		case writes:
			return because(again, "the statement took longer than the server's statement_timeout for this user allows; raise it (ALTER ROLE ... SET statement_timeout)"), true
		}
		return because(again, "the answer took longer than statement_timeout (%s); narrow the query, or raise it in the address (?statement_timeout=60s)",
			d.statementTimeout()), true
	case "55P03":
		return because(store.ErrLocked, "somebody else holds a lock that is needed, and kept it for longer than %v; wait for the other program and try again",
			d.opts.LockTimeout), true
	}
	if strings.HasPrefix(e.Code, "53") {
		return because(again, "the server has no resources left for this; try again later"), true
	}
	return reason{}, false
}

// statementTimeout is the one that reading connections were given.
func (d *DB) statementTimeout() string {
	if given := d.address.config.ConnConfig.RuntimeParams["statement_timeout"]; given != "" {
		return plain(given)
	}
	return d.opts.StatementTimeout.String()
}

// explainEnd covers the end of a connection or of a transaction.
func (d *DB) explainEnd(e *pgconn.PgError, _ bool) (reason, bool) {
	switch e.Code {
	case "57P03":
		return unreached("the server is starting, stopping or recovering; try again in a moment"), true
	case "57P01", "57P02":
		return unreached("the server ended the connection; it is being stopped or restarted, try again in a moment"), true
	case "57P04":
		return because(nil, "the database was dropped"), true
	case "25P03", "57P05", "25P04":
		return unreached("the server ended the session because it took or idled too long; ask again"), true
	case "40001", "40P01":
		return because(store.ErrUnavailable, "another transaction was in the way; ask again"), true
	case "26000", "42P05":
		return because(nil, "a pooler that pools transactions is in between; add pool_mode=transaction to the address"), true
	}
	if strings.HasPrefix(e.Code, "08") {
		return unreached("the connection to the server failed; ask again"), true
	}
	return reason{}, false
}

// explainSchema covers what is not there or does not fit.
func (d *DB) explainSchema(e *pgconn.PgError, _ bool) (reason, bool) {
	vectorly := strings.Contains(e.Message, "vector") || strings.Contains(e.Message, "halfvec")
	switch e.Code {
	case "42704", "42883":
		if vectorly {
			return because(nil, "the extension pgvector is not in this database (or not in its search_path); have an administrator run: CREATE EXTENSION vector"), true
		}
	case "0A000", "58P01":
		if vectorly {
			return because(nil, "the server does not have the extension pgvector; install its package on the server (postgresql-NN-pgvector), then run: CREATE EXTENSION vector"), true
		}
	case "22000":
		if vectorly || strings.Contains(e.Message, "dimensions") {
			return because(nil, "the vectors have different dimensions; use the embedder that the corpus was made with"), true
		}
	case "42P01", "3F000":
		return because(nil, "a table is missing; the database holds no corpus, or it changed while it was open: open it again"), true
	case "42703":
		return because(nil, "a column is missing; the database changed while it was open, or is of another version: open it again"), true
	case "XX001", "XX002":
		return because(nil, "a table or an index is damaged; have an administrator run REINDEX, and look at the server's log and disk"), true
	case "58030":
		return because(store.ErrUnavailable, "the server cannot read or write its disk; look at its log"), true
	}
	return reason{}, false
}

// identifier quotes a name for a statement that the reader may run.
func identifier(name string) string { return pgx.Identifier{plain(name)}.Sanitize() }
