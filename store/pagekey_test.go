package store_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

func TestPageKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"HTTP://Example.org:80/guide/index.html#x", "https://example.org/guide"},
		{"https://example.org:443/guide/", "https://example.org/guide"},
		{"https://example.org:8443/guide", "https://example.org:8443/guide"},
		{"https://example.org", "https://example.org"},
		{"https://example.org/", "https://example.org"},
		{"https://example.org/index.htm", "https://example.org"},
		{"https://example.org/index.html/index.html", "https://example.org"}, // that of its key
		{"https://example.org/Guide.html", "https://example.org/Guide.html"},
		{"https://example.org/a//b/./c/../d", "https://example.org/a/b/d"},
		{"https://example.org/../a", "https://example.org/a"},
		{"https://example.org/a?q=1#x", "https://example.org/a?q=1"},
		{"https://example.org/a?", "https://example.org/a"},
		{"https://example.org/%7euser/%28x%29/%c3%bc", "https://example.org/~user/(x)/%C3%BC"},
		{"https://example.org/~user/(x)/ü", "https://example.org/~user/(x)/%C3%BC"},
		{"https://example.org/a%2fb", "https://example.org/a%2Fb"},
		{"https://example.org/50%", "https://example.org/50%"},
		{"https://example.org/%2525", "https://example.org/%2525"},
		{"file:guide/a page.md", "file:guide/a%20page.md"},
		{"file:guide/sub/index.md", "file:guide/sub"},
		{"file:guide/sub/", "file:guide/sub"},
		{"a.md", "a.md"},
		{"/a/b", "/a/b"},
		{"", ""},
	} {
		if got := store.PageKey(c.in); got != c.want {
			t.Errorf("PageKey(%q) is %q, want %q", c.in, got, c.want)
		}
	}
}

// A key has a key that is itself, and no byte that a database would refuse.
func TestPageKeyIsStable(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"http", "HTTPS", ":", "//", "/", ".", "..", "index.html", "index.md", "%2e", "%2F", "%", "?", "#", "ü", "\xff", "a", "Example.org", ":80", " "})
	rapid.Check(t, func(t *rapid.T) {
		address := ""
		for _, p := range rapid.SliceOfN(part, 0, 12).Draw(t, "parts") {
			address += p
		}
		key := store.PageKey(address)
		if again := store.PageKey(key); again != key {
			t.Fatalf("PageKey(%q) is %q, and the key of that %q", address, key, again)
		}
		if !utf8.ValidString(key) {
			t.Fatalf("PageKey(%q) is %q", address, key)
		}
		for _, r := range key {
			if unicode.IsControl(r) {
				t.Fatalf("PageKey(%q) is %q", address, key)
			}
		}
	})
}
