package sweep

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Whatever is shown, in whichever look and room: no line is wider than the pane, there are as many
// as it has rows, and the cursor stands on something.
func TestPanesKeepTheirRoom(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "2..12", param.FieldKeywordWeight, "0..1/8")
	do(t, v, s, "sweep.run")
	var looks []*theme.Styles
	for _, o := range []theme.Options{{Dark: true}, {Dark: true, Profile: colorprofile.ASCII}, {Spoken: true}} {
		look, err := theme.New("", o)
		if err != nil {
			t.Fatal(err)
		}
		looks = append(looks, look)
	}
	rapid.Check(t, func(t *rapid.T) {
		s.Look = looks[rapid.IntRange(0, len(looks)-1).Draw(t, "look")]
		v.shown.at = rapid.IntRange(0, len(v.shown.pictures)-1).Draw(t, "picture")
		v.shown.move(rapid.IntRange(-9, 9).Draw(t, "across"), rapid.IntRange(-9, 9).Draw(t, "down"))
		w, h := rapid.IntRange(1, 150).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h")
		for _, name := range v.Panes() {
			pane := v.Pane(name)
			pane.SetSize(w, h)
			pane.Move(rapid.SampledFrom([]widget.Verb{widget.Up, widget.Down, widget.PageDown, widget.Home, widget.End}).Draw(t, "verb"))
			lines := pane.Draw(w, h, true)
			if len(lines) != h {
				t.Fatalf("%s: %d lines in %d rows", name, len(lines), h)
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n != w {
					t.Fatalf("%s: %d cells in a width of %d: %q", name, n, w, ansi.Strip(l))
				}
			}
			if pane.Said() == "" {
				t.Fatalf("%s: nothing is selected", name)
			}
		}
		x, y := rapid.IntRange(0, w-1).Draw(t, "x"), rapid.IntRange(0, h-1).Draw(t, "y")
		v.Pane(Finding).Click(x, y)
		if _, ok := v.shown.setting(); !ok && v.shown.picture().of != halvesPicture {
			t.Fatal("after a click no setting is selected")
		}
	})
}

// On a screen that is read aloud there are words in the place of curves and maps.
func TestReadAloud(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	look, err := theme.New("", theme.Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Look = look
	mark(t, v, s, param.FieldTopK, "3..6", param.FieldKeywordWeight, "0.1,0.3,0.5")
	if said := v.Pane(Knobs).Said(); said != "keyword weight, .300, marked, 3 of 3 values differ" {
		t.Errorf("said is %q", said)
	}
	do(t, v, s, "sweep.run")
	if text := drawn(v, Finding, 80, 20); strings.ContainsAny(text, "░▒▓█⠂⡠") || !strings.Contains(text, "the arrows go through both") {
		t.Errorf("drawn is\n%s", text)
	}
	do(t, v, s, "sweep.picture")
	if text := drawn(v, Finding, 80, 20); !strings.Contains(text, "3, ") && !strings.Contains(text, "  3") {
		t.Errorf("drawn is\n%s", text)
	}
	if said := v.Pane(Finding).Said(); !strings.HasPrefix(said, "top k ") || !strings.Contains(said, "nDCG@10 ") {
		t.Errorf("said is %q", said)
	}
}

// A click on a value of a curve, on a row of a list and on the names of the pictures goes there.
func TestClicks(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "3..8")
	do(t, v, s, "sweep.run")
	pane := v.Pane(Finding)
	pane.Draw(90, 40, true)
	at := v.drawnAt
	pane.Click(at.Max.X-1, at.Min.Y+3)
	if got := v.shown.picture().plateaus[v.shown.picture().x].Values; got[len(got)-1] != "8" {
		t.Errorf("at the right end of the curve is %q", got)
	}
	pane.Click(3, at.Min.Y-1)
	if v.shown.picture().of != bestPicture {
		t.Errorf("the next picture is %d", v.shown.picture().of)
	}
	pane.Draw(90, 40, true)
	pane.Click(5, v.drawnAt.Min.Y+2)
	if v.shown.picture().x != 2 {
		t.Errorf("the third row is row %d", v.shown.picture().x)
	}
	knobs := v.Pane(Knobs)
	knobs.Draw(50, 60, true)
	for y := range 40 {
		if at, ok := v.list.RowOf(y); ok && v.rows[at].field == param.FieldTopK {
			knobs.Click(1, y)
		}
	}
	if len(v.marked) != 0 {
		t.Errorf("a click on its mark leaves %q marked", v.marked)
	}
}

// What limits are written as is read as the same.
func FuzzParseLimits(f *testing.F) {
	for _, seed := range []string{"", "tokens<=3000", "tokens<=3000; results<=10", "Success@5>=.9;", "tokens<3", "3000", "nan", ";;", "RBP(p=0.8,rel=1)>=.2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseLimits(text)
		if err != nil {
			return
		}
		words := planning{&View{limits: list}}.limitWords()
		again, err := parseLimits(words)
		if err != nil || (planning{&View{limits: again}}).limitWords() != words {
			t.Errorf("%q is written as %q, and that read: %v", text, words, err)
		}
	})
}

var _ view.View = (*View)(nil)

// The row of a parameter says how many of its values rank otherwise, before anything is swept
// and after it, and of one that changes nothing that it does not.
func TestRowsSayHowManyValuesDiffer(t *testing.T) {
	v, s, _ := opened(t)
	v.given[param.FieldRRFK] = "60,61,62,1000"
	v.mark(param.FieldRRFK)
	v.Follow()
	said := func() string {
		_, _, tried := (knobsPane{v}).words(&row{field: param.FieldRRFK})
		return tried
	}
	if said() != "4 values" {
		t.Errorf("at once it says %q", said())
	}
	settle(t, v, s)
	before := said()
	do(t, v, s, "sweep.run")
	settle(t, v, s)
	n := len(v.shown.Plateaus(0, 1000))
	if said() != strconv.Itoa(n)+" of 4 values differ" || n < 2 || before != said() {
		t.Errorf("before a sweep with %d pieces it says %q, and after it %q", n, before, said())
	}
	v.given[param.FieldSimilarityFloor] = "0,.001"
	v.mark(param.FieldSimilarityFloor)
	settle(t, v, s)
	if _, _, tried := (knobsPane{v}).words(&row{field: param.FieldSimilarityFloor}); tried != "2 values, none differs" {
		t.Errorf("of what changes nothing it says %q", tried)
	}
	v.list.Go(slices.Index(v.rows, row{field: param.FieldSimilarityFloor}))
	if text := strings.Join(strings.Fields(ansi.Strip(strings.Join(v.Pane(Knobs).Draw(60, 40, true), " "))), " "); !strings.Contains(text, "alone changes nothing") {
		t.Errorf("below the rows it says %s", text)
	}
}
