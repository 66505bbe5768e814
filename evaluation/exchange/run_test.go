package exchange

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The rule of trec_eval: by score descending, ties by document id descending, and the
// rank is ignored.
func TestRunsAreRankedByScoreAndId(t *testing.T) {
	got, err := ReadRun(strings.NewReader("# from elsewhere\n"+
		"q2 Q0 x 9 0.25 first\r\n"+
		"q1 Q0 a 1 1.0 tag\n"+
		"q1\tQ0\tc\t2\t.5\ttag and what follows\n"+
		"q2 Q0 y 9 2.5e-1 tag\n\n"+
		"q1 Q0 b 3 1 tag"), "a.run")
	want := &Run{Tag: "tag", Rankings: []Ranking{{"q2", []string{"y", "x"}}, {"q1", []string{"b", "a", "c"}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if got, err := ReadRun(strings.NewReader("\n"), "a.run"); err != nil || len(got.Rankings) != 0 {
		t.Errorf("an empty run: %+v, %v", got, err)
	}
}

// Of equal scores the id that is last in the order of bytes comes first.
func TestTiesInRuns(t *testing.T) {
	got, err := ReadRun(strings.NewReader("q Q0 a9 1 2 t\nq Q0 a10 2 2 t\nq Q0 Z 3 2 t\nq Q0 é 4 2 t\n"), "a.run")
	if want := []string{"é", "a9", "a10", "Z"}; err != nil || !reflect.DeepEqual(got.ByQuery()["q"], want) {
		t.Errorf("%+v, %v; want %q", got, err, want)
	}
}

func TestRunsThatAreWrongSayWhere(t *testing.T) {
	const fine = "q Q0 a 1 2.5 tag\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"five columns":     {fine + "q Q0 b 2 tag\n", []string{"a.run: line 2", "5 columns", "not 6"}},
		"a space in an id": {fine + "q Q0 my page 1 2 tag\n", []string{"line 2", "7 columns, not 6", `"page"`, "ids have no spaces"}},
		"one column":       {"q\n", []string{"line 1", "there is 1 column, not 6"}},
		"not a number":     {fine + "q Q0 b 2 NaN tag\n", []string{"line 2", `"NaN"`, "finite"}},
		"infinite":         {"q Q0 b 2 -Inf tag\n", []string{"line 1", `"-Inf"`}},
		"too large":        {"q Q0 b 2 1e999 tag\n", []string{"line 1", `"1e999"`}},
		"words":            {"q Q0 b 2 high tag\n", []string{"line 1", `"high"`}},
		"a document twice": {fine + "r Q0 a 1 1 tag\n" + "q Q0 a 2 1 tag\n", []string{`query "q"`, `"a"`, "line 1", "line 3"}},
		"a control":        {"q Q0 a\x07 1 1 tag\n", []string{"line 1", "control"}},
		"a control tag":    {"q Q0 a 1 1 t\x07\n", []string{"a.run", "tag", "one word"}},
	} {
		_, err := ReadRun(strings.NewReader(c.text), "a.run")
		says(t, name, err, c.want...)
	}
}

func TestRunsAreWrittenInTheOrderThatWasShown(t *testing.T) {
	var out bytes.Buffer
	run := &Run{Tag: "webrag", Rankings: []Ranking{{"q2", []string{"a", "z", "b"}}, {"q1", []string{"z"}}, {"q3", nil}}}
	want := "q2 Q0 a 1 3 webrag\nq2 Q0 z 2 2 webrag\nq2 Q0 b 3 1 webrag\nq1 Q0 z 1 1 webrag\n"
	if err := WriteRun(&out, run); err != nil || out.String() != want {
		t.Errorf("%q, %v; want %q", out.String(), err, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		run := &Run{Tag: rapid.StringMatching(`[!-~]{1,9}`).Draw(t, "tag")}
		for _, query := range rapid.SliceOfNDistinct(columnID(), 1, 5, rapid.ID).Draw(t, "queries") {
			run.Rankings = append(run.Rankings, Ranking{query, rapid.SliceOfNDistinct(columnID(), 1, 9, rapid.ID).Draw(t, "documents")})
		}
		var out bytes.Buffer
		if err := WriteRun(&out, run); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadRun(&out, "a.run"); err != nil || !reflect.DeepEqual(again, run) {
			t.Fatalf("%+v became %+v, %v", run, again, err)
		}
	})
}

func TestRunsThatCannotBeReadAreNotWritten(t *testing.T) {
	one := []Ranking{{"q", []string{"d"}}}
	for name, c := range map[string]struct {
		run  Run
		want []string
	}{
		"no tag":           {Run{"", one}, []string{"no tag"}},
		"two words":        {Run{"my run", one}, []string{`"my run"`, "one word"}},
		"a space":          {Run{"t", []Ranking{{"q", []string{"a b"}}}}, []string{`"q"`, `"a b"`, "space"}},
		"a comment":        {Run{"t", []Ranking{{"#q", []string{"d"}}}}, []string{`"#q"`}},
		"a query twice":    {Run{"t", append(one, one...)}, []string{`"q"`, "two rankings"}},
		"a document twice": {Run{"t", []Ranking{{"q", []string{"d", "e", "d"}}}}, []string{`"d"`, "twice"}},
	} {
		says(t, name, WriteRun(io.Discard, &c.run), c.want...)
	}
}

func FuzzReadRun(f *testing.F) {
	for _, seed := range []string{"q Q0 a 1 2.5 t\nq Q0 b 2 2.5 t\n", "q Q0 a 1 0x1p-2 t more", "\uFEFFq Q0 a 1 NaN t", "q 0 a 1 1 t\nq 0 a 1 1 t", "q 0 a 1 -0 t\nr 0 a 1 1e308 \xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := ReadRun(bytes.NewReader(data), "a.run")
		if err != nil || len(run.Rankings) == 0 {
			return
		}
		var out bytes.Buffer
		if err := WriteRun(&out, run); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if again, err := ReadRun(&out, "a.run"); err != nil || !reflect.DeepEqual(again, run) {
			t.Fatalf("%+v became %+v, %v", run, again, err)
		}
	})
}
