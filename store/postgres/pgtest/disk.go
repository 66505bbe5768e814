package pgtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
)

// fullDevice is a file that takes no byte, for want of space.
const fullDevice = "/dev/full"

// FillDisk leaves no space for a table's values of more than 2 kB, such as
// vectors of 600 dimensions, which PostgreSQL keeps in a file beside the table
// and in pages of their own; nor for its rows, if it has none yet. Writing them
// answers 53100 and "No space left on device", on every connection, until free
// is called. What fits into pages that are there is taken as before.
//
// A file system that is really full would take rights to mount one, and a limit
// on the size of files answers something else (XX000, "File too large"). So the
// empty files of the table are replaced by the device that is always full. The
// table is rewritten first, so that no connection has them open.
func (s *Server) FillDisk(t testing.TB, dsn, table string) (free func()) {
	t.Helper()
	if _, err := os.Stat(fullDevice); err != nil {
		need(t, &missingError{"this system has no " + fullDevice})
	}
	// Space for many pages at once is asked for by a call that the device does
	// not know; a server that has this setting can do without. Others answer
	// XX000 to writes of over 64 kB at once.
	if Value[bool](t, s.AdminDSN(), "SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'file_extend_method')") {
		Exec(t, s.AdminDSN(), "ALTER SYSTEM SET file_extend_method = 'write_zeros'")
		Exec(t, s.AdminDSN(), "SELECT pg_reload_conf()")
	}
	rewrite := "VACUUM FULL " + pgx.Identifier{table}.Sanitize()
	Exec(t, dsn, rewrite)
	names := Value[[]string](t, dsn, `
		SELECT coalesce(array_agg(pg_relation_filepath(oid)), '{}') FROM pg_class
		WHERE pg_relation_size(oid) = 0
		  AND oid IN (SELECT unnest(ARRAY[oid, reltoastrelid]) FROM pg_class WHERE oid = $1::text::regclass)`,
		pgx.Identifier{table}.Sanitize())
	if len(names) == 0 {
		t.Fatalf("the disk cannot be full for %s: it has long values already", table)
	}
	for _, name := range names {
		path := filepath.Join(s.data(), name)
		if err := os.Rename(path, path+".kept"); err != nil {
			t.Fatal(fmt.Errorf("fill the disk: %w", err))
		}
		if err := os.Symlink(fullDevice, path); err != nil {
			t.Fatal(fmt.Errorf("fill the disk: %w", err))
		}
	}
	return func() {
		t.Helper()
		for _, name := range names {
			path := filepath.Join(s.data(), name)
			if err := os.Rename(path+".kept", path); err != nil {
				t.Fatal(fmt.Errorf("free the disk: %w", err))
			}
		}
		Exec(t, dsn, rewrite) // connections still hold the device
	}
}
