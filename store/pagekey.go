package store

import "strings"

// PageKey returns the form in which addresses of pages are compared: two that
// differ only as web servers do not mind have the same key. The scheme of the web
// (http or https), the case of scheme and host, a default port, a fragment, a
// closing slash, "index.html" at the end, dot segments and the way of percent
// encoding are such differences; the path's case, its other extensions and the
// query are none. It works for opaque addresses such as "file:guide/a.md" too.
//
//	PageKey("HTTP://Example.org:80/guide/index.html#x") // "https://example.org/guide"
//
// A key is for comparing, not for following. It is UTF-8 without control
// characters, whatever the address is.
func PageKey(address string) string {
	// What is taken off can lay open more of the same: a folder named index.html,
	// a scheme behind dot segments. The key of a key is that key.
	for {
		key := plainAddress(address)
		if key == address {
			return key
		}
		address = key
	}
}

func plainAddress(address string) string {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
	address, query, hasQuery := strings.Cut(address, "?")
	root, path := splitAddress(address)
	path = plainPath(path)
	key := root + path
	if hasQuery && query != "" {
		key += "?" + plainEscapes(query)
	}
	return key
}

// splitAddress returns the scheme and host of an address in one form, and its
// path.
func splitAddress(address string) (root, path string) {
	colon := strings.IndexAny(address, ":/")
	if colon <= 0 || address[colon] != ':' {
		return "", address
	}
	scheme, rest := strings.ToLower(address[:colon]), address[colon+1:]
	if !strings.HasPrefix(rest, "//") {
		return plainEscapes(scheme) + ":", rest
	}
	host, path := rest[2:], ""
	if slash := strings.IndexByte(host, '/'); slash >= 0 {
		host, path = host[:slash], host[slash:]
	}
	host = strings.ToLower(host)
	switch scheme {
	case "http":
		scheme, host = "https", strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return plainEscapes(scheme) + "://" + plainEscapes(host), path
}

// indexNames are the names of files that servers show for their folder.
var indexNames = [...]string{"index.html", "index.htm", "index.md", "index.markdown"}

// plainPath takes dot segments, the name of an index and closing slashes off a
// path. ".." leaves no root.
func plainPath(path string) string {
	parts := strings.Split(plainEscapes(path), "/")
	kept := parts[:0]
	for i, part := range parts {
		switch {
		case part == ".", part == "" && i > 0:
		case part == "..":
			if n := len(kept); n > 0 && kept[n-1] != "" {
				kept = kept[:n-1]
			}
		default:
			kept = append(kept, part)
		}
	}
	if n := len(kept); n > 0 {
		for _, name := range indexNames {
			if kept[n-1] == name {
				kept = kept[:n-1]
				break
			}
		}
	}
	return strings.TrimRight(strings.Join(kept, "/"), "/")
}

// plainEscapes writes each byte that an address may hold as itself and every
// other percent-encoded. What stands for a separator stays encoded.
func plainEscapes(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		escaped := false
		if c == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				c, escaped = byte(hi<<4|lo), true
				i += 2
			}
		}
		if c <= ' ' || c >= 0x7f || escaped && strings.IndexByte("/?#%&=+", c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
