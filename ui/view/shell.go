package view

import (
	"context"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
)

// The pauses before a spinner says that work goes on, and between its steps.
const (
	SpinnerDelay = 300 * time.Millisecond
	SpinnerStep  = 120 * time.Millisecond
)

// View is what the whole body of the screen can be about: panes that belong together.
type View interface {
	// Panes are its panes by name, in the order of tab; the first has the keys when
	// the view is opened. Pane returns one of them.
	Panes() []Context
	Pane(name Context) Pane
	// Arrange puts them into a body that has room for several; split is how far the
	// user has moved the border between two of them, in percent points, and upright
	// says that the body is too narrow for two side by side.
	Arrange(l *Layout, body image.Rectangle, split int, upright bool)
	// Actions are what can be done in it.
	Actions() []Action
	// Follow makes what it shows of the session as it is now. It is called after each
	// message while the view is shown, and costs nothing where nothing has changed.
	Follow() tea.Cmd
	// Enter is called when the view is opened.
	Enter() tea.Cmd
	// Leave forgets what it knew of the corpus, which is another one from now on.
	Leave()
}

// Chunk names what is selected in a pane: a chunk, with the section that it belongs to,
// which is itself for a section; or a page.
type Chunk struct {
	ID, Section string
	// URL is the address of the page that is selected, where none of its chunks is.
	URL string
	// Page is the page that it is, or is of.
	Page Page
}

// Page names a page by its address, and by its title without what all titles end with.
type Page struct{ URL, Title string }

// Selector is a pane in which a chunk can be selected.
type Selector interface {
	Selected() (chunk Chunk, ok bool)
}

// Taker is a view that is told what work of the session has brought, if it is awaited.
type Taker interface {
	Take(d session.Done) tea.Cmd
}

// Toured is a view in which a tour can select things.
type Toured interface {
	// IsBusy says that what is shown is still being read: a tour waits for it.
	IsBusy() bool
	// SelectNamed selects the first thing one of whose names is meant; missing says that
	// there is none.
	SelectNamed(is func(names ...string) bool) (cmd tea.Cmd, missing string)
}

// Shell is what a view may ask of the explorer around it.
type Shell interface {
	// Session is what is asked and tuned, and what came of it. Its commands are
	// begun by Begin, parameters are changed by Set.
	Session() *session.Session
	Styles() *theme.Styles
	// Context is the life of the explorer, which work beside the screen ends with.
	Context() context.Context

	// Set changes the parameters and ranks anew. field is the parameter that was
	// changed, empty for a change of many.
	Set(p param.Params, field string) tea.Cmd
	// Begin shows what a command of the session has changed, and begins its work: what
	// that brings comes back as a message.
	Begin(work []session.Work) tea.Cmd
	// After is a message that comes later.
	After(d time.Duration, msg tea.Msg) tea.Cmd
	// Say shows a line that fades. It may name keys by actions, as Keyed has them.
	Say(text string, warning bool) tea.Cmd
	// Push opens a dialog over what is on the screen.
	Push(d Dialog) tea.Cmd
	// Answer ends what a prompt that stays has begun: without an error it is closed,
	// otherwise what was typed can be mended. It does nothing where the prompt was left,
	// and reports whether it was still open.
	Answer(p *Prompt, err error) (wasOpen bool)
	// LeaveTyping gives the keys back from the query line and from finding; what was typed
	// stays.
	LeaveTyping()
	// Copy puts text on the clipboard, and says of what.
	Copy(what, text string) tea.Cmd
	// OpenResult goes to the first of some chunks that is in the list of results, and
	// reports whether there is one.
	OpenResult(ids ...string) (cmd tea.Cmd, ok bool)
	// OpenSection shows the section of an id, whether the query found it or not: at a code
	// point of its text or, where that is negative, at its best mark.
	OpenSection(id string, at int) tea.Cmd
	// Browse opens an address in the browser; why says why it cannot be, if it cannot.
	Browse(address string) (cmd tea.Cmd, why string)

	// Focus gives a pane the keys, Focused is the one that has them.
	Focus(pane Context) tea.Cmd
	Focused() Context
	// IsSingle reports that one pane is shown at a time.
	IsSingle() bool

	// KeyOf is the key of an action as the screen shows it, Keyed is text with such
	// keys in the place of {action.id}.
	KeyOf(action string) string
	Keyed(text string) string
	// PageTitle is a page's title without what the titles of a corpus end with.
	PageTitle(title string) string
	// TitleSuffixes are those ends.
	TitleSuffixes() session.TitleSuffixes
	// IsEstimated reports that tokens were counted with a stand-in for the model's
	// vocabulary.
	IsEstimated() bool
}

// RestPause is how long a selection rests before what it needs is read or rendered. With
// less, a held-down arrow key does so for everything that it passes.
const RestPause = 30 * time.Millisecond

// Arrival is a message that knows what is to be done with what it brings. It drops itself
// where nobody waits for it any more.
type Arrival interface{ Apply() tea.Cmd }
