package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

func TestSettingDifferences(t *testing.T) {
	a, _ := param.Preset("webrag")
	b := a
	b.SimilarityFloor, b.TopK, b.ContextBudget = .25, 7, 900
	var got []string
	for _, g := range settingGroups(a, b) {
		got = append(got, append([]string{g.name}, g.differing...)...)
	}
	if want := []string{"PASSAGES", "floor .300 → .250", "CHOICE", "top k no limit → 7", "BUDGET", "budget 40k → 900"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	n := 0
	for _, g := range allSettings(a, b) {
		for i, list := range [][]param.Spec{g.unlike, g.alike} {
			for _, spec := range list {
				if differs := a.Get(spec.Field) != b.Get(spec.Field); differs != (i == 0) {
					t.Errorf("%s is among the others of %s", spec.Field, g.name)
				}
			}
			n += len(list)
		}
	}
	if n != len(param.Specs()) {
		t.Errorf("%d of %d parameters", n, len(param.Specs()))
	}
}

// A line of parameters ends between two stages, and inside of none that fits in one.
func TestParametersAreLinesOfStages(t *testing.T) {
	a, _ := param.Preset("webrag")
	b := a
	b.SimilarityFloor, b.KeywordWeight, b.TopK, b.ContextBudget = .25, .5, 7, 900
	groups := settingGroups(a, b)
	for _, w := range []int{20, 40, 60, 80, 200} {
		lines, n := groupLines(groups, w, false)
		if apart, _ := groupLines(groups, w, true); w == 200 && (len(apart) != len(groups) || len(lines) != 1) {
			t.Errorf("%d lines for %d stages: %q, together %q", len(apart), len(groups), apart, lines)
		}
		if n != 4 {
			t.Errorf("%d differ", n)
		}
		for _, g := range groups {
			whole := strings.ToLower(g.name) + ": " + strings.Join(g.differing, "   ")
			if len(whole) <= w && !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, whole) }) {
				t.Errorf("at %d, %q is broken: %q", w, whole, lines)
			}
		}
		for _, l := range lines {
			if ansi.StringWidth(l) > w {
				t.Errorf("%d cells in %d: %q", ansi.StringWidth(l), w, l)
			}
		}
	}
}

// paired shows two snapshots of made-up sections side by side, by their names.
func paired(t *testing.T, a, b []string) *pairDialog {
	t.Helper()
	ranking := func(name string, headings []string) side {
		sn := &session.Snapshot{Name: name, Query: "depth", Places: len(headings), Result: retrieval.Result{Mode: param.ModeChunk}}
		for i, heading := range headings {
			sn.Result.Items = append(sn.Result.Items, retrieval.Item{ChunkID: heading, Title: heading, Rank: i + 1, Score: 1 / float64(i+1)})
		}
		return side{session.Setting{Name: name}, "snapshot", "", sn}
	}
	return &pairDialog{v: New(viewtest.New(t), Needs{}), sides: [2]side{ranking("first", a), ranking("second", b)}}
}

// A title is cut last: not beside cells that are empty, and not for a score.
func TestTitlesOfThePairAreCutLast(t *testing.T) {
	d := paired(t, []string{"A title of twenty-nine cells.", "Left"}, []string{"Other", "A title of twenty-nine cells.", "More"})
	for _, w := range []int{80, 120} {
		text := viewtest.Bare(d.Draw(d.v.Styles(), w, 24))
		if n := strings.Count(text, "A title of twenty-nine cells."); n != 2 {
			t.Errorf("at %d cells it stands there %d times:\n%s", w, n, text)
		}
		if !strings.Contains(text, "left") || !strings.Contains(text, "new") || !strings.Contains(text, "▼1") {
			t.Errorf("at %d cells it does not say what became of them:\n%s", w, text)
		}
		if strings.Contains(text, ".500 left") != (w == 120) || regexp.MustCompile(`its score  A 1\.000   B \.500   .+ from 100 columns`).MatchString(text) == (w == 120) {
			t.Errorf("at %d cells, scores:\n%s", w, text)
		}
	}
}

// Where two lists would cut their names to nothing, there is one at a time.
func TestANarrowPairShowsOneList(t *testing.T) {
	d := paired(t, []string{"A title of twenty-nine cells.", "Left"}, []string{"Other", "A title of twenty-nine cells.", "More"})
	for at, want := range [][]string{{"A  first   beside B  second", "1 A title of twenty-nine cells.", "Left", ".500 left"}, {"B  second   beside A  first", "2 A title of twenty-nine cells.", "▼1", "More"}} {
		text := viewtest.Bare(d.Draw(d.v.Styles(), 60, 24))
		for _, said := range want {
			if !strings.Contains(text, said) {
				t.Errorf("on side %d there is no %q in\n%s", at, said, text)
			}
		}
		d.Handle(tea.KeyPressMsg{Code: tea.KeyTab})
	}
}

// A section has one name on both sides, whichever of them knows its words, and two of one title
// are told apart by their addresses.
func TestSectionsOfThePairHaveOneName(t *testing.T) {
	d := paired(t, nil, nil)
	of := func(id, page, words string, part, rank int) retrieval.Item {
		return retrieval.Item{ChunkID: id, SourceURL: "file:docs/" + page + ".html", Title: "git(1)", HeadingPath: []string{"OPTIONS"}, ChunkText: words, Part: part, Parts: 3 * min(part, 1), Rank: rank, Score: .5}
	}
	d.sides[0].of.Result.Items = []retrieval.Item{of("a", "git", "**--force** it", 1, 1), of("b", "git", "", 2, 2), of("c", "index", "", 0, 3)}
	d.sides[1].of.Result.Items = []retrieval.Item{of("b", "git", "Words of b", 2, 1), of("a", "git", "", 1, 2), of("d", "git", "", 0, 3)}
	text := viewtest.Bare(d.Draw(d.v.Styles(), 160, 24))
	for said, n := range map[string]int{"git(1) (git.html) › OPTIONS › “--force it” 1/3": 2, "git(1) (git.html) › OPTIONS › “Words of b” 2/3": 2, "git(1) (index.html) › OPTIONS ": 1} {
		if got := strings.Count(text, said); got != n {
			t.Errorf("%q stands there %d times, want %d:\n%s", said, got, n, text)
		}
	}
	for _, w := range []int{100, 120} {
		text = viewtest.Bare(d.Draw(d.v.Styles(), w, 24))
		for _, row := range regexp.MustCompile(`\d (git\(1\) .*? [12]/3) .*\d (git\(1\) .*? [12]/3)`).FindAllStringSubmatch(text, -1) {
			if strings.Count(text, row[1]) < 2 {
				t.Errorf("at %d cells %q stands on one side alone:\n%s", w, row[1], text)
			}
		}
	}
}

// Whatever is done, the dialog is as wide as it is told, no higher, and its cursor stands on a
// row that is in sight.
func TestThePairFits(t *testing.T) {
	aloud, err := theme.New("", theme.Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	looks := []*theme.Styles{viewtest.New(t).Look, aloud}
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé界]{1,40}`), 0, 40, rapid.ID)
	rapid.Check(t, func(rt *rapid.T) {
		d, s := paired(t, names.Draw(rt, "a"), names.Draw(rt, "b")), rapid.SampledFrom(looks).Draw(rt, "look")
		w, h := rapid.IntRange(20, 220).Draw(rt, "w"), rapid.IntRange(6, 60).Draw(rt, "h")
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"j", "k", "G", "g", "tab", "left", "right", "#", "p", "x"}), 0, 12).Draw(rt, "keys") {
			if key == "tab" {
				d.Handle(tea.KeyPressMsg{Code: tea.KeyTab})
			} else {
				d.Handle(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
			}
			lines := d.Draw(s, w, h)
			if len(lines) > h {
				rt.Fatalf("%d lines in %d:\n%s", len(lines), h, viewtest.Bare(lines))
			}
			for _, l := range lines {
				if ansi.StringWidth(l) != w {
					rt.Fatalf("%d cells in %d: %q", ansi.StringWidth(l), w, ansi.Strip(l))
				}
			}
			if d.sheet == rankingSheet && d.Total > 0 && !d.Has(d.At) {
				rt.Fatalf("the cursor is at %d of %d, from %d on %d", d.At, d.Total, d.Top, d.Height)
			}
		}
	})
}

// What is under the cursor is said in words.
func TestThePairIsSaid(t *testing.T) {
	d := paired(t, []string{"One", "Two"}, []string{"Two", "Three"})
	d.Draw(d.v.Styles(), 80, 24)
	d.Handle(tea.KeyPressMsg{Code: 'j', Text: "j"})
	if got := d.Said(); !strings.Contains(got, "A, rank 2 of 2, Two") || strings.Contains(got, "left") {
		t.Errorf("said %q", got)
	}
	d.Handle(tea.KeyPressMsg{Code: tea.KeyTab})
	if got := d.Said(); !strings.Contains(got, "B, rank 1 of 2, Two") {
		t.Errorf("across, said %q", got)
	}
	d.Handle(tea.KeyPressMsg{Code: tea.KeyLeft})
	d.Handle(tea.KeyPressMsg{Code: 'g', Text: "g"})
	if got := d.Said(); !strings.Contains(got, "One") || !strings.HasSuffix(got, "left") {
		t.Errorf("left, said %q", got)
	}
}

// However narrow, every value that differs stands there in full; what is wide has columns.
func TestParametersOfBothAreReadable(t *testing.T) {
	d := paired(t, []string{"One"}, []string{"Two"})
	d.sides[0].Params, _ = param.Preset("webrag")
	d.sides[1].Params, _ = param.Preset("hybrid")
	d.turnTo(settingSheet)
	for w, form := range map[int]string{50: " → ", 80: " +"} {
		text := viewtest.Bare(d.Draw(d.v.Styles(), w, 200))
		for _, g := range settingGroups(d.sides[0].Params, d.sides[1].Params) {
			for _, spec := range g.unlike {
				a, b := spec.Shown(d.sides[0].Params.Get(spec.Field)), spec.Shown(d.sides[1].Params.Get(spec.Field))
				want := regexp.QuoteMeta(spec.Name) + " +" + regexp.QuoteMeta(a) + form + regexp.QuoteMeta(b)
				if !regexp.MustCompile(want).MatchString(text) {
					t.Errorf("at %d cells there is no %q in\n%s", w, want, text)
				}
			}
		}
	}
}

// Nor are words of a watched query cut on such a screen.
func TestTheWatchListIsReadRowByRow(t *testing.T) {
	look, err := theme.New("", theme.Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := watching(t, "how much is kept of what was thrown away", "short")
	d := paired(t, []string{"One"}, []string{"Two"})
	d.v = v
	d.turnTo(watchSheet)
	for w, want := range map[int]string{50: "> how much is, A is not known, B is not known", 64: "> how much is kept of what, A is not known, B is not known", 100: "> how much is kept of what was thrown away, A is not known, B is not known"} {
		text := look.Line(viewtest.Bare(d.Draw(look, w, 20)), w*20)
		if !strings.Contains(text, want) || !strings.Contains(text, "short, A is not known") || !strings.Contains(text, "pass, A ") {
			t.Errorf("at %d cells there is no %q in\n%s", w, want, text)
		}
	}
}

// The parameters that differ stand first; the others come with another press, and the next one
// leads back to the rankings.
func TestParametersThatAreAlikeAreFolded(t *testing.T) {
	d := paired(t, []string{"One"}, []string{"Two"})
	d.sides[0].Params, _ = param.Preset("webrag")
	d.sides[1].Params = d.sides[0].Params
	d.sides[1].Params.TopK = 7
	for _, w := range []int{50, 120} {
		for press, want := range []struct{ lines, title string }{
			{fmt.Sprintf("%d parameters alike: p shows them", len(param.Specs())-1), "Parameters of both"},
			{fmt.Sprintf("%d parameters alike", len(param.Specs())-1), "Parameters of both"},
			{"One", "Two rankings"},
		} {
			d.Handle(tea.KeyPressMsg{Code: 'p', Text: "p"})
			text := viewtest.Bare(d.Draw(d.v.Styles(), w, 200))
			if !strings.Contains(text, want.lines) || !strings.Contains(text, want.title) || strings.Contains(text, "decay") != (press == 1) {
				t.Errorf("at %d, after %d presses there is no %q in\n%s", w, press+1, want, text)
			}
			if top, decay := strings.Index(text, "top k"), strings.Index(text, "decay"); press == 1 && (top < 0 || top > decay) {
				t.Errorf("at %d, what differs is not first:\n%s", w, text)
			}
		}
	}
}

// The presets and the profiles are there when a ranking is chosen, also a profile that gives what
// a preset or the screen has.
func TestProfilesAreAmongTheSides(t *testing.T) {
	v, s := keeping(t, "")
	mine := s.Of.Params()
	mine.TopK = 3
	v.needs.Suit = func(p session.Profile) session.Profile { return p }
	v.needs.IsOpen = func(view.Dialog) bool { return false }
	v.needs.Profiles = func() ([]session.Profile, error) {
		return append(session.Presets(), session.Profile{Name: "mine", Params: mine}, session.Profile{Name: "alike", Params: s.Of.Params()}), nil
	}
	for _, asWatched := range []bool{false, true} {
		s.Pushed = nil
		do(v.comparePair(asWatched))
		if len(s.Pushed) != 1 {
			t.Fatalf("%d dialogs", len(s.Pushed))
		}
		text := viewtest.Bare(s.Pushed[0].Draw(s.Look, 100, 30))
		for _, name := range []string{"mine", "alike", "hybrid"} {
			if !strings.Contains(text, name) {
				t.Errorf("%q cannot be chosen:\n%s", name, text)
			}
		}
	}
}

// On a screen that is read aloud there is one list at a time, and its rows are sentences that end
// at a word.
func TestThePairIsReadRowByRow(t *testing.T) {
	look, err := theme.New("", theme.Options{Spoken: true})
	if err != nil {
		t.Fatal(err)
	}
	long := []string{"A title of words that are many, and more of them", "Another one that is as long as it", "Short"}
	d := paired(t, long, []string{long[1], "Other"})
	for w := 40; w <= 76; w++ {
		text := look.Line(viewtest.Bare(d.Draw(look, w, 20)), w*20)
		for _, l := range strings.Split(text, "\n") {
			if ansi.StringWidth(l) > w {
				t.Errorf("%d cells in %d: %q", ansi.StringWidth(l), w, l)
			}
		}
		for _, want := range []string{"A, first, beside B, second", "rank 1 in B", "3 Short, .333, not in B"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %d cells there is no %q in\n%s", w, want, text)
			}
		}
		for _, row := range regexp.MustCompile(`(?m)^ *>? *1 (.*), not in B`).FindAllStringSubmatch(text, -1) {
			for _, word := range strings.FieldsFunc(row[1], func(r rune) bool { return r == ' ' || r == ',' }) {
				if !strings.Contains(" "+long[0]+", 1.000 ", " "+word) || !regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`).MatchString(long[0]+" 1.000") {
					t.Errorf("at %d cells a word is cut: %q", w, row[0])
				}
			}
		}
	}
	d.Handle(tea.KeyPressMsg{Code: tea.KeyTab})
	if text := viewtest.Bare(d.Draw(look, 60, 20)); !strings.Contains(text, "Other, .500, not in A") || strings.Contains(text, "Short") {
		t.Errorf("across it is\n%s", text)
	}
}
