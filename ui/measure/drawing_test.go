package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// No line is wider than the pane or narrower, whatever is measured and however little room
// there is, and read aloud there are words only.
func TestEveryLineFits(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.add)
	b.choose(worse(), choosing.add)
	all := b.columns
	looks := []*theme.Styles{b.s.Look}
	for _, o := range []theme.Options{{Spoken: true}, {}} {
		s, err := theme.New(theme.Mono, o)
		if err != nil {
			t.Fatal(err)
		}
		looks = append(looks, s)
	}
	rapid.Check(t, func(rt *rapid.T) {
		b.columns = slices.Clone(all[:rapid.IntRange(2, len(all)).Draw(rt, "columns")])
		b.at = rapid.IntRange(0, len(b.columns)-1).Draw(rt, "at")
		b.s.Look = looks[rapid.IntRange(0, len(looks)-1).Draw(rt, "look")]
		b.order = order(rapid.IntRange(0, int(orders)-1).Draw(rt, "order"))
		b.follow()
		w, h := rapid.IntRange(1, 220).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
		p := b.Pane(Table)
		p.SetSize(w, h)
		lines := p.Draw(w, h, rapid.Bool().Draw(rt, "focused"))
		if len(lines) != h {
			rt.Fatalf("%d lines in %d rows", len(lines), h)
		}
		for _, l := range lines {
			if ansi.StringWidth(l) != w {
				rt.Fatalf("%d cells in %d: %q", ansi.StringWidth(l), w, l)
			}
		}
		if h > leastRows && (b.above+b.list.Height > h || !b.list.Has(b.list.At)) {
			rt.Fatalf("of %d rows %d are above the queries, and these have %d", h, b.above, b.list.Height)
		}
		p.Move(rapid.SampledFrom([]widget.Verb{widget.Up, widget.Down, widget.End, widget.PageDown}).Draw(rt, "verb"))
		if p.Said() == "" {
			rt.Fatal("the selected row is not said")
		}
	})
	b.columns, b.at = all[:2], 1
	b.s.Look = looks[1]
	b.follow()
	b.shows(100, 40, "B, one", "against A", "0 won, 4 tied, 4 lost", "how to make coffee, A .631, B .000, B lost by .631")
}

// A click selects the row that it is on, and the setting of a value.
func TestClick(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.chooseB)
	p := b.Pane(Table)
	p.SetSize(100, 30)
	text := strings.Split(b.drawn(100, 30), "\n")
	first := slices.IndexFunc(text, func(line string) bool { return strings.Contains(line, b.rows[0].text) })
	value := strings.Index(text[first], wording.Score(b.rows[0].values[0]))
	second := value + 1 + strings.Index(text[first][value+1:], wording.Score(b.rows[0].values[1]))
	for column, at := range []int{value, second} {
		x := ansi.StringWidth(text[first][:at])
		if p.Click(x, first); b.at != column {
			t.Errorf("a click at %d of %q selects the setting %d", x, text[first], b.at)
		}
	}
	for y, line := range text {
		b.list.Go(0)
		p.Click(3, y)
		if at := slices.IndexFunc(b.rows, func(r row) bool { return strings.Contains(line, r.text) }); at >= 0 && b.list.At != at {
			t.Errorf("the line %q selects row %d", line, b.list.At)
		}
	}
}

// The strip has what won at the left and what lost at the right, each as high as it is large.
func TestStrip(t *testing.T) {
	b := measuring(t)
	b.choose(worse(), choosing.chooseB)
	paired := &evaluation.Paired{Wins: 2, Ties: 1, Losses: 2}
	for _, d := range []float64{-.4, .2, 0, .8, -.1} {
		paired.Queries = append(paired.Queries, evaluation.PairedQuery{Difference: d})
	}
	b.columns[1].contest = &session.Contest{Paired: paired}
	if got := ansi.Strip(summary{b.View}.strip(b.s.Look, 60)); got != "2 won █▂·▁▄ 2 lost  1 tied" {
		t.Errorf("the strip is %q", got)
	}
	if got := (summary{b.View}).strip(b.s.Look, 20); got != "" {
		t.Errorf("without room it is %q", got)
	}
}

// A value is as high as it is large, and never nothing unless it is 0.
func TestHeight(t *testing.T) {
	b := measuring(t)
	for value, want := range map[float64]string{0: "·", .001: "▁", .125: "▁", .126: "▂", .5: "▄", 1: "█", 7: "█", -1: "·"} {
		if got := height(b.s.Look, value); got != want {
			t.Errorf("%v is %q, want %q", value, got, want)
		}
	}
	mono, err := theme.New(theme.Mono, theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[float64]string{0: "0", .05: "0", .1: "1", .99: "9", 1: "9"} {
		if got := height(mono, value); got != want {
			t.Errorf("%v is %q without blocks, want %q", value, got, want)
		}
	}
}

// What is not known comes last, in any order.
func TestUnknownLast(t *testing.T) {
	list := []float64{math.NaN(), 2, 1, math.NaN(), 3}
	slices.SortFunc(list, compareNumbers)
	if fmt.Sprint(list) != "[1 2 3 NaN NaN]" {
		t.Errorf("sorted it is %v", list)
	}
}

// What is too little judged is said, above all numbers.
func TestTooLittleJudged(t *testing.T) {
	b := measuring(t)
	b.shows(160, 30, "! too little is judged, and the rest counts as bad")
}

// Wherever a mean stands, how much was judged stands beside it.
func TestJudgedBesideTheMean(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.add)
	for w := 40; w < 200; w += 7 {
		if text := b.drawn(w, 20); strings.Contains(text, "nDCG@10") && !strings.Contains(text, "judged") {
			t.Errorf("in %d cells it is\n%s", w, text)
		}
	}
}
