package wording

import (
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// ShortURL is an address in at most w cells, without its scheme; what is cut is
// the middle, because hosts and last parts tell pages apart.
func ShortURL(url string, w int) string {
	s := Line(url)
	for _, scheme := range []string{"https://", "http://"} {
		s = strings.TrimPrefix(s, scheme)
	}
	n := ansi.StringWidth(s)
	if n <= w {
		return s
	}
	if w < 8 {
		return ansi.Truncate(s, max(0, w), "…")
	}
	left := w / 3
	return ansi.Truncate(s, left, "") + "…" + ansi.TruncateLeft(s, n-(w-left-1), "")
}

// IsWebURL reports whether an address may be given to a browser: a corpus is
// not trusted with any other scheme.
func IsWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f && r < 0xa0 }) < 0
}

// Apart is a name that several pages have, with what tells one of them from the others: the
// part of its address behind their [SharedFolder], in at most 40 cells.
func Apart(name, address string) string {
	const wide = 40
	return name + " (" + ShortURL(address, wide) + ")"
}

// SharedFolder is how many bytes at the beginning of some addresses, of which there is one
// at least, are the same, up to a stroke.
func SharedFolder(urls []string) int {
	n := len(urls[0])
	for _, url := range urls[1:] {
		for !strings.HasPrefix(url, urls[0][:n]) {
			n--
		}
	}
	return strings.LastIndexByte(urls[0][:n], '/') + 1
}
