package db

import (
	"net/url"
	"os"
	"slices"
	"strings"
)

// isolate makes an address that a stranger may have written speak for itself: of
// the secrets that the driver would add to it (PGPASSWORD, .pgpass, a service's
// password, the client certificate in ~/.postgresql) it gets none, and it may not
// name the files that hold them.
func isolate(normal string) (string, error) {
	keys, ok := keysOf(normal)
	if !ok {
		return "", &AddressError{Redact(normal), "it cannot be read; write postgres://user:password@host:5432/name"}
	}
	for _, key := range keys {
		if slices.Contains(secretFiles(), key) {
			return "", &AddressError{Redact(normal), "it comes from a folder's .env file, and must not name files with the secrets of whoever opens it (" +
				key + "); put it into the environment or the config file"}
		}
	}
	name, rest, isURL := scheme(normal)
	if !isURL {
		// Of a keyword that is given twice the last one holds: a password of its own.
		return "password='' passfile='" + os.DevNull + "' sslcert='' sslkey='' sslpassword='' " + normal, nil
	}
	none := "passfile=" + url.QueryEscape(os.DevNull) + "&sslcert=&sslkey=&sslpassword="
	if !hasPassword(rest) {
		none = "password=&" + none
	}
	head, query, hasQuery := cutQuery(rest)
	if hasQuery {
		none += "&" + query
	}
	return name + "://" + head + "?" + none, nil
}

// secretFiles are the parameters that name files with secrets.
func secretFiles() []string {
	return []string{"passfile", "service", "servicefile", "sslcert", "sslkey"}
}

// userinfoEnd is where user and password of what follows the scheme end, at an @
// before the first slash; -1 where there are none.
func userinfoEnd(rest string) int {
	if i := strings.IndexAny(rest, "@/"); i >= 0 && rest[i] == '@' {
		return i
	}
	return -1
}

func hasPassword(rest string) bool {
	_, password, _ := strings.Cut(rest[:max(0, userinfoEnd(rest))], ":")
	return password != ""
}

// cutQuery splits what follows the scheme at the question mark of its parameters.
func cutQuery(rest string) (head, query string, ok bool) {
	from := userinfoEnd(rest) + 1
	head, query, ok = strings.Cut(rest[from:], "?")
	return rest[:from] + head, query, ok
}

// keysOf are the parameters that an address gives by name. ok is false where the
// driver might see others in it.
func keysOf(normal string) (keys []string, ok bool) {
	_, rest, isURL := scheme(normal)
	if !isURL {
		for rest := normal; rest != ""; {
			key, _, after, ok := nextKey(rest)
			if !ok {
				return nil, false
			}
			keys, rest = append(keys, key), after
		}
		return keys, true
	}
	head, query, _ := cutQuery(rest)
	hosts, _, _ := strings.Cut(head[userinfoEnd(rest)+1:], "/")
	if !hostList().MatchString(hosts) { // a question mark in brackets is none to the driver
		return nil, false
	}
	for part := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(part, "=")
		key, err := url.PathUnescape(key)
		if err != nil {
			return nil, false
		}
		keys = append(keys, strings.TrimSpace(key)) // as the driver does
	}
	return keys, true
}
