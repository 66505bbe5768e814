package welcome

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Corpus is a corpus that can be switched to.
type Corpus struct {
	Name string `json:"name"`
	// Place tells corpora apart and opens this one: a path, or the address of a
	// database without its password.
	Place string `json:"place"`
}

// Needs are what the welcome is made of beside the session.
type Needs struct {
	// Index fills the corpus at a place, which may have to be made, with the pages of a
	// source, and says in a sentence what it did; nil is a program that only looks.
	Index func(ctx context.Context, place, source string, progress func(indexing.Progress)) (string, error)
	// CheckSource says what is wrong with a source, before it is indexed; nil checks nothing.
	CheckSource func(source string) error
	// Open opens a corpus; nil is a program with one.
	Open func(ctx context.Context, place string) (*session.Corpus, error)
	// Guide is a corpus to look around in, nil for none, and Own the place of the one that
	// pages are indexed into from there, empty for none; Corpora are those that are known.
	// Place is that of the one that is open, or was to be, Name what it is called, Command
	// the words of the command line that opens it.
	Guide       *Corpus
	Own         string
	Corpora     func() []Corpus
	Place, Name func() string
	Command     func() []string
	// Examples are queries for a corpus that has none of its own.
	Examples func() []string
	// IsEditing says that the query is being typed.
	IsEditing func() bool
	// Take puts a corpus that was opened in place of the present one; asking puts the
	// cursor into the query line. Again shows anew what the present one holds.
	Take  func(place string, c *session.Corpus, asking bool) tea.Cmd
	Again func() tea.Cmd
	// Views are those of the program, for the first page; Height is how many lines this has.
	Views  func() []Named
	Height func() int
	// Failed is told that a failure came, or went.
	Failed func()
}

// Named is a view as the first page names it: by the action that opens it, its title, and
// what it shows.
type Named struct{ Action, Title, Help string }

// View is the welcome.
type View struct {
	view.Shell
	needs     Needs
	failure   *Failure // that of the session, in words
	opening   opening
	typeahead typeahead
	// chosen is the example under the cursor, from 1; shown are those in sight, the first
	// on the line firstExample.
	chosen, firstExample int
	shown                widget.List
	// indexedAt is the place of the corpus that pages were last indexed into.
	indexedAt string
	// toOpen says that this one is opened once it is filled.
	toOpen bool
	// checking looks whether there is something to index, ticking draws how far it is.
	checking, ticking view.Work
}

// New is a welcome in which nothing has happened.
func New(shell view.Shell, needs Needs) *View { return &View{Shell: shell, needs: needs} }

// Actions are the ways to a corpus. Those of the welcome mean something in a context.
func (v *View) Actions(in view.Contexts) []view.Action {
	welcoming := func() (bool, string) {
		return v.IsShown(), "there is a corpus with pages; the palette can index more, or switch to another"
	}
	return []view.Action{
		{
			ID: "corpus.switch", Title: "Corpus: Open another…", Words: "switch to database change", Help: "Open another corpus in place of this one.", Outside: true,
			Contexts: view.AnyPane, Enabled: v.canSwitch, Run: v.chooseCorpus,
		},
		{
			ID: "corpus.connect", Title: "Corpus: Open a file or database…", Help: "Open a corpus by its path, or by the address of a PostgreSQL database.", Words: "connect", Outside: true,
			Contexts: view.AnyPane, Enabled: v.canSwitch, Run: v.promptCorpus,
		},
		{
			ID: "welcome.index", Title: "Welcome: Index a folder", Short: "index a folder", Help: "While there is no corpus: fill one with the pages of a folder.", Outside: true,
			Keys: []string{"i"}, Contexts: in, Footer: 99, Enabled: welcoming, Run: v.promptIndex,
		},
		{
			ID: "welcome.guide", Title: "Welcome: Open the guide", Short: "open the guide", Help: "While there is no corpus: look at the bundled guide.", Outside: true,
			Keys: []string{"d"}, Contexts: in, Footer: 98, Enabled: welcoming, Run: v.openGuide,
		},
		{
			ID: "welcome.connect", Title: "Welcome: Connect to a database", Short: "connect", Help: "While there is no corpus: open a file, or connect to PostgreSQL.", Outside: true,
			Keys: []string{"c"}, Contexts: in, Footer: 97, Enabled: v.canSwitch, Run: v.promptCorpus,
		},
		{
			ID: "corpus.index", Title: "Corpus: Index a folder…", Words: "add import ingest crawl", Help: "Add the pages of a folder or file to this corpus, or bring them up to date; from the guide, to one of your own.", Outside: true,
			Contexts: view.AnyPane, Enabled: v.canIndex, Run: v.promptIndex,
		},
	}
}

// IsShown says that there are no pages to ask: no corpus, or an empty one that may be
// filled.
func (v *View) IsShown() bool {
	if v.Session().Indexing() != "" || v.needs.Index == nil {
		return false
	}
	if v.Session().Corpus() == nil {
		return v.failure != nil && errors.Is(v.failure.Err, session.ErrNoCorpus)
	}
	return v.IsEmpty() && !v.Session().Corpus().Foreign
}

// IsFilling says that the first pages of the corpus are being indexed: there is nothing to
// ask, or to try again, before they are there.
func (v *View) IsFilling() bool {
	return v.Session().Indexing() != "" && !v.isIndexedElsewhere() && (v.Session().Corpus() == nil || v.IsEmpty())
}

// IsEmpty says that the corpus is known to have no pages.
func (v *View) IsEmpty() bool { return v.Session().Summary().IsEmpty() }

// Take shows what work of the welcome's has brought.
func (v *View) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindOpenBeside:
		return v.onOpenedBeside(d)
	case session.KindIndex:
		return v.onIndexed(d)
	default:
		return nil
	}
}
