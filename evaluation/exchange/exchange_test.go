package exchange

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// says checks that there is an error with all of the words in it.
func says(t *testing.T, name string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	for _, words := range want {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %q does not say %q", name, err, words)
		}
	}
}

// columnID draws ids that a column of a TREC file can hold.
func columnID() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[A-Za-z0-9_.:/%-][!-~]{0,12}`),
		rapid.Just("https://example.org/späße"),
	)
}

// textID draws ids that a text can have.
func textID() *rapid.Generator[string] {
	return rapid.OneOf(columnID(), rapid.Just("two words"), rapid.Just("#"), rapid.Just("a\u00a0b"))
}

// drawQrels draws grades of queries that were judged.
func drawQrels(t *rapid.T, id *rapid.Generator[string]) map[string]map[string]int {
	grades := rapid.MapOfN(id, rapid.IntRange(-worst, worst), 1, 6)
	return rapid.MapOfN(id, grades, 0, 6).Draw(t, "qrels")
}

func TestColumnsEndAtTheWhiteSpaceOfC(t *testing.T) {
	var into [3][]byte
	if n := columns([]byte("\t a\vb \u00a0c\r\fd e "), into[:]); n != 5 {
		t.Errorf("%d columns, want 5", n)
	}
	if got := []string{string(into[0]), string(into[1]), string(into[2])}; !slices.Equal(got, []string{"a", "b", "\u00a0c"}) {
		t.Errorf("columns are %q", got)
	}
	if n := columns([]byte(" \t"), into[:]); n != 0 {
		t.Errorf("a blank line has %d columns", n)
	}
}

func TestLinesHaveLimits(t *testing.T) {
	fits := strings.Repeat("x", ofRows.line-3)
	qrels, err := ReadQrels(strings.NewReader("q 0 a 1\r\n\n"+"q 0 b 2"), "qrels.txt")
	if err != nil || len(qrels["q"]) != 2 {
		t.Errorf("%v, %v", qrels, err)
	}
	err = eachLine(strings.NewReader("a\n"+fits+"\n"), "f", ofRows, func(int, []byte) error { return nil })
	if err != nil {
		t.Errorf("a line that fits: %v", err)
	}
	err = eachLine(strings.NewReader("a\n"+fits+"xxxx\n"), "f", ofRows, func(int, []byte) error { return nil })
	says(t, "a line that does not", err, "f: line 2", "longer than 1 MB")
	for name, text := range map[string]string{"little": "\xff\xfeq\x00", "big": "\xfe\xff\x00q"} {
		_, err := ReadQrels(strings.NewReader(text), "qrels.txt")
		says(t, name+" endian", err, "qrels.txt", "UTF-16", "save it as UTF-8")
	}
	endless := &repeated{line: "\n"}
	says(t, "lines without an end", eachLine(endless, "f", ofRows, func(int, []byte) error { return nil }), "more than 16777215 lines")
}

// repeated is a file that has no end.
type repeated struct{ line string }

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n+len(r.line) <= len(p) {
		n += copy(p[n:], r.line)
	}
	return n, nil
}
