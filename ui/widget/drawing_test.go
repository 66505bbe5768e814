package widget

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/theme"
)

// failing is what testing and rapid have in common.
type failing interface {
	Helper()
	Fatal(args ...any)
}

// What a row cuts stands below the list, as long as the cursor is on it; the list stays as
// high as it is.
func TestAChooserSaysWhatARowCuts(t *testing.T) {
	s := styles(t)
	c := NewChooser([]Choice{
		{Title: "webrag   Search small chunks, return the sections that hold them"},
		{Title: "short"},
		{Title: "off", Off: "it cannot be done, for a reason with words"},
	}, false)
	high := 0
	for _, want := range []string{"return the sections", "", "with words"} {
		lines := c.Lines(s, 40, 12)
		if high > 0 && len(lines) != high {
			t.Errorf("%d lines, and %d before", len(lines), high)
		}
		high = len(lines)
		if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(lines[3:], " "))), " "); !strings.Contains(got, want) || want == "" && strings.TrimSpace(got) != "" {
			t.Errorf("below the list stands %q, want %q", got, want)
		}
		c.Go(c.At + 1)
	}
	if lines := c.Lines(s, 40, 4); len(lines) > 4 {
		t.Errorf("%d lines where 4 have room", len(lines))
	}
}

func styles(t failing) *theme.Styles {
	t.Helper()
	s, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bare(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return out
}

// Blocks that lie beside and above each other fill a screen row by row, whatever
// they hold and in whatever order they are drawn.
func TestCanvasFillsItsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
		x, y := rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y")
		places := rapid.Permutation([]image.Rectangle{
			image.Rect(0, 0, x, y), image.Rect(x, 0, w, y), image.Rect(0, y, w, h+3),
		}).Draw(t, "places")
		c := NewCanvas(h)
		for _, r := range places {
			c.Put(r, rapid.SliceOfN(styledLine, 0, h+3).Draw(t, "block")...)
		}
		lines := c.Lines()
		if len(lines) != h {
			t.Fatalf("%d rows, want %d", len(lines), h)
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); n != w {
				t.Fatalf("%q has %d cells, want %d", l, n, w)
			}
		}
	})
}

func TestCanvasPutsBlocksWhereTheyBelong(t *testing.T) {
	c := NewCanvas(3)
	c.Put(image.Rect(4, 0, 8, 2), "right", "余余余")
	c.Put(image.Rect(0, 0, 3, 9), "a", "b", "c", "d")
	c.Put(image.Rect(3, 0, 4, 2), "|", "|")
	if got := bare(c.Lines()); !slices.Equal(got, []string{"a  |rig…", "b  |余…", "c"}) {
		t.Errorf("%q", got)
	}
}

// A frame is as wide as it is told, whatever it holds.
func TestFrameKeepsItsWidth(t *testing.T) {
	s := styles(t)
	rapid.Check(t, func(t *rapid.T) {
		w, lines := rapid.IntRange(-1, 60).Draw(t, "w"), rapid.SliceOfN(styledLine, 0, 6).Draw(t, "lines")
		out := Frame(s, styledLine.Draw(t, "title"), lines, styledLine.Draw(t, "hint"), w)
		if w <= 4 {
			if len(out) != 0 {
				t.Fatalf("%d lines in %d cells", len(out), w)
			}
			return
		}
		if len(out) != len(lines)+2 {
			t.Fatalf("%d lines around %d", len(out), len(lines))
		}
		for _, l := range out {
			if n := ansi.StringWidth(l); n != w {
				t.Fatalf("%q has %d cells, want %d", l, n, w)
			}
		}
	})
}

func TestBoxOverAScreen(t *testing.T) {
	s := styles(t)
	box := Frame(s, "T", []string{"余"}, "esc", FrameWidth(9, 20))
	if got := bare(box); !slices.Equal(got, []string{"┌─ T ───┐", "│ 余    │", "└─ esc ─┘"}) {
		t.Fatalf("%q", got)
	}
	if got := FrameWidth(9, 12); got != 12 {
		t.Errorf("a box that leaves three columns is %d wide, want all 12", got)
	}
	at := Centred(box, 19, 6)
	if at != image.Rect(5, 1, 14, 4) {
		t.Fatalf("it stands at %v", at)
	}
	back := make([]string, 6)
	for i := range back {
		back[i] = strings.Repeat("余", 9) + "."
	}
	got := bare(Overlay(back, box, at.Min.X, at.Min.Y))
	if want := "余余 ┌─ T ───┐余余."; got[1] != want || got[0] != back[0] || got[4] != back[4] {
		t.Errorf("%q, want %q", got, want)
	}
}

// A drawing is kept until what it depends on is another, or its lines are dropped.
func TestDrawingIsKept(t *testing.T) {
	var d Drawing[int]
	drawn := 0
	draw := func() []string { drawn++; return []string{fmt.Sprint(drawn)} }
	for i, c := range []struct {
		look int
		drop bool
		want string
	}{{1, false, "1"}, {1, false, "1"}, {2, false, "2"}, {2, true, "3"}, {1, false, "4"}} {
		if c.drop {
			d.Lines = nil
		}
		if got := d.Keep(c.look, draw)[0]; got != c.want {
			t.Errorf("step %d: %s, want %s", i, got, c.want)
		}
	}
}

func press(text string) tea.Msg {
	return tea.KeyPressMsg{Code: []rune(text)[0], Text: text}
}

func TestTyping(t *testing.T) {
	in := NewInput()
	if in.Type(press("a")) || in.Caret(4, 1) != nil {
		t.Error("a line without focus takes text")
	}
	in.Focus()
	in.Set("ab")
	if !in.Type(press("余")) || in.Value() != "ab余" {
		t.Errorf("typed %q", in.Value())
	}
	if in.Type(tea.KeyPressMsg{Code: tea.KeyLeft}) {
		t.Error("moving the cursor changes no text")
	}
	if line := ansi.Strip(in.Line(styles(t), 20)); strings.TrimRight(line, " ") != "❯ ab余" {
		t.Errorf("drawn %q", line)
	}
	if c := in.Caret(2, 3); c == nil || c.X != 4 || c.Y != 3 {
		t.Errorf("the cursor stands at %v, want before 余", c)
	}
	rapid.Check(t, func(t *rapid.T) {
		w, in := rapid.IntRange(1, 60).Draw(t, "w"), NewInput()
		in.Set(rapid.StringOfN(rapid.SampledFrom([]rune("ab余 é")), 0, 80, -1).Draw(t, "text"))
		if n := ansi.StringWidth(in.Line(styles(t), w)); n > w {
			t.Fatalf("%q takes %d cells of %d", in.Value(), n, w)
		}
	})
}

func fruits() []Choice {
	return []Choice{
		{Value: "1", Title: "apple", Key: "a", About: "a fruit"},
		{Value: "2", Title: "pear", Off: "not in season, and out of stock"},
		{Value: "3", Title: "plum 余余", Words: "stone fruit for jam"},
		{Value: "4", Title: "cherry", Words: "stone fruit"},
	}
}

func TestChoosing(t *testing.T) {
	s := styles(t)
	c := NewChooser(fruits(), true)
	if got := bare(c.Lines(s, 40, 20)); !slices.Equal(got, []string{"❯", "", "▌ apple                                a", "  pear   not in season, and out of stock", "  plum 余余", "  cherry", "", "  a fruit", "", ""}) {
		t.Fatalf("%q", got)
	}
	if !c.Click(4) || c.Chosen().Value != "3" || c.Click(1) || c.Click(6) {
		t.Errorf("clicks lead to %+v", c.Chosen())
	}
	c.Type(tea.PasteMsg{Content: "fruit"})
	if got := bare(c.Lines(s, 40, 20)); !slices.Equal(got[2:6], []string{"▌ plum 余余", "  cherry", "  apple                                a", ""}) {
		t.Errorf("of other names and what is said of them, %q are found", got[2:])
	}
	c.Type(tea.PasteMsg{Content: "zz"})
	if got := bare(c.Lines(s, 40, 20)); c.Chosen() != nil || got[2] != "  nothing of that name" {
		t.Errorf("%q", got)
	}
	menu := NewChooser(fruits(), false)
	menu.Type(press("p"))
	menu.Lines(s, 40, 20)
	if !menu.Click(0) || menu.Click(4) || menu.Chosen().Value != "1" {
		t.Errorf("a menu is narrowed, or its first line is no choice: %+v", menu.Chosen())
	}
}

// What has a word as a word comes before what has another name of it, it as the beginning
// of one, or a part; and of two alike, what can be chosen.
func TestTheNearestNameComesFirst(t *testing.T) {
	all := []Choice{
		{Value: "part", Title: "Fold: Fundoing"},
		{Value: "off", Title: "Tune: Undo all", Off: "nothing to undo"},
		{Value: "also", Title: "Go: Back", Words: "undo"},
		{Value: "begun", Title: "Undoing"},
		{Value: "said", Title: "Tune: Redo", About: "After an undo."},
		{Value: "word", Title: "Tune: Undo"},
		{Value: "none", Title: "Pages: Unfold", Words: "und o"},
	}
	c := NewChooser(all, true)
	c.Type(tea.PasteMsg{Content: "Undo"})
	var got []string
	for _, i := range c.shown {
		got = append(got, all[i].Value)
	}
	if !slices.Equal(got, []string{"word", "off", "also", "begun", "said", "part"}) {
		t.Errorf("found %q", got)
	}
	c.Go(1)
	for _, wide := range []int{60, 30} { // in the row, and below the list where that has no room
		if said := strings.Count(strings.Join(bare(c.Lines(styles(t), wide, 20)), "\n"), "nothing to undo"); said != 1 {
			t.Errorf("%d wide, it is said %d times why not", wide, said)
		}
	}
	c.Input.Set("")
	c.Type(tea.PasteMsg{Content: "tnud"})
	if c.Total != 2 {
		t.Errorf("by its letters alone %d are found", c.Total)
	}
}

// A chooser takes no more room than it has, and what is selected is in sight.
// Of rows that have the typed word in their titles, the one whose name begins with it is
// first, and one that cannot be chosen last.
func TestAChooserPutsTheNameThatBeginsWithTheWordFirst(t *testing.T) {
	t.Parallel()
	c := NewChooser([]Choice{
		{Value: "health", Title: "Vector index: recall check"},
		{Value: "welcome", Title: "Welcome: Index a folder", Off: "there is a corpus"},
		{Value: "folder", Title: "Corpus: Index a folder…"},
	}, true)
	for _, typed := range []string{"index", "ind", "index a", "folder index"} {
		c.Input.SetValue("")
		c.Type(tea.PasteMsg{Content: typed})
		if got := c.Chosen(); got == nil || got.Value != "folder" {
			t.Errorf("%q finds %+v first", typed, got)
		}
	}
}

func TestChooserFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]Choice, rapid.IntRange(1, 30).Draw(t, "choices"))
		for i := range all {
			all[i] = Choice{Title: fmt.Sprintf("%d %s", i, styledLine.Draw(t, "title")), Off: rapid.SampledFrom([]string{"", "余 because"}).Draw(t, "off")}
		}
		c := NewChooser(all, rapid.Bool().Draw(t, "typed"))
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			c.Go(c.At + rapid.SampledFrom(verbs).Draw(t, "verb").Rows(0))
			if rapid.Bool().Draw(t, "types") {
				c.Type(press(rapid.SampledFrom([]string{"1", "2", "余", "a"}).Draw(t, "key")))
			}
			w, h := rapid.IntRange(8, 60).Draw(t, "w"), rapid.IntRange(3, 24).Draw(t, "h")
			lines := c.Lines(styles(t), w, h)
			if len(lines) > h {
				t.Fatalf("%d lines in %d", len(lines), h)
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n > w {
					t.Fatalf("%q takes %d cells of %d", l, n, w)
				}
			}
			if c.Chosen() != nil && !c.Has(c.At) {
				t.Fatalf("what is selected is not in sight: %+v", c.List)
			}
		}
	})
}

func TestTreeFolds(t *testing.T) {
	var tree Tree
	// 0 ┬ 1 ─ 3
	//   └ 2
	// 4
	tree.Hang([]int{-1, 0, 0, 1, -1})
	said := func() string {
		var b strings.Builder
		for _, r := range tree.Rows() {
			inner := ""
			if r.Inner {
				inner = "+"
			}
			fmt.Fprintf(&b, "%s%d%s ", Indent(r.Level, 3), r.Node, inner)
		}
		return b.String()
	}
	if got := said(); got != "0+   1+    3   2 4 " {
		t.Errorf("%q", got)
	}
	tree.Fold(1)
	if got := said(); got != "0+   1+   2 4 " || !tree.Folded(1) {
		t.Errorf("1 is folded: %q", got)
	}
	tree.Fold(0)
	tree.Reveal(3)
	if got := said(); got != "0+   1+    3   2 4 " || tree.Folded(0) || tree.Folded(1) {
		t.Errorf("3 is revealed: %q", got)
	}
	tree.Fold(2)
	tree.Fold(2)
	tree.Fold(1)
	tree.Hang([]int{-1, -1, 1, 1, 2})
	if got := said(); got != "0 1+ " {
		t.Errorf("1 stays folded: %q", got)
	}
}

// Without folds every node has one row, under what it hangs from and one level
// deeper; revealed nodes have one whatever is folded.
func TestTreeShowsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parent := make([]int, rapid.IntRange(0, 30).Draw(t, "nodes"))
		for i := range parent {
			parent[i] = rapid.IntRange(-1, i-1).Draw(t, "parent")
		}
		var tree Tree
		tree.Hang(parent)
		at := map[int]TreeRow{}
		for _, r := range tree.Rows() {
			up, seen := at[parent[r.Node]], parent[r.Node] < 0
			if !seen {
				_, seen = at[parent[r.Node]]
				up.Level++
			}
			if !seen || r.Level != up.Level || r.Inner != slices.Contains(parent, r.Node) {
				t.Fatalf("%+v under %v", r, parent)
			}
			at[r.Node] = r
		}
		if len(at) != len(parent) {
			t.Fatalf("%d rows of %d nodes", len(at), len(parent))
		}
		if len(parent) == 0 {
			return
		}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(parent)-1), 0, 10).Draw(t, "folded") {
			tree.Fold(n)
		}
		wanted := rapid.IntRange(0, len(parent)-1).Draw(t, "wanted")
		tree.Reveal(wanted)
		if !slices.ContainsFunc(tree.Rows(), func(r TreeRow) bool { return r.Node == wanted }) {
			t.Fatalf("%d is hidden", wanted)
		}
	})
}

func TestMarkOfARow(t *testing.T) {
	s := styles(t)
	for _, c := range []struct {
		current, focused bool
		mark, text       string
	}{
		{false, true, " ", s.Faint.Render("x")},
		{true, true, s.Accent.Render("▌"), s.Selected.Render("x")},
		{true, false, s.Faint.Render("▌"), s.Strong.Render("x")},
	} {
		if mark, style := Mark(s, c.current, c.focused, s.Faint); mark != c.mark || style.Render("x") != c.text {
			t.Errorf("%+v: %q and %q", c, mark, style.Render("x"))
		}
	}
}

func TestWrappedFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, w := styledLine.Draw(t, "text"), rapid.IntRange(2, 20).Draw(t, "w")
		lines := Wrapped(text, w)
		for _, l := range lines {
			if n := ansi.StringWidth(l); n > w {
				t.Fatalf("%q takes %d cells of %d", l, n, w)
			}
		}
		letters := func(s string) string { return strings.Join(strings.Fields(ansi.Strip(s)), "") }
		if got, want := letters(strings.Join(lines, "")), letters(text); got != want {
			t.Fatalf("%q of %q", got, want)
		}
	})
}
