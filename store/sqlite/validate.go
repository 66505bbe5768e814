package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/store"
)

// A corpus may come from anybody. What is checked here, once a file is opened or a row
// is read, is what the program would otherwise come to grief on: statements that the
// file brings along, sizes that decide how much memory is asked for, and places that
// lie nowhere.
const (
	// mostBytes is the longest value or row that is read or written. A page may have
	// 8 MB; a roster of that many bytes has some six million passages.
	mostBytes = 32 << 20
	// mostText is the longest text of a chunk, and mostTexts what the texts that are
	// read at once may have together.
	mostText, mostTexts = 16 << 20, 128 << 20
	// mostName is the longest text in corpus_meta.
	mostName = 64 << 10
	// mostDimensions is what pgvector's type bears, and twice what any model has.
	mostDimensions = 16_000
	// mostAhead is for how many chunks memory is asked for before any was read,
	// whatever the documents say of their number.
	mostAhead = 1 << 20
)

// errForeign is the error for a file that another program made or changed.
var errForeign = errors.New("another program has changed it; restore a copy, or index the pages into a new file")

// limit bounds the values that a connection takes.
func limit(conn *sql.Conn) error {
	_, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, mostBytes)
	return err
}

// checkSchema refuses statements that no corpus has, before anything is read that
// would run them: a view can go on for ever, and a trigger changes what was not to be
// changed. The full-text tables are those of schema versions before 4.
func checkSchema(ctx context.Context, conn *sql.Conn) error {
	var kind, name string
	err := conn.QueryRowContext(ctx, `
		SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')
			OR type = 'table' AND sql LIKE 'CREATE VIRTUAL%' AND name NOT IN ('fts', 'fts_terms')
		UNION ALL SELECT 'computed column', t.name || '.' || c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c
			WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND c.hidden <> 0
		LIMIT 1`).Scan(&kind, &name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: it has a %s %q, as no corpus has: %w", store.ErrNotCorpus, kind, name, errForeign)
}

// checkMeta refuses what corpus_meta cannot say.
func checkMeta(m *store.Meta) error {
	switch {
	case m.SchemaVersion < 0:
		return fmt.Errorf("corpus_meta says that it has schema version %d, as no corpus has: %w", m.SchemaVersion, errForeign)
	case m.Dimensions < 0 || m.Dimensions > mostDimensions:
		return fmt.Errorf("corpus_meta says that vectors have %d dimensions; there are 0 to %d: %w", m.Dimensions, mostDimensions, errForeign)
	case m.Changed < 0 || m.Changed == math.MaxInt64:
		return fmt.Errorf("corpus_meta says that it was changed %d times: %w", m.Changed, errForeign)
	}
	for _, p := range []struct{ name, text string }{{"embedder_id", m.EmbedderID}, {"tokenizer", m.Tokenizer}, {"pipeline_fingerprint", m.Fingerprint}} {
		if len(p.text) > mostName {
			return fmt.Errorf("%s in corpus_meta has %d bytes; there are at most %d: %w", p.name, len(p.text), mostName, errForeign)
		}
	}
	return nil
}

// checkPlace refuses a place that lies nowhere.
func (c *scannedChunk) checkPlace() error {
	for _, n := range [...]int64{c.index, c.charStart, c.charEnd, c.tokenStart, c.tokenEnd, c.htmlTokens} {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("its place is out of range: index %d, characters %d to %d, tokens %d to %d, %d tokens of HTML: %w",
				c.index, c.charStart, c.charEnd, c.tokenStart, c.tokenEnd, c.htmlTokens, errForeign)
		}
	}
	if c.charEnd < c.charStart || c.tokenEnd < c.tokenStart {
		return fmt.Errorf("it ends before it starts: characters %d to %d, tokens %d to %d: %w", c.charStart, c.charEnd, c.tokenStart, c.tokenEnd, errForeign)
	}
	return nil
}

// checkTexts refuses texts that take more memory than any page has. all counts those
// that are read at once.
func checkTexts(c *store.Chunk, all *int) error {
	for _, p := range []struct{ name, text string }{{"text", c.ChunkText}, {"HTML", c.HTMLText}, {"terms", c.Terms}} {
		if len(p.text) > mostText {
			return fmt.Errorf("the %s of chunk %s has %d MB; there are at most %d: %w", p.name, c.ID, len(p.text)>>20, mostText>>20, errForeign)
		}
		*all += len(p.text)
	}
	if *all > mostTexts {
		return fmt.Errorf("the texts of one answer have more than %d MB: %w", mostTexts>>20, errForeign)
	}
	return nil
}

// isForeign reports whether an error says that a row holds what no writer of this
// program puts there: a text in place of a number, nothing in place of a text.
func isForeign(err error) bool {
	return strings.Contains(err.Error(), "sql: Scan error") || hasCode(err, sqlite3.SQLITE_TOOBIG)
}
