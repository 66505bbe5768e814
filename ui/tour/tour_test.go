package tour_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/ui/tour"
)

func TestParse(t *testing.T) {
	const text = `# A comment, and a blank line.

caption "What \"decay\" does"
  Caption without marks
caption ""
type how  does decay
key enter
press t ctrl+p shift+left
run tune.open
set similarity_floor .25
apply top_k=5 mode=chunk
view 3
view Score
select "Depth decay"
wait 1.5s
pause
`
	want := []tour.Step{
		{Verb: tour.Caption, Line: 3, Text: `What "decay" does`},
		{Verb: tour.Caption, Line: 4, Text: "without marks"},
		{Verb: tour.Caption, Line: 5},
		{Verb: tour.Type, Line: 6, Text: "how does decay"},
		{Verb: tour.Key, Line: 7, Keys: []string{"enter"}},
		{Verb: tour.Key, Line: 8, Keys: []string{"t", "ctrl+p", "shift+left"}},
		{Verb: tour.Run, Line: 9, Text: "tune.open"},
		{Verb: tour.Set, Line: 10, Values: []tour.Value{{Field: "similarity_floor", Text: ".25"}}},
		{Verb: tour.Apply, Line: 11, Values: []tour.Value{{Field: "top_k", Text: "5"}, {Field: "mode", Text: "chunk"}}},
		{Verb: tour.View, Line: 12, View: 3},
		{Verb: tour.View, Line: 13, View: 1, Pane: "score"},
		{Verb: tour.Select, Line: 14, Text: "Depth decay"},
		{Verb: tour.Wait, Line: 15, Wait: 1500 * time.Millisecond},
		{Verb: tour.Pause, Line: 16},
	}
	got, err := tour.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range max(len(want), len(got.Steps)) {
		if i >= len(want) || i >= len(got.Steps) || !reflect.DeepEqual(got.Steps[i], want[i]) {
			t.Fatalf("step %d:\ngot  %+v\nwant %+v", i, got.Steps[i:], want[i:])
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"", "the tour has no step"},
		{"# nothing\n", "the tour has no step"},
		{"wait 1s\n\ncapton \"x\"", `line 3: "capton" is no step; there are caption, type, key, press, run, set, apply, view, select, wait, pause (did you mean "caption"?)`},
		{"frobnicate", `line 1: "frobnicate" is no step; there are`},
		{`caption "open`, `line 1: the text does not end with a quotation mark`},
		{"caption", `line 1: there is no text; write: caption "TEXT"`},
		{`select ""`, `line 1: there is no text; write: select "TEXT"`},
		{"type", "line 1: there is no text; write: type TEXT"},
		{"key", "line 1: there is no key; write: key NAME …"},
		{"press entr", `line 1: "entr" is no key (did you mean "enter"?); write: press NAME …`},
		{"key ctrl+", `line 1: "ctrl+" is no key`},
		{"run two words", "line 1: there is no action; write: run ACTION"},
		{"set", "line 1: there is no parameter; write: set FIELD VALUE"},
		{"set similarity_flor .2", `line 1: "similarity_flor": `},
		{"set similarity_floor", "line 1: similarity_floor gets no value"},
		{"set similarity_floor 3", `line 1: similarity_floor: "3" must be between -1 and 1`},
		{"apply top_k", `line 1: "top_k" has no =`},
		{"apply", "line 1: there is no parameter"},
		{"view 10", "line 1: a view is a digit from 1, a pane of the first one of results, preview, score, tune; write: view NUMBER or PANE"},
		{"wait", `line 1: "" is no duration; write: wait DURATION, as in 1.5s`},
		{"wait 2", `line 1: "2" is no duration`},
		{"wait -1s", "line 1: a wait is more than nothing"},
		{"wait 1h", "line 1: a wait is more than nothing and at most 10m0s"},
		{"pause 1s", "line 1: nothing follows it; write: pause"},
		{"type a\x1b[31mb", "line 1: a step has printable characters only"},
		{"type \xff", "the tour is no text in UTF-8"},
		{"type " + strings.Repeat("a", 2001), "line 1: a step has at most 2000 characters"},
		{strings.Repeat("pause\n", tour.MostSteps+1), "line 5001: a tour has at most 5000 steps"},
		{strings.Repeat("#", tour.MostBytes+1), "the tour is longer than 1024 kB"},
	} {
		_, err := tour.Parse(strings.NewReader(c.script))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q:\ngot  %v\nwant %s", c.script, err, c.want)
		}
	}
}

// A step is written as it is read, so that moves of a session can be played as a
// tour.
func FuzzParse(f *testing.F) {
	f.Add("caption \"a\\\"b\"\ntype x  y\nkey ctrl+p ?\nset top_k 3\napply top_k=1 mode=chunk\nview 2\nview tune\nselect é\nwait 3ms\npause\nrun a.b")
	f.Add("caption \"")
	f.Add("key \x80")
	f.Add("wait 9999999999h\nset hop_decay 1,.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := tour.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, step := range s.Steps {
			again, err := tour.Parse(strings.NewReader(step.String()))
			if err != nil || len(again.Steps) != 1 {
				t.Fatalf("%q is read as %+v, but not %q: %v", text, step, step, err)
			}
			step.Line = 1
			if !reflect.DeepEqual(again.Steps[0], step) {
				t.Fatalf("%+v\nis written as %q\nand read as %+v", step, step, again.Steps[0])
			}
		}
	})
}

func TestTheGuidesTourIsRead(t *testing.T) {
	if n := len(tour.Guide().Steps); n < 30 {
		t.Errorf("%d steps", n)
	}
}
