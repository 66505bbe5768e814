package reader

import (
	"fmt"
	"iter"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

const (
	// Pane is the pane's name.
	Pane view.Context = "preview"
	// Passage is the pane while a passage of the text is being selected.
	Passage view.Context = "passage"
)

// Needs is what the view asks of the explorer around it, beside what all views do.
type Needs struct {
	// Reading are the panes in which one section is read.
	Reading view.Contexts
	// List is the list whose selected section is read.
	List List
	// Cited is a section of which a span is cited, nil for none.
	Cited func() (of *retrieval.Item, span citations.PageSpan)
	// IsPainted reports that words are to be marked by what they bring to the cosine,
	// in the place of matches.
	IsPainted func() bool
	// Empty are the lines in w cells while nothing is selected.
	Empty func(w int) []string
	// ToMarkdown makes markdown of HTML; nil is a program that cannot.
	ToMarkdown func(html string) (string, error)
	// JSON is a section as the command line prints it; nil is a program that cannot.
	JSON func(*retrieval.Item) ([]byte, error)
	// CommandLine is what opens the explorer on what it shows.
	CommandLine func() string
	// RefusesTour reports that a tour plays, which may not do what leaves the explorer.
	RefusesTour func(what string) bool
}

// List is what is asked of the list of sections.
type List interface {
	// Selected is the selected section, nil for none, and Neighbour the one n rows
	// further on.
	Selected() *retrieval.Item
	Neighbour(n int) *retrieval.Item
	// Matched goes through the listed sections with passages that the query matched.
	Matched() iter.Seq[*retrieval.Item]
	// Select selects the section of an id, and reports whether it is listed.
	Select(id string) bool
}

// View is the view of the text of the selected section: one pane, as [view.Pane].
type View struct {
	view.Shell
	needs Needs

	shown shownSection
	// words are what is searched for in the text, empty for nothing.
	words string

	// texts are those of sections that were fetched, fetching the sections whose texts
	// are on their way from the corpus of.
	texts    texts
	fetching map[string]bool
	of       *session.Corpus

	// ready are sections that were rendered, due is the one that is waited for.
	ready *rendering.Cache
	due   rendering.Key
	// resting is the pause before rendering.
	resting, rendering view.Work
}

var (
	_ view.Finder   = (*View)(nil)
	_ view.Selector = (*View)(nil)
	_ view.Taker    = (*View)(nil)
)

// readyKept is how many rendered sections are kept.
const readyKept = 48

// New is the view while nothing is selected.
func New(s view.Shell, n Needs) *View {
	return &View{
		Shell: s, needs: n, shown: shownSection{Shell: s, focus: -1},
		fetching: map[string]bool{}, ready: rendering.NewCache(readyKept),
	}
}

// Item is the selected section, with its text as far as that is known; nil for none.
func (v *View) Item() *retrieval.Item { return v.texts.with(v.needs.List.Selected()) }

// Forget forgets the texts of a corpus that has other pages from now on. What is shown
// stays.
func (v *View) Forget() {
	v.texts, v.ready, v.fetching = texts{}, rendering.NewCache(readyKept), map[string]bool{}
}

// Leave forgets all that is known of the corpus, which is another one from now on.
func (v *View) Leave() {
	v.rendering.End()
	v.Forget()
	v.shown.show(nil, nil)
}

// Redraw has the text drawn anew although nothing of it has changed.
func (v *View) Redraw() { v.shown.drawn = widget.Drawing[look]{} }

// SetSize implements [view.Pane].
func (v *View) SetSize(w, h int) { v.shown.setSize(w, h) }

// Hidden implements [view.Pager].
func (v *View) Hidden() (above, below int) {
	if v.shown.item == nil {
		return 0, 0 // what stands in its place is no text of the corpus
	}
	return v.shown.Hidden()
}

// Measure implements [view.Measured].
func (v *View) Measure() int { return rendering.Measure }

// allCountWidth is the width of the pane from which its title counts the matches of all
// sections, and names also the form that is shown first.
const allCountWidth = 56

// Title implements [view.Pane].
func (v *View) Title() (name, note string) {
	p := &v.shown
	name, note = p.title(), p.counter()
	if p.passage != nil {
		note = p.passageNote()
	} else if v.Focused() == Pane && p.w >= allCountWidth {
		if at, all := (stepping{v}).inAll(); at > 0 && all > len(p.stops) {
			note += fmt.Sprintf(" · %d/%d in all", at, all)
		}
	}
	if name == "" {
		name = "Section"
	}
	if p.item == nil || p.passage != nil {
		return name, note
	}
	// The first line of the text has the whole name: what is cut of it here costs nothing.
	if f := v.formOf(p.item); f != rendering.Rendered || p.w >= allCountWidth {
		if note != "" {
			note += "  "
		}
		note += f.String()
	}
	return name, note
}

// Draw implements [view.Pane].
func (v *View) Draw(w, h int, _ bool) []string {
	if v.shown.item == nil {
		return widget.Clip(v.needs.Empty(w), w, h)
	}
	return v.shown.view()
}

// Move implements [view.Pane]: it scrolls.
func (v *View) Move(verb widget.Verb) {
	v.shown.Top += verb.Lines(v.shown.textHeight())
	v.shown.refit()
}

// Click implements [view.Pane]: nothing in the text takes one.
func (v *View) Click(int, int) tea.Cmd { return nil }

// Selected implements [view.Selector].
func (v *View) Selected() (chunk view.Chunk, ok bool) {
	it := v.needs.List.Selected()
	if it == nil {
		return view.Chunk{}, false
	}
	return view.Chunk{ID: it.ChunkID, Section: it.SectionID()}, true
}

// Said implements [view.Pane]: a text has no selected row, and is read as it is.
func (v *View) Said() string { return "" }

// Take implements [view.Taker].
func (v *View) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindText:
		return fetcher{v}.take(d)
	case session.KindLinks:
		return leads{v}.offerLinks(d)
	case session.KindOutline:
		return leads{v}.offerOutline(d)
	case session.KindSection, session.KindAddress:
		if d.Err == nil {
			v.texts.keep(d.Section)
		}
	}
	return nil
}
