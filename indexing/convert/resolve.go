package convert

import (
	"net/url"
	"strings"
)

// maxAddress is the longest address that is written as a link; a longer one is
// data in disguise.
const maxAddress = 2048

// Resolve returns the absolute address that ref means on the page at base, and
// its fragment, percent-decoded and without "#". The address is empty when ref
// leads nowhere that may be followed: scripts, data, unknown schemes.
//
// The base may be a URL or an opaque identifier such as "file:guide/a/b.html",
// whose path is joined in the same way; its first part is the root, which no
// reference leaves. With an empty base a relative reference stays as it is.
func Resolve(base, ref string) (target, anchor string) {
	return newResolver(base).resolve(ref)
}

// resolver resolves the references of one page.
type resolver struct {
	self   string // the page without fragment
	scheme string // "https:"
	root   string // "https://example.org" or "file:guide"
	dir    string // the path up to its last slash, which it includes
	path   string
}

func newResolver(base string) *resolver {
	base = strings.TrimSpace(base)
	base, _, _ = strings.Cut(base, "#")
	r := &resolver{self: base}
	path, _, _ := strings.Cut(base, "?")
	scheme := schemeOf(path)
	if scheme == "" {
		r.path = path
		r.dir = path[:strings.LastIndexByte(path, '/')+1]
		return r
	}
	r.scheme = path[:len(scheme)+1]
	rest := path[len(r.scheme):]
	var n int // bytes of rest that are the root
	if strings.HasPrefix(rest, "//") {
		n = len(rest)
		if i := strings.IndexByte(rest[2:], '/'); i >= 0 {
			n = i + 2
		}
	} else {
		n = max(0, strings.IndexByte(rest, '/'))
	}
	r.root = r.scheme + rest[:n]
	r.path = rest[n:]
	r.dir = r.path[:strings.LastIndexByte(r.path, '/')+1]
	if r.dir == "" && strings.HasPrefix(rest, "//") {
		r.dir = "/"
	}
	return r
}

// schemeOf returns the scheme of a reference without its colon, or empty.
func schemeOf(ref string) string {
	for i := range len(ref) {
		switch b := ref[i]; {
		case isLetter(b):
		case i > 0 && (b >= '0' && b <= '9' || b == '+' || b == '-' || b == '.'):
		case i > 0 && b == ':':
			return ref[:i]
		default:
			return ""
		}
	}
	return ""
}

func (r *resolver) resolve(ref string) (target, anchor string) {
	ref = strings.TrimFunc(ref, func(c rune) bool { return c <= ' ' })
	if strings.ContainsAny(ref, "\t\n\r") {
		// Browsers remove these, also from within "java\nscript:".
		ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(ref)
	}
	ref, fragment, _ := strings.Cut(ref, "#")
	anchor = unescapeFragment(fragment)
	if ref == "" {
		return r.self, anchor
	}
	if scheme := schemeOf(ref); scheme != "" {
		switch strings.ToLower(scheme) {
		case "http", "https":
			return ref, anchor
		case "mailto":
			return ref, ""
		}
		if len(scheme) > 1 && strings.EqualFold(scheme+":", r.scheme) && strings.EqualFold(scheme, "file") {
			return ref, anchor
		}
		return "", ""
	}
	path, query, hasQuery := strings.Cut(ref, "?")
	switch {
	case strings.HasPrefix(path, "//"):
		if r.scheme == "" || r.scheme == "file:" {
			target = "https:" + path
		} else {
			target = r.scheme + path
		}
	case r.self == "":
		target = path
	case path == "":
		target = r.root + r.path
	case path[0] == '/':
		target = r.root + cleanPath(path)
	default:
		target = r.root + cleanPath(r.dir+path)
	}
	if hasQuery {
		target += "?" + query
	}
	return target, anchor
}

// cleanPath removes dot segments. A path never leaves its root.
func cleanPath(p string) string {
	if !strings.Contains(p, "/.") && !strings.HasPrefix(p, ".") {
		return p
	}
	rooted := strings.HasPrefix(p, "/")
	var out []string
	parts := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for i, part := range parts {
		last := i == len(parts)-1
		switch part {
		case ".", "..":
			if part == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, part)
		}
	}
	p = strings.Join(out, "/")
	if rooted {
		return "/" + p
	}
	return p
}

func unescapeFragment(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	if u, err := url.PathUnescape(s); err == nil {
		return clean(u)
	}
	return s
}

// address resolves a reference for use in markdown: absolute, with its fragment
// and without characters that would end the link. It is empty when there is
// nothing to link to.
func (r *resolver) address(ref string) string {
	target, _ := r.resolve(ref)
	_, fragment, ok := strings.Cut(ref, "#")
	if target == "" && (!ok || fragment == "") {
		return ""
	}
	if ok && fragment != "" && !strings.HasPrefix(target, "mailto:") {
		target += "#" + strings.TrimFunc(fragment, func(c rune) bool { return c <= ' ' })
	}
	if len(target) > maxAddress {
		return ""
	}
	return escapeAddress(target)
}

// escapeAddress percent-encodes what markdown or a table cell would misread.
func escapeAddress(s string) string {
	depth, balanced, clean := 0, true, true
	for i := range len(s) {
		switch b := s[i]; {
		case b == '(':
			depth++
		case b == ')':
			depth--
			balanced = balanced && depth >= 0
		case mustEncode(b):
			clean = false
		}
	}
	const deepest = 30 // CommonMark allows 32
	balanced = balanced && depth == 0 && strings.Count(s, "(") <= deepest
	if clean && balanced {
		return s
	}
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if mustEncode(s[i]) || !balanced && (s[i] == '(' || s[i] == ')') {
			b = append(b, '%', hex[s[i]>>4], hex[s[i]&15])
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

func mustEncode(b byte) bool {
	switch b {
	case '<', '>', '\\', '|', '`', '"', '\'', '{', '}', '^', 0x7f:
		return true
	}
	return b <= ' '
}
