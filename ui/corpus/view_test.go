package corpus

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
)

// site reads pages that all have the same sections.
type site struct {
	session.Reader
	pages []session.PageEntry
	texts []string
	// links are the addresses that a page links to, by its id.
	links map[string][]string
}

func (s *site) Summary(context.Context) (session.CorpusSummary, error) {
	return session.CorpusSummary{Stats: store.Stats{Documents: len(s.pages)}}, nil
}

func (s *site) Pages(_ context.Context, from, n int) ([]session.PageEntry, error) {
	return s.pages[min(from, len(s.pages)):min(from+n, len(s.pages))], nil
}

func (s *site) PageLinks(_ context.Context, ids []string) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		for _, to := range s.links[id] {
			all[i] = append(all[i], store.PageKey(to))
		}
	}
	return all, nil
}

func (s *site) Page(_ context.Context, id string) (*session.PageContent, error) {
	c := &session.PageContent{Document: store.Document{ID: id, SourceURL: id}, Children: make([][]store.Chunk, len(s.texts))}
	at := 0
	for i, text := range s.texts {
		end := at + len([]rune(text))
		c.Sections = append(c.Sections, store.Chunk{ID: fmt.Sprintf("%s#%d", id, i), HeadingPath: []string{fmt.Sprintf("Part %d", i)}, CharStart: at, CharEnd: end})
		at = end
	}
	return c, nil
}

func (s *site) SectionTexts(_ context.Context, ids []string) (found []store.Chunk, err error) {
	for _, id := range ids {
		var i int
		_, number, _ := strings.Cut(id, "#")
		if _, err := fmt.Sscan(number, &i); err != nil {
			return nil, err
		}
		found = append(found, store.Chunk{ID: id, ChunkText: s.texts[i]})
	}
	return found, nil
}

// opened is the view of a site, 60 cells for the list and 80 for the page.
func opened(t *testing.T, s *site) (*View, *viewtest.Shell) {
	t.Helper()
	shell := viewtest.New(t)
	for _, w := range shell.Of.Take(&session.Corpus{Reader: s}, nil) {
		shell.Of.Apply(w.Run(t.Context()))
	}
	v := New(shell, Needs{
		Missing:  func(int) []string { return nil },
		Selected: func() *retrieval.Item { return nil },
		Marks: func(it *retrieval.Item) (all []spans.Span) {
			for _, m := range it.Matches {
				all = append(all, spans.Span{Start: m.CharStart, End: m.CharEnd, Level: spans.MatchStrong})
			}
			return all
		},
	})
	v.Pane(Pages).SetSize(60, 30)
	v.Pane(Page).SetSize(80, 30)
	settle(v)
	return v, shell
}

// settle follows the session until nothing is under way.
func settle(v *View) {
	var run func(tea.Cmd)
	ran := false
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		ran = true
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, c := range msg {
				run(c)
			}
		case view.Arrival:
			run(msg.Apply())
		}
	}
	shell, _ := v.Shell.(*viewtest.Shell)
	for ran = true; ran; {
		ran = false
		run(v.Follow())
		for len(shell.Begun) > 0 {
			d := shell.Begun[0].Run(context.Background())
			shell.Begun = shell.Begun[1:]
			if shell.Of.Awaits(d.Kind, d.Gen) {
				shell.Of.Apply(d)
				run(v.Take(d))
				ran = true
			}
		}
	}
}

func manyPages(n int) []session.PageEntry {
	pages := make([]session.PageEntry, n)
	for i := range pages {
		pages[i] = entry(fmt.Sprintf("https://a.example/%05d", i), 0)
	}
	return pages
}

func TestPagesComeInBlocks(t *testing.T) {
	v, _ := opened(t, &site{pages: manyPages(pagesAtOnce + 3*pageBlock)})
	if n := len(v.tree.pages.pages); n != pagesAtOnce || v.complete {
		t.Fatalf("%d pages are read at once, complete %v", n, v.complete)
	}
	for i := 1; i < 5; i++ {
		v.Pane(Pages).Move(widget.End)
		settle(v)
		if n := len(v.tree.pages.pages); n != pagesAtOnce+min(i, 3)*pageBlock {
			t.Fatalf("%d pages are read after %d times at the end", n, i)
		}
	}
	if !v.complete {
		t.Error("the last block is not known to be the last")
	}
}

// What was asked of a corpus that is no longer open is not awaited, and what the view asked
// itself changes nothing when it comes.
func TestLateAnswersAreDropped(t *testing.T) {
	s := &site{pages: manyPages(2 * pageBlock), texts: []string{"one"}}
	v, shell := opened(t, s)
	of := v.Session()
	reads := slices.Concat(of.ReadPages(0, 1), of.ReadPageLinks([]string{"x"}), of.ReadPage(v.page.id), of.ReadPageTexts([]string{v.page.id + "#0"}))
	late := map[string]tea.Cmd{}
	for name, of := range map[string]*view.Work{"rendering": &v.page.whole.rendering, "seeking": &v.page.whole.seeking} {
		late[name] = of.Run(t.Context(), func(context.Context) func() tea.Cmd {
			return func() tea.Cmd {
				t.Errorf("%s goes on", name)
				return nil
			}
		})
	}
	v.Leave()
	for _, w := range reads {
		if of.Awaits(w.Kind, w.Gen) {
			t.Errorf("%s is awaited", w.Kind)
		}
	}
	for name, cmd := range late {
		if msg, ok := cmd().(view.Arrival); !ok || msg.Apply() != nil {
			t.Errorf("%s begins more", name)
		}
	}
	of.Leave()
	if v.Begin(v.Session().ReadPage(v.page.id)); len(shell.Begun) > 0 {
		t.Errorf("%d works without a corpus", len(shell.Begun))
	}
}

func TestTheTextsOfAPage(t *testing.T) {
	texts := []string{"## One\n\nOf depth.", "## Two\n\nOf nothing.", "## Three\n\nDepth and depth.\n\nThe very end."}
	s := &site{pages: []session.PageEntry{entry("https://a.example/", 0)}, texts: texts}
	v, shell := opened(t, s)
	r := &retrieval.Result{Items: []retrieval.Item{{ChunkID: "https://a.example/#2", DocumentID: "https://a.example/", Rank: 1, Matches: []retrieval.Match{
		{ChunkID: "m", CharStart: 10, CharEnd: 15}, {ChunkID: "n", CharStart: 20, CharEnd: 25},
	}}}}
	v.answer = evidenceOn(r)
	v.answer.of = v.Session().Result() // it is followed as if it were that
	shell.At = Page
	v.toggleWhole()
	settle(v)
	w, pane := &v.page.whole, pagePane{v}
	if w.texts != len(texts) || len(w.matches) != 2 || !v.IsRendered() {
		t.Fatalf("%d texts of %d sections, %d matches, rendered %v", w.texts, len(texts), len(w.matches), v.IsRendered())
	}
	if shown := ansi.Strip(strings.Join(pane.Draw(80, 30, true), "\n")); !strings.Contains(shown, "The very end.") {
		t.Errorf("the last line is not shown:\n%s", shown)
	}
	pane.SetSize(80, 3)
	pane.Move(widget.End)
	settle(v)
	last := w.sections[2].rendering.PlainLines(0, w.sections[2].height)
	if shown := ansi.Strip(strings.Join(pane.Draw(80, 3, true), "\n")); !strings.Contains(shown, strings.TrimSpace(last[len(last)-1])) {
		t.Errorf("the last line is not at the foot:\n%s", shown)
	}
	pane.Move(widget.Home)
	pane.Search("depth")
	settle(v)
	if at, of := pane.Found(); at != 1 || of != 3 {
		t.Fatalf("found %d of %d", at, of)
	}
	for i := range w.hits {
		hit := w.hits[w.focus]
		if got := string([]rune(texts[hit.section])[hit.start:hit.end]); !strings.EqualFold(got, "depth") {
			t.Errorf("hit %d is %q", i, got)
		}
		pane.Step(1)
	}
	if at, _ := pane.Found(); at != 1 {
		t.Errorf("after the last comes hit %d", at)
	}
}

// A page that gave evidence has its rank in the list and its sign in the diagram, one that
// was reached a dash in both, and one that only stands between others nothing.
func TestTraversalSigns(t *testing.T) {
	const at = "https://a.example/"
	s := &site{
		pages: []session.PageEntry{entry(at, 0), entry(at+"between", 1), entry(at+"dropped", 2), entry(at+"given", 2), entry(at+"off", 2)},
		links: map[string][]string{at: {at + "between"}, at + "between": {at + "given", at + "dropped", at + "off"}},
	}
	v, _ := opened(t, s)
	v.answer = answerOf([]string{at + "given"}, []string{at + "dropped"})
	roots, _ := traversal(&v.tree.pages, v.answer)
	d := traversalDrawing{styles: v.Styles(), label: byAddress}
	drawn := viewtest.Bare(d.diagram(roots, 80))
	if want := "a.example → /between → /given [✓]\n                     → /dropped [–]"; drawn != want {
		t.Errorf("drawn\n%s\nwant\n%s", drawn, want)
	}
	listed := viewtest.Bare(v.Pane(Pages).Draw(60, 12, true))
	for page, rank := range map[string]string{"": "", "between": "", "dropped": "–", "given": "1", "off": ""} {
		line := regexp.MustCompile(`(?m) a\.example/` + page + ` +([–0-9]*) +\d$`).FindStringSubmatch(listed)
		if line == nil || line[1] != rank {
			t.Errorf("%q has %q in the list, want the rank %q:\n%s", page, line, rank, listed)
		}
	}
}

// Sorting leaves the cursor on its page, and says the way: upwards from the least.
func TestSortingKeepsThePage(t *testing.T) {
	v, _ := opened(t, &site{pages: manyPages(30)})
	for i := range v.tree.pages.pages {
		v.tree.pages.pages[i].Tokens = 100 - i
	}
	v.toggleTable()
	v.tree.goTo(7)
	id := v.tree.selected().ID
	for range 2 * int(orderCount) {
		v.sortPages(false)
		if got := v.tree.selected().ID; got != id {
			t.Fatalf("by %s it goes to %s, from %s", v.tree.order, got, id)
		}
	}
	for v.tree.order != orderTokens {
		v.sortPages(false)
	}
	least := v.tree.pages.pages[v.tree.rows[0].Node].Tokens
	if head := viewtest.Bare(v.Pane(Pages).Draw(60, 12, true)[:1]); !strings.Contains(head, "↑tokens") || least != 71 {
		t.Errorf("%q stands over %d", head, least)
	}
	v.sortPages(true)
	if head := viewtest.Bare(v.Pane(Pages).Draw(60, 12, true)[:1]); !strings.Contains(head, "↓tokens") || v.tree.selected().ID != id {
		t.Errorf("turned round, %q, on %s", head, v.tree.selected().ID)
	}
}

// Nothing is found before anything is typed, in either pane and in a page that is shown
// whole, whatever n and N step through.
func TestNothingIsFoundUntyped(t *testing.T) {
	s := &site{pages: []session.PageEntry{entry("https://a.example/", 0)}, texts: []string{"one", "two"}}
	v, shell := opened(t, s)
	v.answer = evidenceOn(&retrieval.Result{Items: []retrieval.Item{{ChunkID: "https://a.example/#1", DocumentID: "https://a.example/", Rank: 1, Matches: []retrieval.Match{{ChunkID: "m", CharEnd: 3}}}}})
	v.answer.of = v.Session().Result()
	shell.At = Page
	for _, whole := range []bool{false, true} {
		if whole {
			v.toggleWhole()
			settle(v)
		}
		for _, pane := range []view.Context{Pages, Page} {
			finder := v.Pane(pane).(view.Finder)
			if _, of := finder.Found(); of != 0 || finder.Stops() == 0 {
				t.Errorf("%s, whole %v: %d found, %d stops", pane, whole, of, finder.Stops())
			}
		}
	}
}

// The columns of the sections stand under their heads; parts of a section say which.
func TestSectionsStandInColumns(t *testing.T) {
	s := &site{pages: []session.PageEntry{entry("https://a.example/", 0)}, texts: []string{"one", "two", "three"}}
	v, _ := opened(t, s)
	settle(v)
	for i := range 2 {
		v.page.content.Sections[i].HeadingPath = []string{"Dict"}
	}
	v.page.content.Sections[1].Flags = store.HasTable
	v.page.content.Sections[2].HeadingPath, v.page.content.Sections[2].Anchor = []string{"Dict"}, "another"
	v.answer = answerOf([]string{"https://a.example/"}, nil)
	v.answer.items[v.page.content.Sections[1].ID] = &retrieval.Item{Rank: 12}
	v.answer.of = v.Session().Result()
	drawn := strings.Split(viewtest.Bare(v.Pane(Page).Draw(80, 30, false)), "\n")
	at := slices.IndexFunc(drawn, func(l string) bool { return strings.HasPrefix(l, " section ") })
	if at < 0 {
		t.Fatalf("no heads:\n%s", strings.Join(drawn, "\n"))
	}
	head, row := drawn[at], drawn[at+3]
	if !strings.HasPrefix(drawn[at+2], "▌Dict 1/2") || !strings.HasPrefix(row, " Dict 2/2") || !strings.HasSuffix(strings.Fields(drawn[at+4])[0], "Dict") || strings.Contains(drawn[at+4], "/") {
		t.Errorf("rows\n%s", strings.Join(drawn[at:], "\n"))
	}
	for name, cell := range map[string]string{"rank": "12", "characters": "3–6"} {
		above, _, isHead := strings.Cut(head, name)
		before, _, isRow := strings.Cut(row, cell)
		if !isHead || !isRow || ansi.StringWidth(above+name) != ansi.StringWidth(before+cell) {
			t.Errorf("%q does not end under %q:\n%s\n%s", cell, name, head, row)
		}
	}
	if strings.Index(head, "kinds") != strings.Index(row, "T ") {
		t.Errorf("the kinds do not stand under their head:\n%s\n%s", head, row)
	}
}

// A page can be reached by its title or its address, and stands out then.
func TestSelectingByName(t *testing.T) {
	v, shell := opened(t, &site{pages: manyPages(20)})
	cmd, missing := v.SelectNamed(func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, "00007") })
	})
	chunk, ok := v.Pane(Pages).(view.Selector).Selected()
	if cmd != nil || missing != "" || !ok || chunk.URL != "https://a.example/00007" || chunk.URL != chunk.Page.URL || chunk.ID != "" || shell.At != Pages {
		t.Errorf("selected %+v, focus %s, missing %q", chunk, shell.At, missing)
	}
	if v.IsBusy() || !New(shell, v.needs).IsBusy() {
		t.Error("what waits is not for the first pages")
	}
	if _, missing := v.SelectNamed(func(...string) bool { return false }); missing == "" {
		t.Error("nothing says that there is no such page")
	}
}

func TestSelectedRowsInWords(t *testing.T) {
	const at = "https://a.example/"
	guide, ties := entry(at, 0), entry(at+"ties", 1)
	guide.Title, guide.Tokens, guide.Sections, ties.Title = "A guide"+strings.Repeat(" and more", 20), 1200, 3, "Ties"
	v, shell := opened(t, &site{pages: []session.PageEntry{guide, ties}, links: map[string][]string{at: {at + "ties"}}, texts: []string{"one", "two"}})
	said := func(pane view.Context) string { return v.Pane(pane).Said() }
	check := func(pane view.Context, want string) {
		t.Helper()
		if got := said(pane); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	v.answer = answerOf([]string{at}, []string{at + "ties"})
	v.answer.of = v.Session().Result()
	signs := v.Styles().Signs
	name := guide.Title // whole, though the row has no room for it
	check(Pages, name+", unfolded, rank 1, depth 0")
	v.tree.fold()
	check(Pages, name+", folded, rank 1, depth 0")
	v.tree.fold()
	v.Pane(Pages).Move(widget.Down)
	check(Pages, "Ties, gave nothing, depth 1")
	v.Pane(Pages).SetSize(40, 30)
	check(Pages, "Ties, gave nothing")
	v.Pane(Pages).SetSize(60, 30)
	v.toggleTable()
	v.Pane(Pages).Move(widget.Home)
	check(Pages, name+", rank 1, tokens 1.2k, depth 0, sections 3")

	settle(v)
	shell.At = Page
	v.page.content.Sections[0].Flags = store.HasTable | store.HasCode
	v.answer.items[v.page.content.Sections[0].ID] = &retrieval.Item{Rank: 2}
	check(Page, "Part 0, rank 2, 0 tokens, tables or code, characters 0"+signs.Dash+"3")
	v.Pane(Page).Move(widget.Down)
	check(Page, "Part 1, 0 tokens, characters 3"+signs.Dash+"6")
	if chunk, ok := v.Pane(Page).(view.Selector).Selected(); !ok || chunk != (view.Chunk{ID: at + "#1", Section: at + "#1", Page: view.Page{URL: at, Title: name}}) {
		t.Errorf("selected %+v", chunk)
	}
	v.Pane(Page).SetSize(80, 2)
	v.page.Top = 0
	check(Page, "") // it is further down
	v.Pane(Page).SetSize(80, 30)
	v.Pane(Page).Move(widget.Home)
	check(Page, "whole page, m")
	if chunk, ok := v.Pane(Page).(view.Selector).Selected(); !ok || chunk != (view.Chunk{URL: at, Page: view.Page{URL: at, Title: name}}) {
		t.Errorf("selected %+v where no section is", chunk)
	}
	v.page.asWhole = true
	check(Page, "") // there is no row
}
