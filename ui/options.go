package ui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/welcome"
)

// Options say what the explorer opens and how. Only Open is required.
type Options struct {
	// Open opens the corpus. It runs behind the first frame.
	Open func(ctx context.Context) (*session.Corpus, error)
	// Place tells this corpus from others: what was last on its screen is kept
	// under it. It holds no secrets. Empty keeps nothing.
	Place string
	// Corpora are known beside those that were opened before; OpenPlace opens one,
	// or what the user types. nil is a program with one corpus.
	Corpora   []welcome.Corpus
	OpenPlace func(ctx context.Context, place string) (*session.Corpus, error)
	// Index fills the corpus at a place with the pages of a folder or file, making
	// the corpus if need be, and says in a sentence what it did. nil is a program
	// that only looks.
	Index func(ctx context.Context, place, source string, progress func(indexing.Progress)) (string, error)
	// Own is the place of the corpus that pages are indexed into while the first of Corpora
	// is open, which is never written. Empty indexes none then.
	Own string
	// CheckSource says what is wrong with a folder or file that is to be indexed,
	// before it is; nil checks nothing.
	CheckSource func(source string) error
	// Resume goes on with the query, the view and the parameters of the corpus's
	// last session, unless there is a query or a span.
	Resume bool
	// CorpusName stands in the header until the corpus is open.
	CorpusName string
	// Preset names the settings in Params, for the header.
	//
	// Defaults to "webrag".
	Preset string
	Params param.Params
	// Origin says where the value of a field in Params comes from, as in [session.Profile];
	// Base is the preset that they are based on, which defaults to Preset.
	Origin func(field string) string
	Base   string
	// Profiles lists what the parameters can start from instead; nil are the
	// presets. SaveProfile writes one and says where; unless it is to replace, it
	// fails with [session.ErrProfileExists] when there is one of the name. nil saves none.
	Profiles    func() ([]session.Profile, error)
	SaveProfile func(p session.Profile, replace bool) (where string, err error)
	// StartAt is what the parameters of another corpus start from, by the name of the
	// preset or profile that its last session ended with, empty for none. nil is Params.
	StartAt func(last string) session.Profile
	// Adapt gives a preset or profile as it suits the corpus at a place; nil takes
	// all as they are. Params are those before it.
	Adapt func(place string, p session.Profile) session.Profile
	// Query is asked at once; empty opens with the query line active.
	Query string
	// Examples are queries that the empty screen suggests for the first corpus,
	// where it has none of its own.
	Examples []string
	// Span is opened and painted as a citation; nil opens none.
	Span *citations.PageSpan
	// Tour is played at the start, at TourSpeed; 0 is 1. nil plays none.
	Tour      *tour.Script
	TourSpeed float64
	// Moved is told what is on the screen whenever that has changed; it must not
	// wait. Recording says in a few words how the recording goes. nil records
	// nothing.
	Moved     func(Move)
	Recording func() string
	// Notices are shown from the start, beside those of each result.
	Notices []retrieval.Notice

	// Theme names a theme of package theme or one of Themes; empty is
	// [theme.Lamp].
	Theme string
	// Themes are the user's own.
	Themes []*theme.Theme
	// Dark says what the background is; nil asks the terminal and assumes dark, or
	// light with AssumeLight, until it answers.
	Dark        *bool
	AssumeLight bool
	// Plain is for a screen that is read aloud: one pane at a time, words and
	// ASCII in place of lines and bars, no colours, the cursor on the selected row
	// and no screen of its own, so that what was read stays in the terminal.
	Plain bool
	// NoColor leaves all colours out.
	NoColor bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool

	// Keys is the user's table of keys, which [CheckKeys] finds nothing wrong with;
	// otherwise the defaults hold.
	Keys []keys.Rebinding

	// Sets is the folder of the query sets by which parameters are measured, and Judge who
	// judges. An empty folder is a program that judges nothing.
	Sets, Judge string

	// HTMLToMarkdown converts a section's sanitised HTML for display; without
	// it sections are shown in markdown.
	HTMLToMarkdown func(html string) (string, error)
	// ItemJSON encodes a section for the clipboard; without it that entry of
	// the copy menu is off.
	ItemJSON func(*retrieval.Item) ([]byte, error)
	// Clipboard writes the machine's own clipboard, beside the terminal's;
	// nil uses the terminal's only.
	Clipboard func(string) error
	// OpenURL shows an http or https address; nil disables it.
	OpenURL func(url string) error
	// Editor is the command line of an editor; empty disables it.
	Editor string
	// Command gives the words of the command line that opens the corpus at a place
	// with parameters that started from a preset or profile, without a query: what
	// the copy menu completes. Defaults to the program's name.
	Command func(place, start string, p param.Params) []string

	// StatePath is the file that keeps the split between runs; empty keeps
	// nothing.
	StatePath string
	// Debug gets a line for every message; nil gets none.
	Debug io.Writer
	// Version is shown in help.
	Version string
	// Now is the clock; nil is time.Now. After makes a message come later; nil
	// waits for it.
	Now   func() time.Time
	After func(time.Duration, tea.Msg) tea.Cmd
}

// withDefaults returns a copy with the defaults filled in.
func (o Options) withDefaults() Options {
	if o.Preset == "" {
		o.Preset = "webrag"
	}
	if o.Command == nil {
		o.Command = func(string, string, param.Params) []string { return []string{"webrag-tui"} }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	}
	if o.Params.Mode == "" {
		o.Params.Mode = param.ModeAuto
	}
	return o
}
