package pagesum

import (
	"context"
	"fmt"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Add gives the file at path sums, in one transaction that writes all of it anew,
// and reports whether it has them now. While another process reads the file it may
// have to be left for another time, which is no error. It needs free space of twice
// the size of the file.
//
// The driver has no way to reserve bytes, so this speaks to SQLite itself.
func Add(ctx context.Context, path string, timeout time.Duration) (bool, error) {
	if has, err := Has(path); has || err != nil {
		return has, err
	}
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString(path)
	if err != nil {
		return false, fmt.Errorf("add checksums to %s: %w", path, err)
	}
	defer libc.Xfree(tls, name)
	db, err := openRaw(tls, name)
	if err != nil {
		return false, fmt.Errorf("add checksums to %s: %w", path, err)
	}
	defer sqlite3.Xsqlite3_close_v2(tls, db)
	sqlite3.Xsqlite3_busy_timeout(tls, db, int32(timeout.Milliseconds()))
	reserve := tls.Alloc(4)
	defer tls.Free(4)
	*at[int32](reserve) = Reserved
	if rc := sqlite3.Xsqlite3_file_control(tls, db, 0, sqlite3.SQLITE_FCNTL_RESERVE_BYTES, reserve); rc != sqlite3.SQLITE_OK {
		return false, fmt.Errorf("add checksums to %s: SQLite's code %d", path, rc)
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		other := libc.NewTLS()
		defer other.Close()
		sqlite3.Xsqlite3_interrupt(other, db)
	})
	defer func() {
		if !stop() {
			<-stopped // before db is closed
		}
	}()
	// Every page goes from the log to the file, so that none is without its sum.
	for _, statement := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		switch rc := execute(tls, db, statement); {
		case rc == sqlite3.SQLITE_OK:
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case rc&0xff == sqlite3.SQLITE_BUSY || rc&0xff == sqlite3.SQLITE_LOCKED:
			return false, nil
		default:
			return false, fmt.Errorf("add checksums to %s: %s", path, libc.GoString(sqlite3.Xsqlite3_errmsg(tls, db)))
		}
	}
	return Has(path)
}

func openRaw(tls *libc.TLS, name uintptr) (db uintptr, err error) {
	out := tls.Alloc(8)
	defer tls.Free(8)
	rc := sqlite3.Xsqlite3_open_v2(tls, name, out, sqlite3.SQLITE_OPEN_READWRITE, 0)
	db = *at[uintptr](out)
	if rc != sqlite3.SQLITE_OK {
		sqlite3.Xsqlite3_close_v2(tls, db)
		return 0, fmt.Errorf("SQLite's code %d", rc)
	}
	return db, nil
}

func execute(tls *libc.TLS, db uintptr, statement string) int32 {
	text, err := libc.CString(statement)
	if err != nil {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, text)
	return sqlite3.Xsqlite3_exec(tls, db, text, 0, 0, 0)
}
