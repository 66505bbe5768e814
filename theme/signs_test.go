package theme

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func eachSign(s Signs, f func(name, sign string)) {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if field.Kind() == reflect.Array {
			for j := range field.Len() {
				f(name, field.Index(j).String())
			}
			continue
		}
		f(name, field.String())
	}
}

func TestEverySignIsOneCell(t *testing.T) {
	eachSign(drawn(), func(name, sign string) {
		if ansi.StringWidth(sign) != 1 || ansi.StringWidthWc(sign) != 1 {
			t.Errorf("%s is %q, want one cell", name, sign)
		}
	})
}

// Whatever is drawn comes out in ASCII, where there is no room for words one cell for
// one cell.
func TestALineReadAloudIsASCII(t *testing.T) {
	s, err := New("", Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	eachSign(drawn(), func(name, sign string) {
		if line := s.Line(sign, 1); len(line) != 1 || line[0] >= 0x80 {
			t.Errorf("%s becomes %q", name, line)
		}
		if line := s.Line(sign+strings.Repeat(" ", 12), 13); !isASCII(line) || len(line) != 13 {
			t.Errorf("%s becomes %q", name, line)
		}
	})
}

func TestALineReadAloudKeepsItsWords(t *testing.T) {
	s, err := New("", Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"a\x1b[1;4m▌2\x1b[m █▌": "a\x1b[1;4m 2\x1b[m   ",
		" \x1b[1m▌\x1b[m2":      " \x1b[1m>\x1b[m2",
		"plain words":           "plain words",
		"▌1 Depth ██▌ .612":     ">1 Depth     .612",
		// Words take blanks between columns, and the columns stay.
		"Guide › Depth  ▲2 ▼1          .5": "Guide, Depth  up 2 down 1     .5",
		"moved  ▲2           .612":         "moved  up 2         .612",
		"58 → 20 sections    9 ms":         "58 to 20 sections   9 ms",
		"16 pages · 78 sections    x":      "16 pages, 78 sections     x",
		"✓ found   ✗12 missing      ":      "yes found  no 12 missing   ",
		"1048–2710 · 5          tail":      "1048 to 2710, 5        tail",
		"× 0.632  cosine…           ":      "times 0.632  cosine...     ",
		"▾ open  ▸ shut             ":      "  open  folded shut        ",
		"a\x1b[2m ▲\x1b[m3          b":     "a\x1b[2m up \x1b[m3        b",
		"blend      58 → 20 sections":      "blend     58 to 20 sections",
		"1    –   –           ":            "1    none  none      ",
		"was 1, –, –              ":        "was 1, none, none        ",
		"a word – another         ":        "a word - another         ",
		// A line of text has no blanks to give.
		"│ naïve 日本語 — “über” …": "  naïve 日本語 - \"über\" .",
		"✓ found ✗ missing":      "y found n missing",
		"2×3 → 6":                "2x3 > 6",
	} {
		if got := s.Line(line, ansi.StringWidth(line)); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
		if ansi.StringWidth(s.Line(line, ansi.StringWidth(line))) > ansi.StringWidth(line) {
			t.Errorf("%q becomes wider", line)
		}
	}
	if got := s.Line("✗ It is number 21", 18); got != "no It is number 21" {
		t.Errorf("with a cell to spare it says %q", got)
	}
	looked, err := New("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := looked.Line("│ ▌1", 4); got != "│ ▌1" {
		t.Errorf("a screen that is looked at got %q", got)
	}
}
