package reader

import (
	"strings"
	"testing"
)

func TestParseSpan(t *testing.T) {
	s, err := ParseSpan(" https://a.example:8080/x:12-40 ")
	if err != nil || s != (Span{"https://a.example:8080/x", 12, 40}) {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, bad := range []string{"", ":1-2", "x", "x:", "x:1", "x:a-b", "x:2-1", "x:-1-2", "https://a/b"} {
		if s, err := ParseSpan(bad); err == nil {
			t.Errorf("%q gives %+v", bad, s)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	f.Add("https://a.example/x:12-40")
	f.Add("::-")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpan(text)
		if err != nil {
			return
		}
		if again, err := ParseSpan(s.String()); err != nil || again != s && strings.TrimSpace(s.URL) == s.URL {
			t.Errorf("%q gives %+v, which gives %+v, %v", text, s, again, err)
		}
	})
}
