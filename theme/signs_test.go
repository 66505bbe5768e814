package theme

import (
	"reflect"
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

func TestEverySignIsOneCellInEverySet(t *testing.T) {
	for set, signs := range map[string]Signs{"drawn": drawn(), "spoken": spoken()} {
		eachSign(signs, func(name, sign string) {
			if ansi.StringWidth(sign) != 1 || ansi.StringWidthWc(sign) != 1 {
				t.Errorf("%s: %s is %q, want one cell", set, name, sign)
			}
		})
	}
}

// Whatever is drawn with the wrong set still comes out in ASCII, one cell for
// one cell.
func TestALineReadAloudIsASCII(t *testing.T) {
	s, err := New("", Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	eachSign(s.Signs, func(name, sign string) {
		if sign[0] >= 0x80 {
			t.Errorf("%s is %q", name, sign)
		}
	})
	eachSign(drawn(), func(name, sign string) {
		line := s.Line(sign)
		if len(line) != 1 || line[0] >= 0x80 {
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
		"a\x1b[1;4m▌2\x1b[m █▌":  "a\x1b[1;4m 2\x1b[m   ",
		" \x1b[1m▌\x1b[m2":       " \x1b[1m>\x1b[m2",
		"plain words":            "plain words",
		"▌1 Depth ██▌ .612":      ">1 Depth     .612",
		"│ naïve 日本語 — “über” …": "  naïve 日本語 - \"über\" .",
		"Guide › Depth  ▲2 ▼1":   "Guide > Depth  +2 -1",
		"✓ found ✗ missing":      "y found n missing",
	} {
		if got := s.Line(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
		if ansi.StringWidth(s.Line(line)) != ansi.StringWidth(line) {
			t.Errorf("%q changes its width", line)
		}
	}
	looked, err := New("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := looked.Line("│ ▌1"); got != "│ ▌1" {
		t.Errorf("a screen that is looked at got %q", got)
	}
}
