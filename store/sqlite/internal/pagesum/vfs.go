package pagesum

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The kinds of the methods that are put over SQLite's own.
type (
	openMethod  = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	bytesMethod = func(tls *libc.TLS, file, buffer uintptr, n int32, at int64) int32
	fileMethod  = func(tls *libc.TLS, file uintptr) int32
)

// system is SQLite's own way to files; ours is a copy of it with another open. The
// memory of both is never freed.
var system, ours uintptr

// tables are the methods of open files: those of the system, and the copies of them
// with another read and write.
var tables = struct {
	sync.Mutex
	copies map[uintptr]uintptr
}{copies: make(map[uintptr]uintptr)}

// extra follows what the system keeps of an open file.
type extra struct {
	// methods are the system's.
	methods uintptr
	// summed says that the file has sums; a file never loses them.
	summed bool
}

const extraSize = int32(unsafe.Sizeof(extra{}))

func init() { //nolint:gochecknoinits // SQLite asks for its default way to files when the first one is opened
	tls := libc.NewTLS()
	defer tls.Close()
	system = sqlite3.Xsqlite3_vfs_find(tls, 0)
	ours = libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	name, err := libc.CString("pagesum")
	if err != nil || system == 0 || ours == 0 {
		panic("pagesum: no memory, or SQLite has no way to files")
	}
	v := at[sqlite3.Tsqlite3_vfs](ours)
	*v = *at[sqlite3.Tsqlite3_vfs](system)
	v.FzName, v.FpNext, v.FxOpen = name, 0, method(open)
	v.FszOsFile = extraStart() + extraSize
	if rc := sqlite3.Xsqlite3_vfs_register(tls, ours, 1); rc != sqlite3.SQLITE_OK {
		panic(fmt.Sprintf("pagesum: SQLite refuses it with code %d", rc))
	}
}

// at views memory that is not Go's.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// method returns a Go function as SQLite calls one: the pointer to it. f is a
// function of the package, which is never freed nor moved.
func method[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the opposite of method.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }

// extraStart is where a file's extra begins, aligned for it.
func extraStart() int32 { return (at[sqlite3.Tsqlite3_vfs](system).FszOsFile + 7) &^ 7 }

func extraOf(file uintptr) *extra { return at[extra](file + uintptr(extraStart())) }

func open(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	rc := function[openMethod](at[sqlite3.Tsqlite3_vfs](system).FxOpen)(tls, system, name, file, flags, out)
	f := at[sqlite3.Tsqlite3_file](file)
	if rc != sqlite3.SQLITE_OK || flags&sqlite3.SQLITE_OPEN_MAIN_DB == 0 || f.FpMethods == 0 {
		return rc
	}
	*extraOf(file) = extra{methods: f.FpMethods}
	tables.Lock()
	defer tables.Unlock()
	own := tables.copies[f.FpMethods]
	if own == 0 {
		own = libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
		if own == 0 {
			function[fileMethod](at[sqlite3.Tsqlite3_io_methods](f.FpMethods).FxClose)(tls, file)
			f.FpMethods = 0
			return sqlite3.SQLITE_NOMEM
		}
		m := at[sqlite3.Tsqlite3_io_methods](own)
		*m = *at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		m.FxRead, m.FxWrite = method(read), method(write)
		// Version 3 adds the reading of pages by a memory map, past the sums, as
		// would the reading of parts of pages.
		m.FiVersion = min(m.FiVersion, 2)
		m.FxDeviceCharacteristics = method(traits)
		tables.copies[f.FpMethods] = own
	}
	f.FpMethods = own
	return rc
}

// traits says what a file can do, which is not to read parts of pages.
func traits(tls *libc.TLS, file uintptr) int32 {
	m := at[sqlite3.Tsqlite3_io_methods](extraOf(file).methods)
	return function[fileMethod](m.FxDeviceCharacteristics)(tls, file) &^ sqlite3.SQLITE_IOCAP_SUBPAGE_READ
}

// read reads from a file; what is of the size of a page is one.
func read(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	x := extraOf(file)
	rc := function[bytesMethod](at[sqlite3.Tsqlite3_io_methods](x.methods).FxRead)(tls, file, buffer, n, offset)
	if n < leastPage || rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_IOERR_SHORT_READ || !x.isSummed(tls, file) {
		return rc
	}
	// SQLite takes what lies beyond the end of a file for zeros.
	if rc != sqlite3.SQLITE_OK || !holds(unsafe.Slice(at[byte](buffer), n), offset/int64(n)+1) {
		return sqlite3.SQLITE_IOERR_DATA
	}
	return rc
}

func write(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	x := extraOf(file)
	if n >= leastPage {
		page := unsafe.Slice(at[byte](buffer), n)
		if offset == 0 {
			// Other pages follow it when a file gets sums.
			x.summed = page[reservedAt] == Reserved
		}
		if x.isSummed(tls, file) {
			set(page, offset/int64(n)+1)
		}
	}
	return function[bytesMethod](at[sqlite3.Tsqlite3_io_methods](x.methods).FxWrite)(tls, file, buffer, n, offset)
}

// isSummed looks into the file for as long as it has no sums: another process may
// give it some.
func (x *extra) isSummed(tls *libc.TLS, file uintptr) bool {
	if x.summed {
		return true
	}
	b := tls.Alloc(1)
	defer tls.Free(1)
	rc := function[bytesMethod](at[sqlite3.Tsqlite3_io_methods](x.methods).FxRead)(tls, file, b, 1, reservedAt)
	x.summed = rc == sqlite3.SQLITE_OK && *at[byte](b) == Reserved
	return x.summed
}
