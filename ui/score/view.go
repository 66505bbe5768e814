package score

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Pane is the pane's name.
const Pane view.Context = "score"

// The actions whose keys the pane names.
const (
	paint    = "cosine.paint"
	leaveOut = "cosine.leaveout"
)

// Needs are what the pane asks of the explorer beside what all views do.
type Needs struct {
	// Reading are the panes in which one section is read.
	Reading view.Contexts
	// IsOnPage reports that a page is selected, which has no score of its own.
	IsOnPage func() bool
	// Painted tells that the words of the section are painted in its text from now
	// on, or are not any more.
	Painted func()
}

// View is the pane of the score of one section, as [view.Pane].
type View struct {
	view.Shell
	needs Needs

	w     int
	pager widget.Pager // over lines
	// item is the section, focused the match that its text stands on, -1 for none.
	item    *retrieval.Item
	focused int
	// cosines are those of the examined section, nil while they are not known; version
	// counts the changes of what was found out about it.
	cosines *session.Cosines
	version int
	// painted says that the text shows what its words bring to the cosine.
	painted bool

	// lines are all of them, made of what made says; count counts how often. said is
	// that of the match that the text stands on, -1 for none.
	lines []string
	made  subject
	count int
	said  int
	drawn widget.Drawing[window]
}

// subject is all that the lines depend on.
type subject struct {
	item *retrieval.Item
	// of is the result that the item belongs to, nil for an opened span alone.
	of      *retrieval.Result
	focused int
	// withText says that the item's text is there, which comes when it is selected.
	withText bool
	// version is of what was found out about the section beyond its ranking; params
	// are what it was ranked by, query what for.
	version int
	params  param.Params
	query   string
	// isEstimated marks counts of tokens that another tokenizer made.
	isEstimated bool
	w           int
	styles      *theme.Styles
}

// window is all that the visible part of the lines depends on.
type window struct {
	count, w int
	shown    widget.Pager
}

// New is the pane while nothing is selected.
func New(s view.Shell, n Needs) *View { return &View{Shell: s, needs: n, focused: -1} }

// Actions are what can be done with the cosines of a section.
func (v *View) Actions() []view.Action {
	return []view.Action{
		{
			ID: paint, Title: "Cosine: Paint its words", Short: "words", Help: "Paint in the text what each word brings to the cosine; again or esc takes it away.",
			Keys: []string{"c"}, Contexts: v.needs.Reading, Footer: 38, Enabled: v.canPaint,
			Run: v.Paint,
		},
		{
			ID: leaveOut, Title: "Cosine: Leave each word out", Help: "Ask the embedding server for the query without each word; the pane says how many texts that is.",
			Keys: []string{"L"}, Contexts: v.needs.Reading, Enabled: v.canLeaveOut,
			Run: func() tea.Cmd { return v.Begin(v.Session().OpenCosines()) },
		},
	}
}

func (v *View) canPaint() (bool, string) {
	x := v.Session().Examination()
	switch {
	case v.painted:
		return true, ""
	case x.Item == nil:
		return false, "nothing is selected"
	case !x.HasCosines:
		return false, "no cosine selected this section: there is nothing to paint"
	case v.cosines == nil && x.Cost > 0:
		return false, "{cosine.leaveout} asks the embedding server first: " + wording.Plural(x.Cost, "text")
	case x.Failed != nil:
		return false, wording.Line(x.Failed.Error())
	}
	return true, ""
}

func (v *View) canLeaveOut() (bool, string) {
	x := v.Session().Examination()
	switch {
	case x.Item == nil:
		return false, "nothing is selected"
	case !x.HasCosines:
		return false, "no cosine selected this section: there is nothing to open"
	case x.Asking:
		return false, "the embedding server is being asked"
	case x.Cost == 0:
		return false, "what each word brings is known: nobody has to be asked"
	}
	return true, ""
}

// IsPainted reports that the words of the section are painted in its text by what they
// bring to its cosine.
func (v *View) IsPainted() bool { return v.painted }

// Paint paints the words of the section, or takes that away.
func (v *View) Paint() tea.Cmd {
	v.painted = !v.painted
	v.version++
	v.needs.Painted()
	if !v.painted {
		return v.Say("the matches are marked again", false)
	}
	// Words that are not known yet are painted as soon as they are.
	said := "painted: what each word brings to the cosine, in three strengths; {cosine.paint} or esc takes it away"
	if known := v.cosines; known != nil && !known.Exact {
		said = "painted: where the question's words stand, by how far the cosine falls without them; {cosine.paint} or esc takes it away"
	}
	return v.Say(said, false)
}

// Examine has the session look into a newly selected section, or into the same one in a
// new ranking; nil is none.
func (v *View) Examine(it *retrieval.Item) tea.Cmd {
	if it == v.Session().Examination().Item {
		return nil
	}
	return v.Begin(v.Session().Examine(it))
}

// Examined shows what else is known of the examined section.
func (v *View) Examined() {
	v.cosines = v.Session().Cosines(v.Session().Examination().Item)
	v.version++
}

// Show shows a section, nil for none; focused is the match that its text stands on, -1
// for none.
func (v *View) Show(it *retrieval.Item, focused int) {
	if v.item == nil || it == nil || v.item.ChunkID != it.ChunkID {
		v.pager.Top = 0
	}
	v.item, v.focused = it, focused
}

// Redraw draws anew what is kept as it was drawn.
func (v *View) Redraw() { v.lines = nil }

// SetSize implements [view.Pane].
func (v *View) SetSize(w, h int) { v.w, v.pager.Height = w, h }

// Hidden implements [view.Pager].
func (v *View) Hidden() (above, below int) {
	if v.item == nil {
		return 0, 0
	}
	return v.pager.Hidden()
}

// Title implements [view.Pane].
func (v *View) Title() (name, note string) { return "Score", "" }

// Move implements [view.Pane].
func (v *View) Move(verb widget.Verb) { v.pager.Scroll(verb.Lines(v.pager.Height)) }

// Click implements [view.Pane].
func (v *View) Click(int, int) tea.Cmd { return nil }
