package ui

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/view"
)

// The contexts beside those of panes.
const (
	// onWelcome is the list of results while there is no corpus to ask.
	onWelcome view.Context = "welcome"
	// onPassage is the text of a section while a passage of it is being selected.
	onPassage = reader.Passage
	// onQuery and onFind take text: only keys without a character of their own are
	// bound there.
	onQuery view.Context = "query"
	onFind  view.Context = "find"
)

// placeNames are the contexts as sentences call them.
var placeNames = map[view.Context]string{
	paneResults: "the list of results", panePreview: "the text of a section", paneScore: "the score", paneTune: "the parameters",
	pipeline.Stages: "the stages", pipeline.Outcome: "the outcome of a stage",
	corpus.Pages: "the list of pages", corpus.Page: "the page",
	judge.Candidate: "the candidate", judge.Queries: "the queries of the set", judge.Grading: "judging",
	onWelcome: "the welcome", onPassage: "the passage that is selected", onQuery: "the query line", onFind: "the line of what is found",
}

// elsewhere says what a key is for in other places than the present one; empty for
// nothing.
func (k *keyboard) elsewhere(key string) string {
	if utf8.RuneCountInString(key) != 1 {
		return "" // it moves something, or nothing is missed
	}
	for i := range k.actions {
		a := &k.actions[i]
		if slices.Contains(a.Keys, key) && placeNames[a.Contexts[0]] != "" {
			return key + " is for " + placeNames[a.Contexts[0]] + ": " + a.Title
		}
	}
	return ""
}

// Sets of contexts.
var (
	inResults = view.Contexts{paneResults}
	inPreview = view.Contexts{panePreview}
	inScore   = view.Contexts{paneScore}
	inTune    = view.Contexts{paneTune}
	inPages   = view.Contexts{corpus.Pages, corpus.Page}
	inStages  = view.Contexts{pipeline.Stages, pipeline.Outcome}
	inWelcome = view.Contexts{onWelcome}
	inPassage = view.Contexts{onPassage}
	inQuery   = view.Contexts{onQuery}
	inFind    = view.Contexts{onFind}

	// reading are the panes about one section of the result.
	reading = view.Contexts{paneResults, panePreview, paneScore}
	// exploring are the panes of the explorer's own view.
	exploring = reading.And(inTune)
	anyPane   = view.AnyPane
	anywhere  = anyPane.And(inPassage, inQuery, inFind)
)

// takesText says that text is typed in a context.
func takesText(c view.Context) bool { return c == onQuery || c == onFind }

// binding is a key in one context.
type binding struct {
	context view.Context
	key     string
}

// keymap finds the action of a key. It is immutable.
type keymap map[binding]*view.Action

// keyboard is what can be done, and with which keys.
type keyboard struct {
	actions []view.Action
	keys    keymap
}

func (k *keyboard) actionOf(id string) *view.Action {
	for i := range k.actions {
		if k.actions[i].ID == id {
			return &k.actions[i]
		}
	}
	return nil
}

// collisionError says that a key means two things in one context.
type collisionError struct {
	key           string
	first, second *view.Action
	context       view.Context
}

func (e *collisionError) Error() string {
	return fmt.Sprintf("key %q means both %s and %s in %s", e.key, e.first.ID, e.second.ID, e.context)
}

// newKeymap binds the actions. A key with a character of its own is not bound
// where text is typed; two actions of one key in one context are an error.
func newKeymap(actions []view.Action) (keymap, error) {
	m := keymap{}
	for i := range actions {
		a := &actions[i]
		for _, k := range a.Keys {
			for _, c := range a.Contexts {
				b := binding{c, k}
				switch {
				case takesText(c) && isTyped(k):
				case m[b] != nil:
					return nil, &collisionError{key: k, first: m[b], second: a, context: c}
				default:
					m[b] = a
				}
			}
		}
	}
	return m, nil
}

// KeyInfo describes an action for documentation.
type KeyInfo struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Help     string         `json:"help"`
	Keys     []string       `json:"keys"`
	Contexts []view.Context `json:"contexts"`
	// Origin is where its keys come from: "default", or a place of the table that
	// changed them. Fixed says that no table can.
	Origin string `json:"origin"`
	Fixed  bool   `json:"fixed,omitempty"`
}

// Keys lists all actions in the order of the help screen, with the keys of a
// user's table; nil gives the defaults.
func Keys(table []Rebinding) ([]KeyInfo, error) {
	actions, _, err := bind(defaultActions(), table)
	if err != nil {
		return nil, err
	}
	out := make([]KeyInfo, len(actions))
	for i, a := range actions {
		out[i] = KeyInfo{
			ID: a.ID, Title: a.Title, Help: a.Help, Keys: append([]string{}, a.Keys...), Contexts: a.Contexts,
			Origin: cmp.Or(a.Origin, "default"), Fixed: a.Fixed,
		}
	}
	return out, nil
}
