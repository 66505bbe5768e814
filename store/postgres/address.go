package postgres

import "github.com/webrag/webrag-tui/store/postgres/internal/db"

// AddressError says what is wrong with the address of a database.
type AddressError = db.AddressError

// ConnOptions are the settings of the connections to a database.
type ConnOptions = db.Options

// IsAddress reports whether text is meant as the address of a database (a URL, or
// libpq's list of keywords and values) and not as the path of a file. That it is
// meant as one does not make it a good one: Open says what is wrong with it.
func IsAddress(text string) bool { return db.IsDSN(text) }

// Redact returns an address as it may be shown, without its secrets. Text that is
// no address is returned as it is.
func Redact(address string) string { return db.Redact(address) }

// WithoutPassword returns an address as it may be put into a command: as Redact
// shows it, with nothing where a password was, so that PGPASSWORD or ~/.pgpass
// apply.
func WithoutPassword(address string) string { return db.WithoutPassword(address) }

// Hosts are the servers that an address leads to, by name, number or folder of
// sockets, with what the environment and a service add to it; none for an address
// that cannot be read.
func Hosts(address string) []string { return db.Hosts(address) }
