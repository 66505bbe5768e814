package reader

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// list is a list of sections with a cursor.
type list struct {
	items []*retrieval.Item
	at    int
}

func (l *list) Selected() *retrieval.Item { return l.Neighbour(0) }

func (l *list) Neighbour(n int) *retrieval.Item {
	if at := l.at + n; at >= 0 && at < len(l.items) {
		return l.items[at]
	}
	return nil
}

func (l *list) Matched() iter.Seq[*retrieval.Item] {
	return func(yield func(*retrieval.Item) bool) {
		for _, it := range l.items {
			if len(it.Matches) > 0 && !yield(it) {
				return
			}
		}
	}
}

func (l *list) Select(id string) bool {
	at := slices.IndexFunc(l.items, func(it *retrieval.Item) bool { return it.ChunkID == id })
	if at >= 0 {
		l.at = at
	}
	return at >= 0
}

// reading is a corpus of which sections are read.
type reading struct {
	session.Reader
	texts map[string]string
	asked []string
	err   error
}

func (r *reading) Section(_ context.Context, id string) (store.Chunk, error) {
	r.asked = append(r.asked, id)
	return store.Chunk{ID: id, ChunkText: r.texts[id], CharStart: 100, CharEnd: 100 + len(r.texts[id])}, r.err
}

func (r *reading) Summary(context.Context) (session.CorpusSummary, error) {
	return session.CorpusSummary{}, nil
}

// opened is the view of some sections, 60 by 20 cells, on a corpus.
func opened(t *testing.T, r *reading, items ...*retrieval.Item) (*View, *list, *viewtest.Shell) {
	t.Helper()
	shell, of := viewtest.New(t), &list{items: items}
	for _, w := range shell.Of.Take(&session.Corpus{Reader: r}, nil) {
		shell.Of.Apply(w.Run(t.Context()))
	}
	v := New(shell, Needs{
		List:      of,
		Cited:     func() (*retrieval.Item, citations.PageSpan) { return nil, citations.PageSpan{} },
		IsPainted: func() bool { return false },
		Empty:     func(int) []string { return nil },
	})
	v.SetSize(60, 20)
	return v, of, shell
}

// settle follows the list until nothing is under way.
func settle(v *View) {
	shell, _ := v.Shell.(*viewtest.Shell)
	ran := false
	var run func(tea.Cmd)
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
	for ran = true; ran; {
		ran = false
		run(v.Follow())
		for len(shell.Begun) > 0 {
			w := shell.Begun[0]
			shell.Begun = shell.Begun[1:]
			take(v, w.Run(context.Background()))
			ran = true
		}
	}
}

// take gives the view what work has brought, if it is awaited.
func take(v *View, d session.Done) {
	if v.Session().Awaits(d.Kind, d.Gen) {
		v.Session().Apply(d)
		v.Take(d)
	}
}

func bare(v *View) string { return viewtest.Bare(v.Draw(60, 20, true)) }

// What is fetched for a section is the view's own: the items of the list are the session's,
// which ranks and compares them beside the screen.
func TestTheItemsOfTheSessionStayAsTheyAre(t *testing.T) {
	t.Parallel()
	section := &retrieval.Item{ChunkID: "a", CharStart: 3}
	passage := &retrieval.Item{ChunkID: "b1", ParentID: "b", CharStart: 105, CharEnd: 109, RawSimilarity: .5}
	v, of, _ := opened(t, &reading{texts: map[string]string{"a": "Words of a.", "b": "Some words."}}, section, passage)
	settle(v)
	if it := v.Item(); it.ChunkText != "Words of a." || it.CharStart != 100 || it != v.Item() {
		t.Errorf("the section is read as %+v", it)
	}
	if !strings.Contains(bare(v), "Words of a.") {
		t.Errorf("its text is not shown:\n%s", bare(v))
	}
	of.at = 1
	settle(v)
	if it := v.Item(); it.ChunkText != "Some words." || len(it.Matches) != 1 || it.Matches[0].CharStart != 105 {
		t.Errorf("the passage is read as %+v", it)
	}
	if section.ChunkText != "" || section.CharStart != 3 || passage.ChunkText != "" || passage.Matches != nil || passage.CharStart != 105 {
		t.Errorf("written to: %+v and %+v", section, passage)
	}
}

// What is copied of all results has the texts that came later, and those of the session stay
// as they are.
func TestResultsAreCompletedWithTextsThatCame(t *testing.T) {
	t.Parallel()
	items := []retrieval.Item{{ChunkID: "a", ChunkText: "Words of a."}, {ChunkID: "b"}, {ChunkID: "c"}}
	var of texts
	of.keep(store.Chunk{ID: "b", ChunkText: "Words of b.", CharStart: 7, CharEnd: 18})
	got := of.completed(items)
	if got[0].ChunkText != "Words of a." || got[1].ChunkText != "Words of b." || got[1].CharStart != 7 || got[2].ChunkText != "" {
		t.Errorf("completed %+v", got)
	}
	if items[1].ChunkText != "" {
		t.Error("the session's item is written to")
	}
}

// A text that comes once the cursor has moved on is there when it comes back.
func TestALateTextIsKept(t *testing.T) {
	t.Parallel()
	r := &reading{texts: map[string]string{"a": "Words of a.", "b": "Words of b."}}
	v, of, shell := opened(t, r, &retrieval.Item{ChunkID: "a"}, &retrieval.Item{ChunkID: "b"})
	v.Follow()
	if len(shell.Begun) != 1 {
		t.Fatalf("%d works are begun", len(shell.Begun))
	}
	late := shell.Begun[0]
	shell.Begun = nil
	of.at = 1
	settle(v)
	take(v, late.Run(t.Context()))
	if it := v.Item(); it.ChunkText != "Words of b." {
		t.Errorf("the late text takes the place of another: %+v", it)
	}
	of.at = 0
	settle(v)
	if it := v.Item(); it.ChunkText != "Words of a." {
		t.Errorf("it is read as %+v", it)
	}
	if slices.Sort(r.asked); !slices.Equal(r.asked, []string{"a", "b"}) {
		t.Errorf("read are %v, want each once", r.asked)
	}
}

// A section that cannot be read is said once, and read again when the corpus is opened anew.
func TestASectionThatCannotBeReadIsSaidOnce(t *testing.T) {
	t.Parallel()
	r := &reading{texts: map[string]string{"a": "Words of a."}, err: errors.New("the disk is gone")}
	v, of, shell := opened(t, r, &retrieval.Item{ChunkID: "a"}, &retrieval.Item{ChunkID: "b", ChunkText: "Words of b."})
	for _, at := range []int{0, 1, 0} {
		of.at = at
		settle(v)
	}
	if len(r.asked) != 1 || len(shell.Saids) != 1 || !strings.Contains(shell.Saids[0], "the disk is gone") {
		t.Fatalf("asked %v, said %q", r.asked, shell.Saids)
	}
	if of.items[0].ChunkText != "" {
		t.Errorf("written to: %+v", of.items[0])
	}
	r.err = nil
	shell.Of.Take(&session.Corpus{Reader: r}, nil)
	settle(v)
	if it := v.Item(); it.ChunkText != "Words of a." {
		t.Errorf("it is read as %+v", it)
	}
}

// What was being read of a page that has changed since is not shown, and is read anew.
func TestTextsAreAskedForAgainWherePagesHaveChanged(t *testing.T) {
	t.Parallel()
	r := &reading{texts: map[string]string{"a": "Words of a."}}
	v, _, shell := opened(t, r, &retrieval.Item{ChunkID: "a"})
	v.Follow()
	if len(shell.Begun) != 1 {
		t.Fatalf("%d works begun", len(shell.Begun))
	}
	late := shell.Begun[0]
	shell.Begun = nil
	v.Forget()
	shell.Of.Reindexed()
	take(v, late.Run(t.Context()))
	if v.Item().ChunkText != "" {
		t.Error("the text of the old page is shown")
	}
	r.texts["a"] = "Other words."
	settle(v)
	if got := v.Item().ChunkText; got != "Other words." {
		t.Errorf("it shows %q", got)
	}
}

// What the corpus was asked for before it was opened anew does not come any more.
func TestTextsAreAskedForAgainInACorpusThatWasOpenedAnew(t *testing.T) {
	t.Parallel()
	r := &reading{texts: map[string]string{"a": "Words of a."}}
	v, _, shell := opened(t, r, &retrieval.Item{ChunkID: "a"})
	v.Follow()
	shell.Begun = nil
	shell.Of.Take(&session.Corpus{Reader: r}, nil)
	settle(v)
	if it := v.Item(); it.ChunkText != "Words of a." {
		t.Errorf("it is read as %+v", it)
	}
}

// What is marked is what stands at another place of another text.
func TestMarksAreMovedToWhereTheTextStandsInTheHTML(t *testing.T) {
	t.Parallel()
	const own = "# Never compare\n\n| arm | range |\n| --- | --- |\n| cosine | −1 to 1 |\n\nNever compare them.\n"
	const html = "## Never compare\n\n| cosine | −1 to 1 |\n| --- | --- |\n\nNever compare them.\n"
	at := offset.NewIndex(own).Point(strings.Index(own, "Never compare them."))
	it := &retrieval.Item{
		ChunkID: "a", ChunkText: own, HTMLText: "<h2>", Surface: retrieval.SurfaceHTML,
		Matches: []retrieval.Match{{CharStart: at, CharEnd: at + 19, Similarity: .5}},
	}
	v, _, _ := opened(t, &reading{}, it)
	v.needs.ToMarkdown = func(string) (string, error) { return html, nil }
	v.NextForm()
	v.NextForm()
	settle(v)
	if v.shown.form != rendering.HTML {
		t.Fatalf("shown is the %s", v.shown.form)
	}
	mark, ok := v.shown.focused()
	if !ok {
		t.Fatal("no mark is focused")
	}
	if got, want := offset.NewIndex(html).Slice(mark.Start, mark.End), "Never compare them."; got != want || mark.Start == at {
		t.Errorf("%q is marked, at %d, want %q", got, mark.Start, want)
	}
	if s := (copying{v}).focusedSpan(it); s.Start != at {
		t.Errorf("what is copied, %v, counts in the HTML's text, want %d", s, at)
	}
}

// Another form is drawn anew although neither has been rendered yet.
func TestFormBeforeItIsRendered(t *testing.T) {
	t.Parallel()
	v, _, _ := opened(t, &reading{}, &retrieval.Item{ChunkID: "a", ChunkText: "## A *heading*\n\nwith `code`\n"})
	v.Follow()
	before := bare(v)
	v.NextForm()
	if v.shown.ready != nil || bare(v) == before {
		t.Error("the source is shown as what stands in for its rendering")
	}
}

// Whatever is pressed, the selection lies in the text, holds its own beginning or
// what comes before it, and ends with esc.
func TestPassagesStayInTheText(t *testing.T) {
	t.Parallel()
	const text = "## Depth decay\n\nA page that the crawler found three links away is *probably* less central. Its score is multiplied by `max(1 − depth × rate, floor)`.\n\n" +
		"- one\n- two, which is longer than a line of the pane and so goes on in the next one\n\n```go\nx := 1\n```\n\n| a | b |\n| --- | --- |\n| 日本語 | ✈️ |\n\nThe end.\n"
	it := &retrieval.Item{ChunkID: "a", ChunkText: text, Matches: []retrieval.Match{{CharStart: 40, CharEnd: 60}}}
	v, _, _ := opened(t, &reading{}, it)
	settle(v)
	keys := map[string]func(){}
	for _, a := range v.Actions() {
		for _, k := range a.Keys {
			if a.Contexts.Has(Passage) && len(k) == 1 {
				keys[k] = func() { a.Run() }
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v.shown.Top, v.shown.focus = rapid.IntRange(0, 8).Draw(t, "top"), rapid.IntRange(-1, 0).Draw(t, "mark")
		passages{v}.start()
		if !v.IsSelecting() {
			t.Fatal("nothing is selected")
		}
		s := *v.shown.passage
		for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"j", "k", "h", "l"}), 0, 40).Draw(t, "keys") {
			keys[k]()
			got := v.shown.passage.span()
			if got.Start < 0 || got.End > len([]rune(text)) || got.Start >= got.End || got.Start > s.from || got.Start < s.from && got.End != s.to {
				t.Fatalf("after %s: %+v of %+v", k, got, s)
			}
		}
		passages{v}.end()
		if v.IsSelecting() {
			t.Fatal("still selecting")
		}
	})
}

// Matches are stepped through from the best, which has the number 1, to the last one, by the
// numbers beside them, wherever they stand in the text.
func TestMatchesAreSteppedThroughByTheirNumbers(t *testing.T) {
	t.Parallel()
	const text = "First words.\n\nSecond words.\n\nThird words.\n"
	at := func(word string) retrieval.Match {
		start := strings.Index(text, word)
		return retrieval.Match{CharStart: start, CharEnd: start + len(word), Similarity: .5}
	}
	it := &retrieval.Item{ChunkID: "a", ChunkText: text, Matches: []retrieval.Match{at("Third words."), at("First words."), at("Second words.")}}
	v, _, _ := opened(t, &reading{}, it)
	settle(v)
	for i, word := range []string{"Third", "First", "Second"} {
		mark, ok := v.shown.focused()
		_, note := v.Title()
		if want := fmt.Sprintf("match %d/3", i+1); !ok || !strings.HasPrefix(text[mark.Start:], word) || !strings.HasPrefix(note, want) {
			t.Errorf("on %q, and it says %q, want %s", text[mark.Start:mark.End], note, want)
		}
		if want := fmt.Sprintf("▌%d  %s words.", i+1, word); !strings.Contains(bare(v), want) {
			t.Errorf("%q is missing in\n%s", want, bare(v))
		}
		v.Step(1)
	}
}

// A passage that is being selected is told from what matched without colours, too.
func TestASelectedPassageHasASignOfItsOwn(t *testing.T) {
	t.Parallel()
	const text = "First words.\n\nSecond words.\n"
	it := &retrieval.Item{ChunkID: "a", ChunkText: text, Matches: []retrieval.Match{{CharStart: 0, CharEnd: len("First words.")}}}
	v, _, _ := opened(t, &reading{}, it)
	settle(v)
	passages{v}.start()
	if got := bare(v); !strings.Contains(got, "┃1  First") || strings.Contains(got, "┃   Second") {
		t.Errorf("shown is\n%s", got)
	}
	passages{v}.extend(1)
	if got := bare(v); !strings.Contains(got, "┃   Second") {
		t.Errorf("shown is\n%s", got)
	}
}

// Laid out for another width, a text begins with what it began with.
func TestAnotherWidthKeepsThePlace(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 40 {
		long := strings.Repeat("it takes more lines in a pane that is narrower than this one is ", 1+(i%7)*(i%3))
		fmt.Fprintf(&b, "Word%d begins a paragraph; %s.\n\n", i, long)
	}
	text := b.String()
	v, _, _ := opened(t, &reading{}, &retrieval.Item{ChunkID: "a", ChunkText: text})
	v.SetSize(100, 20)
	settle(v)
	first := func() string {
		for _, line := range strings.Split(bare(v), "\n")[v.shown.headHeight():] {
			if words := strings.Fields(line); len(words) > 0 {
				return words[0]
			}
		}
		return ""
	}
	for _, width := range []int{40, 100, 60} {
		v.shown.Top = v.shown.ready.Rendering.LineOf(strings.Index(text, "Word20 "))
		v.shown.refit()
		if first() != "Word20" {
			t.Fatalf("at %d it begins with %s", v.shown.w, first())
		}
		v.SetSize(width, 20)
		settle(v)
		if first() != "Word20" {
			t.Errorf("at %d it begins with %s", width, first())
		}
	}
}
