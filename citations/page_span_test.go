package citations

import (
	"strings"
	"testing"
)

func TestParsePageSpan(t *testing.T) {
	s, err := ParsePageSpan(" https://a.example:8080/x:12-40 ")
	if err != nil || s != (PageSpan{"https://a.example:8080/x", 12, 40}) {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, bad := range []string{"", ":1-2", "x", "x:", "x:1", "x:a-b", "x:2-1", "x:-1-2", "https://a/b"} {
		if s, err := ParsePageSpan(bad); err == nil {
			t.Errorf("%q gives %+v", bad, s)
		}
	}
}

func FuzzParsePageSpan(f *testing.F) {
	f.Add("https://a.example/x:12-40")
	f.Add("::-")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParsePageSpan(text)
		if err != nil {
			return
		}
		if again, err := ParsePageSpan(s.String()); err != nil || again != s && strings.TrimSpace(s.URL) == s.URL {
			t.Errorf("%q gives %+v, which gives %+v, %v", text, s, again, err)
		}
	})
}
