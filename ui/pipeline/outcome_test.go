package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
)

// listing has groups of so many candidates, all dropped, in a pane of 60 by h cells.
func listing(t *testing.T, h int, sizes ...int) *View {
	t.Helper()
	v := New(viewtest.New(t))
	outcomePane{v}.SetSize(60, h)
	var groups []group
	for i, n := range sizes {
		g := group{key: fmt.Sprint("g", i), what: fmt.Sprint(n, " dropped"), why: fmt.Sprint("limit of search ", i), drops: i < 3}
		for k := range n {
			g.all = append(g.all, candidate{id: fmt.Sprintf("%d.%d", i, k), section: "s", page: "A page", name: fmt.Sprintf("Part %d", k), value: fmt.Sprintf("rank %d", 100+k)})
		}
		groups = append(groups, g)
	}
	v.list.put([]string{"It drops.", ""}, groups)
	return v
}

// shownIn are the ids of the candidates of a group that have a row.
func shownIn(l *outcomeList, group int) (ids []string) {
	for i, r := range l.rows {
		if r.kind == candidateRow && r.group == group {
			ids = append(ids, l.candidateOf(i).id)
		}
	}
	return ids
}

func bare(v *View, h int) string { return viewtest.Bare(outcomePane{v}.Draw(60, h, true)) }

// A rank of three digits keeps all of them: cut to two it is another rank. A long page
// leaves room for the heading.
func TestRanksOfAnOutcomeAreWhole(t *testing.T) {
	v := listing(t, 9, 4)
	g := v.list.groups
	for i, value := range []string{"rank 7", "rank 140", "rank 1312", ".302"} {
		g[0].all[i].value = value
	}
	g[0].all[0].page = strings.Repeat("A long title ", 9)
	v.list.put(v.list.text, g)
	drawn := bare(v, 9)
	for _, c := range g[0].all {
		if !strings.Contains(drawn, c.value+"  A") || !strings.Contains(drawn, c.name) {
			t.Errorf("%q and %q are not in\n%s", c.value, c.name, drawn)
		}
	}
	if want := "rank    7"; strings.Contains(drawn, want) {
		t.Errorf("%q is torn apart:\n%s", want, drawn)
	}
}

// Those that were dropped for a reason are one line until they are asked for, with the
// names of the first of them where there is room; that is remembered of each stage.
func TestReasonsAreUnfoldedOnDemand(t *testing.T) {
	v := listing(t, 20, 100, 2)
	l := &v.list
	groups := l.groups
	for i := range groups {
		groups[i].folded = true
	}
	put := func(stage string) string {
		l.clear()
		l.stage = stage
		l.put([]string{"It drops.", ""}, groups)
		return bare(v, 20)
	}
	drawn := put("limit")
	for _, want := range []string{"▌▸ 100 dropped  limit of search 0   A page › Part 0 · …", " ▸ 2 dropped  limit of search 1     A page › Part 0 · …"} {
		if strings.Count(drawn, want) != 1 {
			t.Errorf("%q does not stand once in\n%s", want, drawn)
		}
	}
	if len(shownIn(l, 0))+len(shownIn(l, 1)) != 0 || len(v.Listed()) != 102 {
		t.Errorf("%d candidates are listed in\n%s", len(v.Listed()), drawn)
	}
	v.fold()
	if drawn = put("budget"); !strings.Contains(drawn, "▸ 100 dropped") {
		t.Errorf("a group of another stage is unfolded:\n%s", drawn)
	}
	if drawn = put("limit"); !strings.Contains(drawn, "▾ 100 dropped") || len(shownIn(l, 0)) != 100 {
		t.Errorf("it is forgotten that the group was unfolded:\n%s", drawn)
	}
	if drawn = viewtest.Bare(outcomePane{v}.Draw(34, 20, true)); strings.Contains(drawn, "▸ 2 dropped  limit of search 1  ") {
		t.Errorf("there is no room for names:\n%s", drawn)
	}
}

// The reason stands once, above those that share it, and the first of them are seen: as
// many as there is room for.
func TestReasonsStandOnce(t *testing.T) {
	v := listing(t, 20, 100, 30)
	drawn := bare(v, 20)
	for _, want := range []string{"▾ 100 dropped  limit of search 0", "▾ 30 dropped  limit of search 1", "▌   rank 100  A page › Part 0", "… 89 more", "… 27 more"} {
		if strings.Count(drawn, want) != 1 {
			t.Errorf("%q does not stand once in\n%s", want, drawn)
		}
	}
	if n := len(v.Listed()); n != 130 {
		t.Errorf("%d candidates are listed", n)
	}
}

// However many there are, what is free to show as many as have room fills the pane and no
// more, and the heads of all groups stay in sight.
func TestGroupsShareTheRoom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 4).Draw(rt, "sizes")
		h := rapid.IntRange(0, 60).Draw(rt, "h")
		l := &listing(t, h, sizes...).list
		least, all := 2, 2
		for _, n := range sizes {
			least += 1 + min(n, leastShown+1)
			all += 1 + n
		}
		if want := min(all, max(h, least)); len(l.rows) > want || len(l.rows) < min(want, h)-1 {
			rt.Errorf("%d rows in %d, want %d", len(l.rows), h, want)
		}
	})
}

// Space shows all of a group, then their number alone, and keeps what is selected in sight.
func TestGroupsFold(t *testing.T) {
	v := listing(t, 20, 100, 30)
	l := &v.list
	v.fold()
	if n := len(shownIn(l, 0)); n != 100 || l.selected() == nil || l.selected().id != "0.0" {
		t.Fatalf("%d are shown, %+v selected", n, l.selected())
	}
	outcomePane{v}.Move(widget.Down)
	v.fold()
	if n := len(shownIn(l, 0)); n != 0 || l.selected() != nil || l.foldable().key != "g0" {
		t.Fatalf("%d are shown, on %+v", n, l.foldable())
	}
	if shown := bare(v, 20); !strings.Contains(shown, "▌▸ 100 dropped") || !strings.Contains(shown, "Part 9") {
		t.Errorf("the group is not folded, or the other has not taken the room:\n%s", shown)
	}
	// The line that says how many more there are shows them, and goes to the first.
	v = listing(t, 20, 100)
	l = &v.list
	outcomePane{v}.Move(widget.End)
	if l.rows[l.At].kind != restRow {
		t.Fatalf("at the end stands %+v", l.rows[l.At])
	}
	at := l.rows[l.At].at
	v.open()
	if v.fold(); l.selected() == nil || l.selected().id != fmt.Sprintf("0.%d", at) {
		t.Errorf("it goes to %+v, want the candidate %d", l.selected(), at)
	}
	// What the user has folded stays so when the same stage is listed anew.
	l.fold()
	l.put(l.text, l.groups)
	if n := len(shownIn(l, 0)); n != 0 {
		t.Errorf("%d are shown again", n)
	}
}

// What is folded is found, and stays in sight afterwards.
func TestFindingUnfolds(t *testing.T) {
	v := listing(t, 12, 50, 50)
	v.list.fold()
	v.list.fold()
	v.Search("part 40")
	if at, of := v.Found(); at != 1 || of != 2 || v.list.selected().id != "0.40" {
		t.Fatalf("found %d of %d, on %+v", at, of, v.list.selected())
	}
	v.Step(1)
	v.Search("")
	if c := v.list.selected(); c == nil || c.id != "1.40" || !v.list.Has(v.list.At) {
		t.Errorf("after finding, %+v is selected", c)
	}
	if n := len(shownIn(&v.list, 0)); n != 0 {
		t.Errorf("what was folded shows %d", n)
	}
	if _, of := v.Found(); of != 0 || v.Stops() != 0 {
		t.Errorf("%d are still found", of)
	}
}

// A row read aloud says what the group's head says of all of them; a head says whether it
// is folded.
func TestOutcomesInWords(t *testing.T) {
	v := listing(t, 20, 100)
	pane := outcomePane{v}
	said := []string{pane.Said()}
	pane.Move(widget.Up)
	said = append(said, pane.Said())
	v.fold()
	v.fold()
	said = append(said, pane.Said())
	v.list.groups[0] = group{key: "merged", what: "1 merged", why: "found by both", all: []candidate{{id: "x", name: "Depth", into: "Decay"}}}
	v.list.put(nil, v.list.groups)
	pane.Move(widget.Down)
	said = append(said, pane.Said())
	want := []string{
		"rank 100, A page › Part 0, limit of search 0", "unfolded, 100 dropped, limit of search 0",
		"folded, 100 dropped, limit of search 0", "Depth, into Decay",
	}
	if !slices.Equal(said, want) {
		t.Errorf("%q\nwant %q", said, want)
	}
	if chunk, ok := pane.Selected(); !ok || chunk != (view.Chunk{ID: "x"}) {
		t.Errorf("selected %+v", chunk)
	}
}

// However narrow it is, a row fits.
func TestOutcomesFit(t *testing.T) {
	v := listing(t, 20, 3, 30)
	v.list.groups[0].all[0].into = "余余余"
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 80).Draw(rt, "w"), rapid.IntRange(1, 30).Draw(rt, "h")
		pane := outcomePane{v}
		pane.SetSize(w, h)
		for _, l := range pane.Draw(w, h, true) {
			if ansi.StringWidth(l) != w {
				rt.Fatalf("%q is not %d cells wide", l, w)
			}
		}
	})
}

// What is called alike on several pages is named by what tells their addresses apart, in
// whichever groups it stands; what is called alike on one page keeps its name.
func TestCandidatesOfSeveralPagesAreToldApart(t *testing.T) {
	of := func(url, page, name string) candidate {
		return candidate{page: page, name: name, of: view.Page{URL: url}}
	}
	groups := []group{
		{all: []candidate{of("https://a.example/1", "Notes", "Licence"), of("https://a.example/2", "Notes", "Licence"), of("https://a.example/1", "Notes", "Use")}},
		{all: []candidate{of("https://a.example/1", "Notes", "Use"), of("https://a.example/3", "", "Home"), of("https://a.example/4", "", "Home")}},
	}
	tellApart(groups)
	var got []string
	for _, g := range groups {
		for i := range g.all {
			got = append(got, g.all[i].way())
		}
	}
	want := []string{"Notes (1) › Licence", "Notes (2) › Licence", "Notes › Use", "Notes › Use", "Home (3)", "Home (4)"}
	if !slices.Equal(got, want) {
		t.Errorf("they are called %q, not %q", got, want)
	}
}
