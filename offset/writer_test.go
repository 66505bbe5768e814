package offset_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/testdata/hostile"
)

const boldOn, boldOff = "\x1b[1m", "\x1b[22m"

// written is what a writer makes of texts that come one after the other.
func written(t *testing.T, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := offset.NewWriter(&out, boldOn, boldOff)
	for _, s := range texts {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("%d of %d bytes taken: %v", n, len(s), err)
		}
	}
	return out.String()
}

func TestWriter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		texts      []string
	}{
		{"text", "a\tä\n", []string{"a\tä\n"}},
		{"own styles", boldOn + "a" + boldOff, []string{boldOn + "a" + boldOff}},
		{"a style in parts", boldOn + "a", []string{"\x1b", "[1", "ma"}},
		{"a character in parts", "ä", []string{"\xc3", "\xa4"}},
		{"a sequence of others", "␛[31ma", []string{"\x1b[31ma"}},
		{"that looks like a style at first", "␛[2Ja", []string{"\x1b[2", "Ja"}},
		{"clipboard", "␛]52;c;x␇", []string{"\x1b]52;c;x\x07"}},
		{"C1", "\uFFFD2J", []string{"\u009b2J"}},
		{"no UTF-8", "\uFFFDa", []string{"\x9ba"}},
		{"direction", "⟨U+202E⟩", []string{"\u202e"}},
		{"return and erase", "a␍b␈␡", []string{"a\rb\x08\x7f"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := written(t, c.texts...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The specification of links in terminals: bytes from 32 to 126 only.
func TestAddress(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://a.example/x?y=1#z":  "https://a.example/x?y=1#z",
		"https://a.example/é#ü":      "https://a.example/%C3%A9#%C3%BC",
		"https://a.example/%C3%A9":   "https://a.example/%C3%A9",
		"https://a.example/\u202ex":  "https://a.example/%E2%80%AEx",
		"https://a.example/\x1b\x07": "https://a.example/%1B%07",
		"https://a.example/\xff":     "https://a.example/%FF",
	} {
		if got := offset.Address(url); got != want {
			t.Errorf("%q becomes %q, want %q", url, got, want)
		}
	}
}

// Whatever is written in whatever parts, no control character comes out of it but
// line feeds, tabs and the styles; and what was made safe before stays as it is.
func FuzzWriter(f *testing.F) {
	f.Add(hostile.Bytes, 3)
	f.Add(boldOn+"a"+boldOff+"\xc3", 1)
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = max(0, min(at, len(text)))
		got := written(t, text[:at], text[at:])
		if whole := written(t, text); got != whole {
			t.Errorf("in parts %q, at once %q", got, whole)
		}
		bare := strings.NewReplacer(boldOn, "", boldOff, "", "\t", "").Replace(got)
		if shown := offset.Display(bare).Text; shown != strings.TrimPrefix(bare, "\uFEFF") {
			t.Errorf("%q comes out", got)
		}
		for _, safe := range []string{offset.Display(text).Text, offset.Line(text)} {
			if got := written(t, safe); got != safe {
				t.Errorf("%q becomes %q", safe, got)
			}
		}
	})
}
