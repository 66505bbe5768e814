package db

import (
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/webrag/webrag-tui/store"
)

// A connection for reading is replaced after lifetime and up to a tenth more, so
// that after a failover the servers share the load again and not all are replaced
// at once.
const (
	lifetime    = 30 * time.Minute
	jitter      = lifetime / 10
	healthCheck = 30 * time.Second
)

// readOnly makes transactions read-only that do not say what they are. Where the
// address says which kind of server it wants it is set after that was checked: a
// primary would be taken for a standby.
const readOnly = "default_transaction_read_only"

// setting is a parameter of the server.
type setting struct{ name, value string }

// longestMessage bounds what is read at once, in bytes: a row, or what is none. What
// answers need not be PostgreSQL: the first letters of another protocol would be a
// length.
const longestMessage = store.MostRow

// searchSettings are those of a connection for reading. Plans are made for the
// vector at hand: a generic plan of a prepared statement cannot weigh the index
// against the scope. Reading a page at random costs nearly what reading it in
// order does, as it is on today's disks and in memory.
func (d *DB) searchSettings() []setting {
	return []setting{
		{"statement_timeout", milliseconds(d.opts.StatementTimeout)},
		{"plan_cache_mode", "force_custom_plan"},
		{"random_page_cost", "1.1"},
	}
}

// writeSettings are those of a connection for writing. A statement may take as
// long as it takes: an index over many vectors is built in one.
func (d *DB) writeSettings() []setting {
	return []setting{
		{"lock_timeout", milliseconds(d.opts.LockTimeout)},
		{"idle_in_transaction_session_timeout", milliseconds(d.opts.IdleTimeout)},
	}
}

// settings is the text that makes settings for a transaction. Names and values
// are words and numbers of this program.
func settings(list []setting) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString("; SET LOCAL " + s.name + " = '" + s.value + "'")
	}
	return b.String()
}

// searchConfig is how the pool for reading connects.
func (d *DB) searchConfig() *pgxpool.Config {
	config := d.address.config.Copy()
	if !d.address.poolSize {
		config.MaxConns = int32(min(d.opts.SearchConns, 1000)) //nolint:gosec // bounded
	}
	config.MaxConnLifetime, config.MaxConnLifetimeJitter = lifetime, jitter
	config.HealthCheckPeriod = healthCheck
	// The BEGIN of a read asks whether the connection is alive.
	config.ShouldPing = never
	config.AfterConnect = d.prepareSearch

	conn := config.ConnConfig
	d.common(conn)
	if conn.Tracer == nil && d.opts.Waiting != nil {
		conn.Tracer = waiting(d.opts.Waiting)
	}
	if !d.address.pooled {
		for _, s := range d.searchSettings() {
			setDefault(conn, s)
		}
		if !d.address.attributes {
			conn.RuntimeParams[readOnly] = "on"
		}
	}
	try(&conn.Config, d.address.shuffle())
	if len(d.address.hosts) > 1 && !d.address.attributes {
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPreferStandby
	}
	return config
}

// writeConfig is how a connection for writing connects.
func (d *DB) writeConfig() *pgx.ConnConfig {
	conn := d.address.config.ConnConfig.Copy()
	d.common(conn)
	if !d.address.pooled {
		for _, s := range d.writeSettings() {
			setDefault(conn, s)
		}
	}
	if len(d.address.hosts) > 1 {
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	return conn
}

// common is what both roles share.
func (d *DB) common(conn *pgx.ConnConfig) {
	if conn.ConnectTimeout <= 0 {
		conn.ConnectTimeout = d.opts.ConnectTimeout
	}
	conn.MaxProtocolMessageBodyLen = longestMessage
	// Nothing is listened to; a server that notifies all the same would fill memory.
	conn.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) {}
	conn.DialFunc = dial(conn.ConnectTimeout)
	conn.Tracer = d.opts.Tracer
	grace := min(cancelGrace, conn.ConnectTimeout)
	conn.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler { return &canceller{conn: conn, grace: grace} }
	setDefault(conn, setting{"application_name", "webrag-tui"})
	if d.address.pooled && !d.address.mode {
		// Statements without a name: the next transaction may be on another
		// connection of the server.
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
}

// setDefault makes a setting unless the address makes it, by its name or among
// the options.
func setDefault(conn *pgx.ConnConfig, s setting) {
	if _, given := conn.RuntimeParams[s.name]; given {
		return
	}
	words := strings.FieldsFunc(conn.RuntimeParams["options"], func(r rune) bool { return r == ' ' || r == '=' })
	if !slices.Contains(words, s.name) && !slices.Contains(words, "-c"+s.name) {
		conn.RuntimeParams[s.name] = s.value
	}
}
