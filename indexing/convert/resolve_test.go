package convert

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	const page = "https://h.example/a/b.html?q=1#old"
	for _, tt := range []struct{ base, ref, target, anchor string }{
		{page, "c.html", "https://h.example/a/c.html", ""},
		{page, "../c.html#x%20y", "https://h.example/c.html", "x y"},
		{page, "../../../c", "https://h.example/c", ""},
		{page, "/c?d=e#f", "https://h.example/c?d=e", "f"},
		{page, "#x", "https://h.example/a/b.html?q=1", "x"},
		{page, "", "https://h.example/a/b.html?q=1", ""},
		{page, "?z", "https://h.example/a/b.html?z", ""},
		{page, "//other.example/x", "https://other.example/x", ""},
		{page, "http://other.example/x#y", "http://other.example/x", "y"},
		{page, "mailto:a@b.example", "mailto:a@b.example", ""},
		{page, "javascript:x()", "", ""},
		{page, " java\tscript:x()", "", ""},
		{page, "data:text/html,x", "", ""},
		{page, "file:///etc/passwd", "", ""},
		{page, "./", "https://h.example/a/", ""},
		{page, "..", "https://h.example/", ""},
		{"https://h.example", "x", "https://h.example/x", ""},
		{"file:guide/a/b.html", "c.html#x", "file:guide/a/c.html", "x"},
		{"file:guide/a/b.html", "../c.html", "file:guide/c.html", ""},
		{"file:guide/a/b.html", "../../../c.html", "file:guide/c.html", ""},
		{"file:guide/a/b.html", "/c.html", "file:guide/c.html", ""},
		{"file:guide/a/b.html", "#x", "file:guide/a/b.html", "x"},
		{"file:page.html", "other.html", "file:other.html", ""},
		{"", "c.html#x", "c.html", "x"},
		{"", "https://h.example/a", "https://h.example/a", ""},
	} {
		if target, anchor := Resolve(tt.base, tt.ref); target != tt.target || anchor != tt.anchor {
			t.Errorf("Resolve(%q, %q) = %q, %q, want %q, %q", tt.base, tt.ref, target, anchor, tt.target, tt.anchor)
		}
	}
}

func TestResolveAgreesWithTheStandardLibrary(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b.html", ".", "..", "c d", "é"})
	path := rapid.Custom(func(t *rapid.T) string {
		s := ""
		for i, p := range rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces") {
			if i > 0 {
				s += "/"
			}
			s += p
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		base, err := url.Parse("https://h.example/dir/sub/page.html")
		if err != nil {
			t.Fatal(err)
		}
		s := rapid.SampledFrom([]string{"", "/", "./"}).Draw(t, "start") + path.Draw(t, "path")
		if len(s) > 1 && s[:2] == "//" {
			return // a host
		}
		ref, err := url.Parse(s)
		if err != nil {
			return
		}
		want, err := url.PathUnescape(base.ResolveReference(ref).String())
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := Resolve(base.String(), s); got != want {
			t.Fatalf("Resolve(%q) = %q, want %q", s, got, want)
		}
	})
}
