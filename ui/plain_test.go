package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

func plain(query string) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		asking(query)(o, f)
		o.Plain = true
	}
}

func TestPlainScreens(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		w, h       int
	}{
		{"results", "", 120, 40},
		{"results small", "j", 50, 15},
		{"a section", "enter", 80, 24},
		{"the score", "e", 80, 24},
		{"a menu", "y", 80, 24},
		{"the palette", ": 'theme'", 80, 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden.RequireEqual(t, drive(t, 1, c.w, c.h, plain("decay"), c.keys).screen())
		})
	}
}

// A sign that something holds or does not is a word also where the text after it fills
// its line: a lone letter says nothing.
func TestAPlainScreenSaysYesAndNo(t *testing.T) {
	d := drive(t, 1, 80, 24, plain("decay"), "w enter")
	d.mustShow("not returned: It is not among the results")
	if lone := regexp.MustCompile(`(?m)(^| )[yn] [A-Za-z].*`).FindString(d.screen()); lone != "" {
		t.Errorf("it says %q", lone)
	}
}

// What is watched is said in sentences, and a text that is cut ends with dots that are heard.
func TestAPlainScreenSaysSentences(t *testing.T) {
	d := drive(t, 1, 80, 24, func(o *Options, f *fakeCorpus) {
		onGuide(t, "webrag", depthQuestion)(o, f)
		o.Plain = true
	}, "esc w 'embedding with a model' enter * esc t")
	d.mustShow("watched: 0 of 1 pass.", "fails: how does depth decay")
	long := drive(t, 1, 80, 24, func(o *Options, f *fakeCorpus) {
		plain("decay")(o, f)
		o.Notices = []retrieval.Notice{{Code: "long", Text: strings.Repeat("a notice of many words ", 8), Warning: true}}
	}, "esc")
	long.mustShow("...  ! shows all")
}

// Lines, blocks, arrows and dingbats say nothing when they are read aloud, and
// neither do typographic marks. Those that a page itself has are left to it.
func TestAPlainScreenDrawsNothing(t *testing.T) {
	const ofPages = "✈␛␇␀⟨⟩"
	for _, keys := range []string{"", "r", "space", "enter", "e", "t", "2", "2 tab", "3", "3 tab", "?", "y", ": 'span'", "f 'depth'", "E", "m", "enter z", "esc esc /"} {
		for _, query := range []string{"decay", "none", "whole", "fail"} {
			d := drive(t, 1, 120, 40, plain(query), keys)
			for i, line := range strings.Split(d.screen(), "\n") {
				for _, r := range line {
					if (r >= '\u2010' && r <= '\u2bff' || r == '·' || r == '×' || r == '¶') && !strings.ContainsRune(ofPages, r) {
						t.Errorf("%q after %q draws %q in line %d: %s", query, keys, r, i, line)
						break
					}
				}
			}
		}
	}
}

func TestTheSelectedRowIsSaidFirst(t *testing.T) {
	d := drive(t, 1, 120, 40, plain("decay"), "")
	rows := 0
	for range 6 {
		it := d.selected()
		if it == nil {
			t.Fatal("nothing is selected")
		}
		said := strings.Split(d.screen(), "\n")[d.place().said.Min.Y]
		if !strings.HasPrefix(said, "selected: ") || !strings.Contains(said, wording.Heading(it)) || !strings.Contains(said, wording.Score(it.Score)) {
			t.Errorf("%q does not say that %q of %s is selected", said, wording.Heading(it), wording.Score(it.Score))
		}
		if strings.Contains(said, "  ") {
			t.Errorf("%q has gaps", said)
		}
		rows++
		d.press("j")
	}
	// Elsewhere nothing is selected, and nothing is said.
	d.press("enter")
	if said := strings.Split(d.screen(), "\n")[d.place().said.Min.Y]; strings.TrimSpace(said) != "" {
		t.Errorf("over a text it says %q", said)
	}
}

// What is said of a stage and of a candidate is whole, however narrow the screen is.
func TestThePipelineIsSaidWhole(t *testing.T) {
	for _, width := range []int{120, 50} {
		d := drive(t, 1, width, 24, func(o *Options, f *fakeCorpus) {
			onGuide(t, "webrag", depthQuestion)(o, f)
			o.Plain = true
		}, "2 g")
		said := func() string { return d.panel(d.focus()).Said() }
		stages := d.session().Result().Trace.Stages
		for i := range stages {
			if title := retrieval.StageOf(stages[i].Name).Title; !strings.HasPrefix(said(), title) {
				t.Errorf("%d cells: of %s it says %q", width, title, said())
			}
			if i+1 < len(stages) {
				d.press("j")
			}
		}
		d.press("tab")
		byRank := slices.Clone(d.session().Result().Items)
		slices.SortFunc(byRank, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
		for i := range byRank {
			it := &byRank[i]
			want := wording.Aloud(strings.TrimSpace(wording.Score(it.Score)), "rank "+strconv.Itoa(it.Rank), "")
			if got := said(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, wording.Heading(it)) {
				t.Errorf("%d cells: of rank %d it says %q, want %s", width, it.Rank, got, want)
			}
			d.press("j")
		}
	}
}

// Screen readers follow the cursor: it is always somewhere, and where there is
// something to read.
func TestThePlainCursorStandsWhereOneReads(t *testing.T) {
	for keys, want := range map[string]func(*driver, []string) int{
		"":      func(d *driver, _ []string) int { return d.place().said.Min.Y },
		"enter": func(d *driver, _ []string) int { s, _ := d.place().Slot(panePreview); return s.Body.Min.Y },
		"/":     func(d *driver, _ []string) int { return d.place().query.Min.Y },
		"y down": func(_ *driver, lines []string) int {
			return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "selected:") })
		},
	} {
		d := drive(t, 1, 80, 24, plain("decay"), keys)
		lines, cursor := d.cursor()
		if cursor == nil {
			t.Errorf("after %q there is no cursor", keys)
			continue
		}
		if y := want(d, lines); cursor.Y != y {
			t.Errorf("after %q the cursor stands in line %d, want %d", keys, cursor.Y, y)
		}
	}
}

func TestAPlainScreenTakesNothingOver(t *testing.T) {
	d := drive(t, 1, 120, 40, plain("decay"), "")
	v := d.frame()
	if v.AltScreen || v.MouseMode != tea.MouseModeNone {
		t.Errorf("alternate screen %v, mouse %v", v.AltScreen, v.MouseMode)
	}
	if regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]`).MatchString(v.Content) {
		t.Error("the screen has colours")
	}
	if d.place().arrangement != single || len(d.place().Slots) != 1 {
		t.Errorf("%d panes stand beside each other", len(d.place().Slots))
	}
	d.press(": 'theme: choose' enter")
	d.mustShow("a plain screen has no colours")
}

// What runs is said in words, and nothing turns.
func TestAPlainScreenSaysThatItIsAsking(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, plain("decay"))
	d.settle()
	d.session().Ask("decay")
	d.turn()
	first := d.screen()
	d.turn()
	if second := d.screen(); second != first || !strings.Contains(first, "asking") {
		t.Errorf("while it asks, the screen changes or does not say so:\n%s", first)
	}
}

func TestPlainPanesShowOneAtATimeAtEverySize(t *testing.T) {
	all := closed().views
	rapid.Check(t, func(r *rapid.T) {
		w, h := rapid.IntRange(0, 220).Draw(r, "w"), rapid.IntRange(0, 70).Draw(r, "h")
		a := arranging{
			plain: true,
			score: rapid.Bool().Draw(r, "score"), tune: rapid.Bool().Draw(r, "tune"), zoomed: rapid.Bool().Draw(r, "zoomed"), strip: rapid.Bool().Draw(r, "strip"),
		}
		row := rapid.SampledFrom(all).Draw(r, "view")
		a.focus = rapid.SampledFrom(row.Panes()).Draw(r, "focus")
		if row.name != "explore" {
			a.arrange = row.Arrange
		}
		l := layoutFor(w, h, a)
		if l.arrangement == tooSmall {
			return
		}
		if len(l.Slots) != 1 || l.Slots[0].Pane != a.focus || len(l.Seams) > 0 {
			t.Fatalf("%d panes and %d seams", len(l.Slots), len(l.Seams))
		}
		if l.said.Dx() != w || l.said.Dy() < 1 || l.said.Dy() > 2 || l.said.Overlaps(l.Slots[0].Title) || l.said.Overlaps(l.query) {
			t.Fatalf("the line for the selected row is %v, the title %v", l.said, l.Slots[0].Title)
		}
	})
}

// Where one pane is shown at a time, the key that shows the score leads back to where it was
// pressed.
func TestTheScoreLeadsBackToWhereItWasAskedFor(t *testing.T) {
	d := drive(t, 1, 80, 24, plain("decay"), "e e")
	if got := d.focus(); got != paneResults {
		t.Errorf("from the list and back is %v", got)
	}
	if d.press("enter e e"); d.focus() != panePreview {
		t.Errorf("from the text and back is %v", d.focus())
	}
}

// The row of a dialog is said with its name whole, and with what its figures count.
func TestRowsOfWhyNotAreSaid(t *testing.T) {
	d := drive(t, 1, 80, 24, plainGuide(t), "w 'handing sections'")
	d.mustShow("selected: Handing sections to a model, all of the page", "file:guide/model.md")
	d.press("enter")
	said := regexp.MustCompile(`(?m)^selected: .* to .*, rank \d+ of \d+, \d+ also in, \d+ out`)
	if !said.MatchString(d.screen()) {
		t.Errorf("the change is not said:\n%s", d.screen())
	}
}

// What is said in place of a sign stands in its column.
func TestNoneStandsInItsColumn(t *testing.T) {
	d := drive(t, 1, 80, 24, plainGuide(t), "3")
	end := 0
	for line := range strings.SplitSeq(d.screen(), "\n") {
		at := strings.Index(line, " rank ")
		if at >= 0 {
			end = at + len(" rank")
		}
		if at := strings.Index(line, " none "); at >= 0 && at+len(" none") != end {
			t.Errorf("none does not end where rank does, in column %d: %s", end, line)
		}
	}
	d.mustShow(" none ")
}

func plainGuide(t *testing.T) func(*Options, *fakeCorpus) {
	on := onGuide(t, "blend", "depth decay")
	return func(o *Options, f *fakeCorpus) {
		on(o, f)
		o.Plain = true
	}
}

// How much is hidden is said in words, however narrow the screen is.
func TestPlainSaysHowMuchIsHidden(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {50, 15}} {
		for _, keys := range []string{"esc", "esc enter", "esc j", "esc enter j j j", "esc 2", "esc 3", "esc t"} {
			d := drive(t, 1, size[0], size[1], plainGuide(t), keys)
			title := strings.Split(d.screen(), "\n")[d.place().Slots[0].Title.Min.Y]
			above, below := 0, 0
			if p, ok := d.panel(d.focus()).(view.Pager); ok {
				above, below = p.Hidden()
			}
			if below > 0 && !strings.Contains(title, fmt.Sprintf("%d below", below)) && !strings.Contains(title, fmt.Sprintf("%d more below", below)) {
				t.Errorf("at %dx%d after %q, %d and %d are hidden: %q", size[0], size[1], keys, above, below, title)
			}
		}
	}
}
