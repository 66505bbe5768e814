package rendering

import (
	"strings"
	"testing"
)

func TestHeadingsOfMarkdown(t *testing.T) {
	text := "# Tïtle #\n\ntext\n```sh\n# no heading\n```\n   ### *Three* `x`\n    # code\n#none\n####### seven\n##\n"
	got := HeadingsIn(text)
	want := []Heading{{Level: 1, Text: "Tïtle", At: 0}, {Level: 3, Text: "Three x", At: 39}, {Level: 2, At: 89}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

// A heading begins where its signs do, below the one before.
func FuzzHeadingsIn(f *testing.F) {
	f.Add("# a\n```\n# b\n```\n  ## *c* #\r\n### \n")
	f.Add("~~~\n# a\n```\n~~~\n#\tb\n# ü [d](e)")
	f.Fuzz(func(t *testing.T, text string) {
		runes, last := []rune(text), -1
		for _, h := range HeadingsIn(text) {
			if h.At <= last || h.At >= len(runes) || h.Level < 1 || h.Level > 6 {
				t.Fatalf("%q has %+v after one at %d", text, h, last)
			}
			if line := strings.TrimLeft(string(runes[h.At:]), " "); !strings.HasPrefix(line, strings.Repeat("#", h.Level)) {
				t.Errorf("%q has %+v, where %q stands", text, h, line)
			}
			last = h.At
		}
	})
}
