package postgres

import "github.com/webrag/webrag-tui/store/postgres/internal/db"

// IsAddress reports whether text is meant as the address of a database, and not
// as the path of a file.
func IsAddress(text string) bool { return db.IsDSN(text) }

// Redact returns an address without its secrets.
func Redact(address string) string { return db.Redact(address) }
