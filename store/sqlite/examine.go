package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/examine"
	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

var _ store.Checker = (*Store)(nil)

// Check examines the file: whether every page has its checksum and SQLite finds all
// whole, whether nothing is missing that belongs to a document, whether the index of
// words has every passage and nothing else, and how much memory a search takes. Each
// look is made whatever the others come upon; an error is only that ctx ended.
func (s *Store) Check(ctx context.Context) ([]store.Check, error) {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return nil, fail(ctx, "check", s.path, err)
	}
	defer conn.Close()
	checks, err := examineAll(ctx, s.path, conn)
	s.checkMemory(ctx, checks)
	return checks, err
}

// CheckFile is [Store.Check] for a file that is too damaged to be opened. It finds
// what it can and never fails.
func CheckFile(ctx context.Context, path string) []store.Check {
	q := pragmas(time.Second, "query_only(1)")
	q.Set("mode", "ro")
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	db, err := sql.Open("sqlite", dsn(path, q))
	if err != nil {
		return nil
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return []store.Check{examineSums(ctx, path, nil), {Name: "file", State: store.CheckBroken, Found: plain(err).Error(), Fix: examine.Restore}}
	}
	defer conn.Close()
	checks, _ := examineAll(ctx, path, conn)
	return checks
}

func examineAll(ctx context.Context, path string, conn *sql.Conn) ([]store.Check, error) {
	checks := []store.Check{examineSums(ctx, path, conn)}
	for _, look := range []struct {
		name string
		do   func(context.Context, *sql.Conn) (store.Check, error)
	}{{"file", examineFile}, {"rows", examine.Rows}, {"keyword index", examineWords}, {"vectors", examineVectors}} {
		c, err := look.do(ctx, conn)
		if ctx.Err() != nil {
			return checks, fail(ctx, "check", path, err)
		}
		if err != nil {
			c = store.Check{Name: look.name, State: store.CheckBroken, Found: "it cannot be read to the end: " + plain(err).Error(), Fix: examine.Restore}
		}
		checks = append(checks, c)
	}
	for _, look := range []struct {
		name string
		do   func(context.Context, *sql.Conn) ([]store.Check, error)
	}{{"packs", examinePacks}, {"edges", examineEdges}} {
		found, err := look.do(ctx, conn)
		if ctx.Err() != nil {
			return checks, fail(ctx, "check", path, err)
		}
		if err != nil {
			found = []store.Check{{Name: look.name, State: store.CheckBroken, Found: "they cannot be read to the end: " + plain(err).Error(), Fix: examine.Restore}}
		}
		checks = append(checks, found...)
	}
	return checks, nil
}

// examineSums reads the whole file; conn is nil for one that cannot be opened.
func examineSums(ctx context.Context, path string, conn *sql.Conn) store.Check {
	c := store.Check{Name: "checksums", State: store.CheckFine}
	has, err := pagesum.Has(path)
	if err == nil && !has {
		switch wants, err := wantsSums(ctx, conn); {
		case err != nil:
			c.State, c.Found, c.Fix = store.CheckBroken, "the file has none, or its header is damaged: "+plain(err).Error(), examine.Restore
		case wants:
			c.State, c.Found, c.Fix = store.CheckBroken, deniesSums, examine.Restore
		default:
			c.State, c.Found = store.CheckWarning, "the file has none yet, so that damage may not be noticed"
			c.Fix = "index any page, which adds them: webrag-tui index PAGES --corpus " + file.ShellWord(path)
		}
		return c
	}
	blocks, behind, wrong, err := pagesum.Scan(ctx, path)
	if err != nil {
		c.State, c.Found, c.Fix = store.CheckBroken, err.Error(), examine.Restore
		return c
	}
	if conn != nil {
		wrong = unreadable(ctx, conn, wrong)
	}
	c.Found = fmt.Sprintf("each of the %d blocks of the file has its own", blocks)
	if behind > 0 {
		c.State, c.Fix = store.CheckWarning, "copy it, which leaves that out: webrag-tui copy --from THIS --to NEW"
		c.Found += fmt.Sprintf("; behind them the file goes on for %d bytes that are not of the corpus", behind)
	}
	if len(wrong) > 0 {
		first := wrong[:min(len(wrong), examine.MostComplaints)]
		c.State, c.Fix = store.CheckBroken, examine.Restore
		c.Found = fmt.Sprintf("%d of the %d blocks of the file do not have theirs, the first of them %s", len(wrong), blocks, strings.Trim(fmt.Sprint(first), "[]"))
	}
	return c
}

// wantsSums reports whether the corpus says of itself that its pages have sums. It
// fails where nobody can tell.
func wantsSums(ctx context.Context, conn *sql.Conn) (bool, error) {
	if conn == nil {
		return false, errors.New("it cannot be opened")
	}
	var version int
	err := conn.QueryRowContext(ctx, `SELECT schema_version FROM corpus_meta`).Scan(&version)
	return isSummed(version), err
}

// unreadable are the pages among some that SQLite cannot read either. It reads a page
// from the log where that has it: a loss of power may tear pages of the file that are
// just being brought there, and the log is kept until they are whole. Nor are pages
// beyond the last one of the database read, with which the file may end then.
func unreadable(ctx context.Context, conn *sql.Conn, pages []int64) []int64 {
	return slices.DeleteFunc(pages, func(number int64) bool {
		var size int
		err := conn.QueryRowContext(ctx, `SELECT length(data) FROM sqlite_dbpage WHERE pgno = ?`, number).Scan(&size)
		return err == nil || errors.Is(err, sql.ErrNoRows)
	})
}

// examineFile lets SQLite look through the pages of the file and hold its indexes
// against their tables.
func examineFile(ctx context.Context, conn *sql.Conn) (store.Check, error) {
	c := store.Check{Name: "file", State: store.CheckFine, Found: "it is whole"}
	rows, err := conn.QueryContext(ctx, fmt.Sprintf(`PRAGMA integrity_check(%d)`, examine.MostComplaints))
	if err != nil {
		return c, err
	}
	defer rows.Close()
	var said []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return c, err
		}
		if line != "ok" {
			said = append(said, line)
		}
	}
	if len(said) > 0 {
		c.State, c.Found = store.CheckBroken, "it is damaged: "+strings.Join(said, "; ")
		c.Fix = examine.Restore
	}
	return c, rows.Err()
}

// examineWords holds the index of words against the passages.
func examineWords(ctx context.Context, conn *sql.Conn) (store.Check, error) {
	c := store.Check{Name: "keyword index", State: store.CheckFine}
	var passages int
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM chunks WHERE chunk_level = 'child'`).Scan(&passages)
	if err != nil {
		return c, err
	}
	wrong, err := examineSegments(ctx, conn)
	c.Found = fmt.Sprintf("in step with all passages (%d)", passages)
	if wrong != "" {
		c.State, c.Found = store.CheckBroken, fmt.Sprintf("out of step with the passages (%d): %s", passages, wrong)
		c.Fix = "copy the corpus, which makes it anew: webrag-tui copy --from FILE --to OTHER"
	}
	return c, err
}

// examineVectors says what a search has to hold in memory, and finds what is no
// vector of the corpus.
func examineVectors(ctx context.Context, conn *sql.Conn) (store.Check, error) {
	c := store.Check{Name: "vectors", State: store.CheckFine}
	var passages, dims int
	err := conn.QueryRowContext(ctx, `SELECT dimensions, (SELECT count(*) FROM chunks WHERE chunk_level = 'child') FROM corpus_meta`).
		Scan(&dims, &passages)
	if err != nil {
		return c, err
	}
	rows, err := conn.QueryContext(ctx, `SELECT v FROM vectors`)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	have, wrong := 0, 0
	for rows.Next() {
		var blob sql.RawBytes
		if err := rows.Scan(&blob); err != nil {
			return c, err
		}
		have++
		if v := make([]float32, len(blob)/4); len(blob) != 4*dims || vector.Decode(v, blob) != nil || store.CheckUnit(v) != nil {
			wrong++
		}
	}
	const mega = 1 << 20
	c.Found = fmt.Sprintf("%d of %d passages have one, of %d dimensions; a search holds %.1f MB of them in memory and compares all",
		have, passages, dims, float64(quantise.Size(have, dims))/mega)
	if wrong > 0 {
		c.State, c.Found = store.CheckBroken, fmt.Sprintf("%d of %d are not of length 1 and %d dimensions", wrong, have, dims)
		c.Fix = "webrag-tui index --reembed"
	}
	return c, rows.Err()
}
