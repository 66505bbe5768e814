package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// migrationLock names the advisory lock that a migration holds, of the schema
// whose name follows.
const migrationLock = "webrag-tui migration "

// migrationWait bounds how long a migration waits for another one.
const migrationWait = "60s"

// writerWait bounds how long it waits for who writes.
const writerWait = "1s"

// MigrateOptions say what tables a migration makes. The zero value makes those
// that opening with Create makes.
type MigrateOptions struct {
	// VectorType is the type of the column of vectors, "vector" or "halfvec"; empty
	// leaves what there is, which is "vector" at first.
	VectorType string
	// RowSecurity adds policies that show a connection only the rows of the owner
	// for whom the corpus is opened; see [RowSecurity].
	RowSecurity bool
	// Distributed spreads the tables over the servers of a Citus cluster; see
	// [Distribution].
	Distributed bool
	// Progress, which may be nil, is told how far the index of the vectors is that
	// goes with them when their type changes, like that of [Writer.Finish].
	Progress func(done, total int)
	// Filled, which may be nil, is told of how many documents the terms were filled in
	// that an earlier version did not have.
	Filled func(done, total int)
	// Conn are the settings of the connections.
	Conn db.Options
}

// Migrate makes the tables of a corpus in an empty database, or lifts those of
// an earlier version, applies the options, and returns what it did, as far as it
// came. Doing it again changes nothing, and an interrupted migration is taken up
// where it stopped. Two at once wait for each other.
//
// Vectors that change their type are written anew, and then their index is built:
// until it is, searches compare all vectors.
//
// It fails with a store.ErrNotCorpus where another program has tables of these
// names, and with a store.ErrNewerSchema.
func Migrate(ctx context.Context, dsn string, opts MigrateOptions) (done Migration, err error) {
	d, err := db.Open(ctx, dsn, opts.Conn)
	if err != nil {
		return done, err
	}
	defer d.Close()
	lost, err := migrateTo(ctx, d, opts, &done)
	if err == nil && lost {
		done.Indexed, err = indexAgain(ctx, d, opts)
	}
	return done, d.FailWrite(ctx, "migrate", err)
}

// Plan returns the statements that Migrate would run, in order, and runs none.
func Plan(ctx context.Context, dsn string, opts MigrateOptions) (statements []string, err error) {
	d, err := db.Open(ctx, dsn, opts.Conn)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	err = withConnection(ctx, d, func(conn *pgx.Conn) error {
		found, err := inspect(ctx, conn)
		if err != nil {
			return err
		}
		if found.vector == "" {
			statements = append(statements, createExtension)
		}
		for version := found.version; version < len(steps()); version++ {
			if found.version > 0 && fill(version) != nil {
				statements = append(statements, "-- here webrag-tui migrate fills in what it makes itself; by hand the next statement fails")
			}
			for text := range strings.SplitSeq(withoutComments(steps()[version]), ";\n") {
				if text = strings.TrimSpace(text); text != "" {
					statements = append(statements, text)
				}
			}
			statements = append(statements, setVersion(version+1))
		}
		further, err := opts.statements(found)
		statements = append(statements, further...)
		return err
	})
	return statements, d.Fail(ctx, "plan the migration of", err)
}

// migrate makes the tables of an empty database, or lifts those of an earlier
// version, under an advisory lock on a connection of its own. It refuses a
// database of another program.
func migrate(ctx context.Context, d *db.DB) error {
	_, err := migrateTo(ctx, d, MigrateOptions{}, new(Migration))
	return d.FailWrite(ctx, "migrate", err)
}

// migrateTo records in done what it did, and reports whether the type of vectors
// was asked for and their index is not there.
func migrateTo(ctx context.Context, d *db.DB, opts MigrateOptions, done *Migration) (lost bool, err error) {
	err = withConnection(ctx, d, func(conn *pgx.Conn) error {
		found, err := inspect(ctx, conn)
		if err != nil {
			return err
		}
		done.From, done.To = found.version, found.version
		lost = opts.VectorType != "" && found.dims > 0 && !found.indexed
		if found.vector != "" && found.version == len(steps()) {
			further, err := opts.statements(found)
			if err != nil || len(further) == 0 {
				// Whoever may only read and write rows gets by without the lock.
				return err
			}
		}
		if err := lift(ctx, conn, opts, done); err != nil {
			return err
		}
		lost = lost || done.Rewritten
		return d.Register(ctx, conn)
	})
	return lost, err
}

// withConnection runs do on a connection of its own: those of the pool only read,
// and know the types of an extension that may not be there yet.
func withConnection(ctx context.Context, d *db.DB, do func(conn *pgx.Conn) error) error {
	conn, err := d.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return do(conn)
}

// database is what a migration finds.
type database struct {
	name, schema, role string
	// version is that of the schema, 0 for none.
	version int
	// vectorType is what corpus_meta says, distributed whether its tables are.
	vectorType string
	// dims is the dimension of the column of vectors, 0 for none; indexed says that
	// our index is on it, and inTheWay names others that must go before its type can
	// change.
	dims     int
	indexed  bool
	inTheWay []string
	secured  bool
	// vector and citus are the versions of the extensions, empty for none.
	// available says whether the server could install vector.
	vector, citus string
	available     bool
	distributed   bool
}

// inspect looks at the database and refuses one of another program.
func inspect(ctx context.Context, conn reader) (database, error) {
	var found database
	var ours bool
	var others []string
	err := conn.QueryRow(ctx, `
		SELECT current_database(), coalesce(current_schema(), ''), current_user,
			coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
			coalesce((SELECT extversion FROM pg_extension WHERE extname = 'citus'), ''),
			EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector'),
			EXISTS (SELECT 1 FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
				WHERE t.relname = 'corpus_meta' AND t.relnamespace = s.oid AND a.attname = 'schema_version' AND NOT a.attisdropped),
			ARRAY(SELECT t.relname::text FROM pg_class t WHERE t.relnamespace = s.oid AND t.relname = ANY ($1) ORDER BY 1),
			EXISTS (SELECT 1 FROM pg_class t WHERE t.relname = 'documents' AND t.relnamespace = s.oid AND t.relrowsecurity)
		FROM (SELECT current_schema() AS name) n LEFT JOIN pg_namespace s ON s.nspname = n.name`,
		ownTables()).
		Scan(&found.name, &found.schema, &found.role, &found.vector, &found.citus, &found.available, &ours, &others, &found.secured)
	if err != nil {
		return found, err
	}
	switch {
	case found.schema == "":
		return found, fmt.Errorf("no schema of the search path exists in database %s; create one, or name one with search_path in the address", found.name)
	case !ours && len(others) > 0:
		return found, fmt.Errorf("%w: schema %s of database %s has tables of another program (%s); nothing was changed: open it without migrating, to look at it, or choose another database",
			store.ErrNotCorpus, found.schema, found.name, strings.Join(others, ", "))
	case !ours:
		return found, nil
	}
	meta := pgx.Identifier{found.schema, "corpus_meta"}.Sanitize()
	err = conn.QueryRow(ctx, `SELECT schema_version, vector_type,
			coalesce((SELECT atttypmod FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'embedding' AND NOT attisdropped), 0),
			to_regclass($2) IS NOT NULL
		FROM `+meta+` WHERE id = 1`, pgx.Identifier{found.schema, "chunks"}.Sanitize(), pgx.Identifier{found.schema, vectorsIndex}.Sanitize()).
		Scan(&found.version, &found.vectorType, &found.dims, &found.indexed)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, fmt.Errorf("%w: table corpus_meta of schema %s is empty; restore it, or choose another database", store.ErrNotCorpus, found.schema)
	}
	if err != nil {
		return found, err
	}
	if newest := len(steps()); found.version > newest {
		return found, fmt.Errorf("%w: its schema has version %d, this program knows %d; update the program", store.ErrNewerSchema, found.version, newest)
	}
	if found.inTheWay, err = inTheWay(ctx, conn, found.schema); err != nil {
		return found, err
	}
	if found.citus != "" {
		err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = $1::text::regclass)`,
			pgx.Identifier{found.schema, "documents"}.Sanitize()).Scan(&found.distributed)
	}
	return found, err
}

const createExtension = `CREATE EXTENSION IF NOT EXISTS vector`

// lift brings the schema to the newest version, one step in a transaction. Each
// step looks anew at what there is once it has the lock: somebody may have done it
// while it waited. The lock is of the transaction, so that this works through a
// pooler, too.
func lift(ctx context.Context, conn *pgx.Conn, opts MigrateOptions, done *Migration) error {
	progress := filling{report: opts.Filled}
	for last := false; !last; {
		var found database
		lifted := false
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) (err error) {
			found, err = inspectLocked(ctx, tx)
			if err != nil {
				return err
			}
			if found.vector == "" {
				if err := addExtension(ctx, tx, found); err != nil {
					return err
				}
			}
			if last = found.version == len(steps()); last {
				return opts.apply(ctx, tx, found)
			}
			lifted, err = liftOne(ctx, tx, found, &progress)
			return err
		})
		if err != nil {
			return err
		}
		if last {
			done.note(opts, found)
		} else if lifted {
			done.To = found.version + 1
		}
	}
	return nil
}

// inspectLocked waits until no one else migrates the schema, and looks at it.
func inspectLocked(ctx context.Context, tx pgx.Tx) (database, error) {
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '`+migrationWait+`'`); err != nil {
		return database{}, err
	}
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1 || coalesce(current_schema(), ''), 0))`, migrationLock)
	if hasCode(err, codeLockTimeout) {
		return database{}, fmt.Errorf("%w: another program has been migrating it for more than %s; wait until it is done", store.ErrLocked, migrationWait)
	}
	if err != nil {
		return database{}, err
	}
	return inspect(ctx, tx)
}

// liftOne lifts the schema by one version, or fills in a part of what that needs.
func liftOne(ctx context.Context, tx pgx.Tx, found database, progress *filling) (lifted bool, err error) {
	if found.version > 0 {
		if err := keepWritersOut(ctx, tx, found); err != nil {
			return false, err
		}
	}
	if fill := fill(found.version); fill != nil {
		if more, err := fill(ctx, tx, found, progress); err != nil || more {
			return false, cannotLift(found, err)
		}
	}
	_, err = tx.Exec(ctx, steps()[found.version])
	if err == nil {
		_, err = tx.Exec(ctx, setVersion(found.version+1))
	}
	return err == nil, cannotLift(found, err)
}

// cannotLift says what keeps the schema as it is.
func cannotLift(found database, err error) error {
	switch {
	case err == nil:
		return nil
	case hasCode(err, codePrivilege) && found.version == 0:
		return fmt.Errorf("role %s may not make tables in schema %s of database %s (%s); have an administrator run GRANT CREATE, USAGE ON SCHEMA %s TO the role, or migrate as another role",
			found.role, found.schema, found.name, serverMessage(err), found.schema)
	case hasCode(err, codePrivilege):
		return fmt.Errorf("%w: it was made by an older version (schema version %d, now %d), and role %s may not change its tables (%s); have their owner bring it up to date: webrag-tui migrate",
			store.ErrReadOnly, found.version, len(steps()), found.role, serverMessage(err))
	}
	return fmt.Errorf("to version %d: %w", found.version+1, err)
}

// apply runs what the options ask for.
func (o MigrateOptions) apply(ctx context.Context, tx pgx.Tx, found database) error {
	further, err := o.statements(found)
	if err != nil || len(further) == 0 {
		return err
	}
	if err := keepWritersOut(ctx, tx, found); err != nil {
		return err
	}
	for _, statement := range further {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// keepWritersOut takes the writer's lock for the transaction. It waits for a
// moment before it gives up: the server releases the locks of a transaction one by
// one, so that who waited for another migration may find its other lock still held.
func keepWritersOut(ctx context.Context, tx pgx.Tx, found database) error {
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '`+writerWait+`'`); err != nil {
		return err
	}
	name := writerLock + pgx.Identifier{found.schema}.Sanitize()
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, name)
	if hasCode(err, codeLockTimeout) {
		return fmt.Errorf("%w, which would not notice that its tables change; migrate again when it is done", store.ErrLocked)
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `SET LOCAL lock_timeout = '`+migrationWait+`'`)
	return err
}

func setVersion(version int) string {
	return fmt.Sprintf(`UPDATE corpus_meta SET schema_version = %d WHERE id = 1`, version)
}

func addExtension(ctx context.Context, tx pgx.Tx, found database) error {
	if !found.available {
		return errors.New("the server does not have the extension pgvector; install it there (Debian, Ubuntu: postgresql-NN-pgvector; containers: the image pgvector/pgvector), then migrate again")
	}
	_, err := tx.Exec(ctx, createExtension)
	if hasCode(err, codePrivilege) {
		return fmt.Errorf("role %s may not add the extension pgvector; have an administrator run %s in database %s, then migrate again (%s)",
			found.role, createExtension, found.name, serverMessage(err))
	}
	return err
}

// statements are what the options ask for beyond the schema and what was found.
func (o MigrateOptions) statements(found database) (statements []string, err error) {
	switch o.VectorType {
	case "", found.vectorType:
	case kindVector, kindHalf:
		if found.vectorType != "" || o.VectorType != kindVector {
			statements = append(statements, `UPDATE corpus_meta SET vector_type = '`+o.VectorType+`' WHERE id = 1`)
		}
		if found.dims > 0 {
			of, err := embeddingType(o.VectorType, found.dims)
			if err != nil {
				return nil, err
			}
			if len(found.inTheWay) > 0 {
				return nil, cannotChange(found)
			}
			// The next writer that ends builds the index again.
			statements = append(statements, `DROP INDEX IF EXISTS `+catalog.Quote(found.schema, vectorsIndex),
				`ALTER TABLE `+catalog.Quote(found.schema, "chunks")+` ALTER COLUMN embedding TYPE `+of+` USING embedding::`+of)
		}
	default:
		return nil, fmt.Errorf("%q is no type of vectors; there are %s and %s", o.VectorType, kindVector, kindHalf)
	}
	if o.RowSecurity && o.Distributed {
		return nil, errors.New("row security does not go with distributed tables: the owner that is set for a transaction does not reach the other servers")
	}
	if o.RowSecurity && !found.secured {
		statements = append(statements, RowSecurity()...)
	}
	if o.Distributed && !found.distributed {
		if found.citus == "" {
			return nil, fmt.Errorf("database %s does not have the extension citus, which spreads tables over servers; have an administrator add it, or migrate without", found.name)
		}
		statements = append(statements, Distribution()...)
	}
	return statements, nil
}

// The server's codes that writing tells apart.
const (
	codeLockTimeout = "55P03"
	codePrivilege   = "42501"
	codeUnique      = "23505"
	codeMemory      = "53200"
	codeDisk        = "53100"
)

// hasCode reports whether err is a server's error with this code.
func hasCode(err error, code string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == code
}

// serverMessage is what the server said. Where this program has a sentence of its
// own, the error itself must not be found, as it would be explained in its place.
func serverMessage(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// withoutComments drops what follows "--" in each line.
func withoutComments(sql string) string {
	lines := strings.Split(sql, "\n")
	for i, line := range lines {
		if code, _, found := strings.Cut(line, "--"); found {
			lines[i] = strings.TrimRight(code, " \t")
		}
	}
	return strings.Join(lines, "\n")
}
