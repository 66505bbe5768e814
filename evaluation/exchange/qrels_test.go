package exchange

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/file"
)

func TestQrelsAreRead(t *testing.T) {
	got, err := ReadQrels(strings.NewReader("\uFEFF# made by hand\r\n"+
		"q1 0 d1 2\r\n\r\n  q1\tQ0\td2   0  \n q2 x d1 -1\nq1 0 d3 +1"), "qrels.txt")
	want := map[string]map[string]int{"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": -1}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got, err := ReadQrels(strings.NewReader(""), "qrels.txt"); err != nil || got == nil || len(got) != 0 {
		t.Errorf("an empty file: %v, %v", got, err)
	}
}

func TestQrelsThatAreWrongSayWhere(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"three columns":      {"q 0 a 1\nq a 1\n", []string{"qrels.txt: line 2", "3 columns", "not 4"}},
		"a space in an id":   {"q 0 a b 1\n", []string{"line 1", "5 columns", "ids have no spaces"}},
		"a grade in words":   {"q 0 a yes\n", []string{"line 1", `"yes"`, "whole number"}},
		"a grade with point": {"q 0 a 1.0\n", []string{"line 1", `"1.0"`}},
		"a huge grade":       {"q 0 a 128\n", []string{"line 1", `"128"`, "-127 to 127"}},
		"a small grade":      {"q 0 a -128\n", []string{"line 1", `"-128"`}},
		"a document twice":   {"# by hand\nq 0 a 1\nr 0 a 1\n\nq 0 a 1\n", []string{"line 5", `"a"`, `"q"`, "in line 2", "keep one"}},
		"a control":          {"q 0 a\x1b[31m 1\n", []string{"line 1", `\x1b`, "control character"}},
		"a NUL":              {"q\x00 0 a 1\n", []string{"line 1", "control character"}},
		"Latin-1":            {"q 0 \xe4 1\n", []string{"line 1", "UTF-8"}},
		"a no-break space":   {"q 0 a\u00a0b 1\n", []string{"line 1", "space"}},
		"lines of one long":  {"q 0 a 1\rq 0 b 1\r", []string{"line 1", "8 columns"}},
	} {
		_, err := ReadQrels(strings.NewReader(c.text), "qrels.txt")
		says(t, name, err, c.want...)
	}
}

// What reads a file may name it already, as its limit does.
func TestAFileIsNamedOnce(t *testing.T) {
	for name, read := range map[string]func(io.Reader, string) error{
		"qrels": func(r io.Reader, name string) error { _, err := ReadQrels(r, name); return err },
		"csv":   func(r io.Reader, name string) error { _, err := ReadRatingsCSV(r, name); return err },
		"json":  func(r io.Reader, name string) error { _, err := ReadRatingsJSON(r, name); return err },
	} {
		err := read(file.Limit(strings.NewReader("q 0 a 1\n"), "qrels.txt", 4), "qrels.txt")
		says(t, name, err, "larger than 4 bytes")
		if n := strings.Count(err.Error(), "qrels.txt"); n != 1 {
			t.Errorf("%s: %q names the file %d times", name, err, n)
		}
	}
}

func TestQrelsAreWrittenAsTheyAreRead(t *testing.T) {
	var out bytes.Buffer
	qrels := map[string]map[string]int{"q2": {"b": 1, "a": 0}, "q10": {"a": -1}}
	if err := WriteQrels(&out, qrels); err != nil || out.String() != "q10 0 a -1\nq2 0 a 0\nq2 0 b 1\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	rapid.Check(t, func(t *rapid.T) {
		qrels := drawQrels(t, columnID())
		var out bytes.Buffer
		if err := WriteQrels(&out, qrels); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadQrels(&out, "qrels.txt"); err != nil || !reflect.DeepEqual(again, qrels) {
			t.Fatalf("%v became %v, %v", qrels, again, err)
		}
	})
}

func TestQrelsThatCannotBeReadAreNotWritten(t *testing.T) {
	for name, c := range map[string]struct {
		qrels map[string]map[string]int
		want  []string
	}{
		"a space":            {map[string]map[string]int{"q": {"two words": 1}}, []string{`"two words"`, "space", "%20"}},
		"a space in a query": {map[string]map[string]int{"a b": {"d": 1}}, []string{"query id", `"a b"`, "space"}},
		"a comment":          {map[string]map[string]int{"#1": {"d": 1}}, []string{`"#1"`, "comments"}},
		"no id":              {map[string]map[string]int{"q": {"": 1}}, []string{"document id is empty"}},
		"a line feed":        {map[string]map[string]int{"q": {"a\nb": 1}}, []string{"control character"}},
		"a grade":            {map[string]map[string]int{"q": {"d": 1000}}, []string{"grade 1000", `"q"`, `"d"`}},
	} {
		says(t, name, WriteQrels(io.Discard, c.qrels), c.want...)
	}
}

func TestGradesAndLinesArePackedInOneNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line, grade := rapid.IntRange(1, mostLines).Draw(t, "line"), rapid.IntRange(-worst, worst).Draw(t, "grade")
		if l, g := unpacked(packed(line, grade)); l != line || g != grade {
			t.Fatalf("%d, %d became %d, %d", line, grade, l, g)
		}
	})
}

func FuzzReadQrels(f *testing.F) {
	for _, seed := range []string{"q 0 a 1\nq 0 b -127\r\n# c\n", "\uFEFFq\t0\ta\t1", "q 0 a 1\nq 0 a 1", "q 0 a 1 2", "\xff\xfe", "q 0 a\u2028 1", "q 0 # 01"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		qrels, err := ReadQrels(bytes.NewReader(data), "qrels.txt")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteQrels(&out, qrels); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := ReadQrels(&out, "qrels.txt")
		if err != nil || !maps.EqualFunc(qrels, again, maps.Equal[map[string]int, map[string]int]) {
			t.Fatalf("%v became %v, %v", qrels, again, err)
		}
	})
}

// BenchmarkReadQrels reads as many judgments as MS MARCO's training set has, of which
// most are the only one of their query.
func BenchmarkReadQrels(b *testing.B) {
	var text bytes.Buffer
	for i := range 500_000 {
		fmt.Fprintf(&text, "%d 0 %d 1\n", 100_000+i*10/11, 7_000_000+i)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		qrels, err := ReadQrels(bytes.NewReader(text.Bytes()), "qrels.txt")
		if err != nil || len(qrels) < 400_000 {
			b.Fatal(len(qrels), err)
		}
	}
}
