package db

import (
	"net/url"
	"strings"
)

// IsDSN reports whether text is meant as the address of a server.
func IsDSN(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && strings.HasPrefix(strings.ToLower(scheme), "postgres")
}

// Redact returns an address without its secrets.
func Redact(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" {
		return "postgres://…"
	}
	return "postgres://" + u.Host + u.Path
}
