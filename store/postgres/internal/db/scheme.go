package db

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// AddressError says what is wrong with the address of a database. Nothing was
// connected to.
type AddressError struct {
	Address string // as Redact shows it
	Why     string // what is wrong and what to write instead
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("address of the database %s: %s", e.Address, e.Why)
}

// pattern compiles an expression when it is first used: most commands see no address that
// one of them is for.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var (
	// schemed is text that begins like a URL; file URLs name a file.
	schemed = pattern(`^((?:[A-Za-z]+:)?[A-Za-z][A-Za-z0-9+.\-]*)://`)
	fileURL = pattern(`^(?i:file):`)
	// halfSchemed is a URL whose slashes were forgotten.
	halfSchemed = pattern(`^(?i:postgres|postgresql):`)
	// colonless is a URL whose colon was forgotten. A folder of that name is none.
	colonless = pattern(`^(?i:postgres|postgresql)/(?:/|.*@)`)
	// mistyped is a URL without its scheme, or with half of one. The letter of a
	// drive is no user.
	mistyped = pattern(`^(?:[A-Za-z][A-Za-z0-9+.\-]+:/|[^\s/\\.:][^\s/\\:]+:[^/\\]).*@`)
	// keyed is text that begins with a keyword and its value.
	keyed = pattern(`^[A-Za-z_]+\s*=`)
	// known is a keyword that only an address has.
	known = pattern(`(?:^|\s)(?:host|hostaddr|port|dbname|database|user|(?:ssl)?password|passw?d?|pwd|service|sslmode|passfile)\s*=`)
)

// IsDSN reports whether text is meant as the address of a database rather than as
// the path of a file: a URL of any scheme but file, or libpq's list of keywords
// and values. That it is meant as one does not make it a good one: [Open] says
// what is wrong with it.
func IsDSN(text string) bool {
	text = strings.TrimSpace(text)
	if m := schemed().FindStringSubmatch(text); m != nil {
		return !strings.EqualFold(m[1], "file")
	}
	return halfSchemed().MatchString(text) || colonless().MatchString(text) || isKeyed(text) || mistyped().MatchString(text) && !fileURL().MatchString(text)
}

func isKeyed(text string) bool { return keyed().MatchString(text) && known().MatchString(text) }

// scheme splits a URL after "://". ok is false when text is no URL.
func scheme(text string) (name, rest string, ok bool) {
	m := schemed().FindStringSubmatch(text)
	if m == nil {
		return "", text, false
	}
	return strings.ToLower(m[1]), text[len(m[0]):], true
}

// normalise returns the address as the driver wants it, or says which kind of
// address it is instead of one of PostgreSQL.
func normalise(dsn string) (string, error) {
	dsn = strings.TrimSpace(dsn)
	wrong := func(format string, args ...any) error {
		return &AddressError{Redact(dsn), fmt.Sprintf(format, args...)}
	}
	name, rest, ok := scheme(dsn)
	if !ok {
		switch {
		case halfSchemed().MatchString(dsn):
			return "", wrong("two slashes are missing after the colon; write postgres://user@host:5432/name")
		case colonless().MatchString(dsn):
			return "", wrong("the colon is missing after the scheme; write postgres://user@host:5432/name")
		case dsn != "" && !isKeyed(dsn):
			return "", wrong("it is neither postgres://user@host:5432/name nor a list like host=... dbname=... user=...")
		}
		return dsn, nil
	}
	driver := strings.TrimPrefix(name, "jdbc:")
	dialect, _, _ := strings.Cut(driver, "+")
	switch {
	case (dialect == "sqlite" || dialect == "sqlite3") && !strings.Contains(rest, "@"):
		return "", wrong("a corpus in a file is named by its path alone; write %s", plain(fileOf(rest)))
	case dialect != "postgres" && dialect != "postgresql":
		if near(dialect, "postgres") || near(dialect, "postgresql") || strings.HasPrefix(dialect, "pg") || dialect == "psql" {
			return "", wrong("the scheme %q is not known; write %s", name, Redact("postgres://"+rest))
		}
		return "", wrong("%q is not PostgreSQL; this program opens corpus files and postgres:// addresses", name)
	case dialect != name:
		return "", wrong("%q names a driver of another language; write %s", name, Redact(dialect+"://"+rest))
	}
	if atInHosts(rest) {
		return "", wrong("an @ stands where the hosts or the name should; in a user and a password write %%40 for an @ and %%2F for a slash")
	}
	return name + "://" + rest, nil
}

// fileOf is the file that the URL of an SQLite database means.
func fileOf(rest string) string {
	rest, _, _ = strings.Cut(rest, "?")
	if strings.HasPrefix(rest, "/") {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return rest
}

// atInHosts reports whether an @ stands after the user and the password of a URL
// and before its parameters. It is a piece of a password then, which would be
// taken for a host or a name and shown as one.
func atInHosts(rest string) bool {
	if i := strings.IndexAny(rest, "@/"); i >= 0 && rest[i] == '@' {
		rest = rest[i+1:]
	}
	rest, _, _ = strings.Cut(rest, "?")
	return strings.Contains(rest, "@")
}

// near reports whether two names differ by at most two letters added, left out,
// replaced or exchanged with their neighbours (one for short names).
func near(a, b string) bool {
	most := 2
	if min(len(a), len(b)) < 6 {
		most = 1
	}
	return edits(a, b) <= most
}

// edits counts the letters to add, leave out, replace or exchange with their
// neighbours to make b of a.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
