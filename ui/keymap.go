package ui

import (
	"cmp"
	"fmt"
	"strings"
)

// contexts are the states of the program in which keys mean something, as a set.
type contexts uint16

const (
	inResults contexts = 1 << iota
	inPreview
	inScore
	// inTune is the drawer of parameters.
	inTune
	// inStages and inFallen are the panes of the pipeline, inTree and inPage those
	// of the corpus.
	inStages
	inFallen
	inTree
	inPage
	// inWelcome is the list of results while there is no corpus to ask.
	inWelcome
	// inPassage is the text of a section while a passage of it is being selected.
	inPassage
	// inQuery and inFind take text: only keys without a character of their own
	// are bound there.
	inQuery
	inFind

	// reading are the panes about one section of the result.
	reading = inResults | inPreview | inScore
	// exploring are the panes of the explorer's own view.
	exploring = reading | inTune
	anyPane   = exploring | inStages | inFallen | inTree | inPage | inWelcome
	anywhere  = anyPane | inPassage | inQuery | inFind
	takesText = inQuery | inFind
)

// contextNames names the contexts for people, in the order of their bits.
var contextNames = [...]string{"results", "preview", "score", "tune", "stages", "fallen", "pages", "page", "welcome", "passage", "query", "find"}

// each calls f for every context of the set.
func (c contexts) each(f func(contexts)) {
	for i := range contextNames {
		if one := contexts(1) << i; c&one != 0 {
			f(one)
		}
	}
}

// names lists the contexts of the set.
func (c contexts) names() []string {
	var names []string
	for i, n := range contextNames {
		if c&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// binding is a key in one context.
type binding struct {
	context contexts
	key     string
}

// keymap finds the action of a key. It is immutable.
type keymap map[binding]*action

// collisionError says that a key means two things in one context.
type collisionError struct {
	key           string
	first, second *action
	context       contexts
}

func (e *collisionError) Error() string {
	return fmt.Sprintf("key %q means both %s and %s in %s", e.key, e.first.ID, e.second.ID, e.context.names()[0])
}

// newKeymap binds the actions. A key with a character of its own is not bound
// where text is typed; two actions of one key in one context are an error.
func newKeymap(actions []action) (keymap, error) {
	m := keymap{}
	for i := range actions {
		a := &actions[i]
		for _, k := range a.Keys {
			var err error
			a.Contexts.each(func(c contexts) {
				b := binding{c, k}
				switch {
				case c&takesText != 0 && isTyped(k):
				case m[b] != nil:
					err = cmp.Or(err, error(&collisionError{key: k, first: m[b], second: a, context: c}))
				default:
					m[b] = a
				}
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// KeyInfo describes an action for documentation.
type KeyInfo struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Help     string   `json:"help"`
	Keys     []string `json:"keys"`
	Contexts []string `json:"contexts"`
	// Origin is where its keys come from: "default", or a place of the table that
	// changed them. Fixed says that no table can.
	Origin string `json:"origin"`
	Fixed  bool   `json:"fixed,omitempty"`
}

// Keys lists all actions in the order of the help screen, with the keys of a
// user's table; nil gives the defaults.
func Keys(table []Rebinding) ([]KeyInfo, error) {
	actions, _, err := bind(actionTable(), table)
	if err != nil {
		return nil, err
	}
	out := make([]KeyInfo, len(actions))
	for i, a := range actions {
		out[i] = KeyInfo{
			ID: a.ID, Title: a.Title, Help: a.Help, Keys: append([]string{}, a.Keys...), Contexts: a.Contexts.names(),
			Origin: cmp.Or(a.origin, "default"), Fixed: a.Fixed,
		}
	}
	return out, nil
}

// KeysMarkdown is the table of the default keys for the documentation.
func KeysMarkdown() string {
	var b strings.Builder
	b.WriteString("| key | action | |\n| --- | --- | --- |\n")
	all, err := Keys(nil)
	if err != nil {
		panic(err) // the table is ours: a test holds it
	}
	for _, k := range all {
		names := make([]string, len(k.Keys))
		for i, n := range k.Keys {
			names[i] = "`" + strings.ReplaceAll(n, "|", "\\|") + "`"
		}
		if len(names) == 0 {
			names = []string{"palette"}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Join(names, " "), k.Title, k.Help)
	}
	return b.String()
}
