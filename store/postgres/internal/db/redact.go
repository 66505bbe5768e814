package db

import (
	"net/url"
	"slices"
	"strings"
)

// hidden stands for what is not shown.
const hidden = "***"

// shownKeys are the parameters of an address whose values may be shown. Others
// may hold a secret, or be a piece of one where an address is mistyped.
func shownKeys() []string {
	return []string{
		"host", "port", "dbname", "database", "user", "sslmode", "sslrootcert", "target_session_attrs",
		"connect_timeout", "application_name", "service", "statement_timeout", "pool_mode", "pgbouncer",
		"pool_max_conns", "channel_binding", "search_path", "default_query_exec_mode", "gssencmode",
		"api-version", // of a server of models
	}
}

// hostList are hosts with or without ports. Of what was meant as a password none
// passes for it but digits after a colon.
var hostList = pattern(`^(?:\[[0-9A-Fa-f:.%]*\]|[A-Za-z0-9._%\-]*)(?::[0-9]{0,5})?(?:,(?:\[[0-9A-Fa-f:.%]*\]|[A-Za-z0-9._%\-]*)(?::[0-9]{0,5})?)*$`)

// userName is a name that is no piece of an address.
var userName = pattern(`^(?:[\p{L}\p{N}_.\-]|%40)*$`)

// schemeless is what may be an address, of whatever server, whose scheme was left
// out: a user and a password before an @, parameters, or a key that is set. In a
// path they stand further on, if at all.
var schemeless = pattern(`(?is)^(?:[^/\\:]+:[^/\\].*|//.*)@|[?&;][^/]*=|^[^/\\]*(?:pass\w*|key|token|secret|pwd)\s*=`)

// Redact returns an address as it may be shown: without a password, also when it
// is mistyped. What cannot be told from a secret is hidden, so that the result is
// to be read and not to be used. Text that is no address is returned as it is,
// unless it looks like one whose scheme is missing.
//
//	postgres://ana:s3cret@db.example/x?sslmode=require  →  postgres://ana:***@db.example/x?sslmode=require
func Redact(dsn string) string {
	dsn = strings.TrimSpace(dsn)
	switch name, rest, ok := scheme(dsn); {
	case !IsDSN(dsn) && schemeless().MatchString(dsn):
		return hidden
	case !IsDSN(dsn):
		return dsn
	case ok:
		// A server that is no database is told a token where a user stands.
		return plain(name + "://" + redactURL(rest, strings.EqualFold(name, "http") || strings.EqualFold(name, "https")))
	case halfSchemed().MatchString(dsn):
		name, rest, _ := strings.Cut(dsn, ":")
		return plain(name + ":" + redactURL(rest, false))
	case colonless().MatchString(dsn):
		name, rest, _ := strings.Cut(dsn, "/")
		return plain(name + "//" + redactURL(rest, false))
	case mistyped().MatchString(dsn):
		return hidden
	}
	return plain(redactKeys(dsn))
}

// given is a password as it is hidden, with what leads up to it.
var given = pattern(`:\*\*\*(@)|[a-z]*password=\*\*\*(?:&|$)|\s*[a-z]*password=\*\*\*`)

// WithoutPassword returns an address as Redact does, but with nothing where a
// password was: in a command, PGPASSWORD or ~/.pgpass apply then.
func WithoutPassword(dsn string) string {
	if !IsDSN(dsn) {
		return Redact(dsn)
	}
	return strings.TrimSpace(strings.TrimRight(given().ReplaceAllString(Redact(dsn), "$1"), "?&"))
}

// redactURL redacts what follows the scheme, the user, too, if that may be a token.
func redactURL(rest string, token bool) string {
	var b strings.Builder
	rest = strings.TrimLeft(rest, "/")
	// An @ after a parameter may belong to its value or to a password.
	if _, query, _ := strings.Cut(rest, "?"); strings.Contains(query[:max(0, strings.LastIndexByte(query, '@'))], "=") {
		return hidden
	}
	// Whatever stands before the last @ may belong to a password that was not
	// percent-encoded.
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		user, _, has := strings.Cut(rest[:at], ":")
		if token || !userName().MatchString(user) {
			user = hidden
		}
		b.WriteString(user)
		if has {
			b.WriteString(":" + hidden)
		}
		b.WriteByte('@')
		rest = rest[at+1:]
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	hosts, path, hasPath := strings.Cut(rest, "/")
	if !hostList().MatchString(hosts) {
		// What follows may be the rest of a password.
		b.WriteString(hidden)
		return b.String()
	}
	b.WriteString(hosts)
	if hasPath && !isWord(path) {
		path = hidden
	}
	if hasPath {
		b.WriteString("/" + path)
	}
	if hasQuery {
		b.WriteString("?" + redactQuery(query))
	}
	return b.String()
}

func redactQuery(query string) string {
	var shown []string
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		decoded, err := url.QueryUnescape(key)
		value, unreadable := url.QueryUnescape(value)
		switch {
		case err == nil && slices.Contains(shownKeys(), decoded) && unreadable == nil && isWord(value):
			shown = append(shown, part)
		case err == nil && strings.Contains(decoded, "password"):
			shown = append(shown, key+"="+hidden)
		default:
			shown = append(shown, hidden)
		}
	}
	return strings.Join(slices.Compact(shown), "&")
}

// isWord says that the value of a parameter is no address or list of parameters
// itself: libpq takes a whole address as a dbname, and a quote in the wrong place
// takes in what follows.
func isWord(value string) bool { return !strings.ContainsAny(value, "=@?#&") }

// redactKeys redacts a list of keywords and values.
func redactKeys(dsn string) string {
	var shown []string
	for rest := dsn; rest != ""; {
		key, value, after, ok := nextKey(rest)
		if !ok {
			// A password with a space that was not quoted may have been cut above.
			return hidden
		}
		rest = after
		switch {
		case slices.Contains(shownKeys(), key) && isWord(value):
			shown = append(shown, key+"="+value)
		case strings.Contains(key, "password"):
			shown = append(shown, "password="+hidden)
		default:
			shown = append(shown, hidden)
		}
	}
	return strings.Join(slices.Compact(shown), " ")
}

// nextKey takes the first keyword with its value, as it is written, from a list.
func nextKey(list string) (key, value, after string, ok bool) {
	const spaces = " \t\n\r\v\f"
	key, after, ok = strings.Cut(list, "=")
	key = strings.Trim(key, spaces)
	if !ok || key == "" || strings.ContainsAny(key, spaces) {
		return "", "", "", false
	}
	after = strings.TrimLeft(after, spaces)
	end := "'"
	i := 1
	if !strings.HasPrefix(after, end) {
		end, i = spaces, 0
	}
	for i < len(after) && !strings.ContainsRune(end, rune(after[i])) {
		if after[i] == '\\' {
			i++
		}
		i++
	}
	switch {
	case end == "'" && i >= len(after):
		return "", "", "", false
	case end == "'":
		i++
	}
	i = min(i, len(after))
	return key, after[:i], strings.TrimLeft(after[i:], spaces), true
}
