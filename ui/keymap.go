package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
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
	// inQuery and inFind take text: only keys without a character of their own
	// are bound there.
	inQuery
	inFind

	// reading are the panes about one section of the result.
	reading = inResults | inPreview | inScore
	// exploring are the panes of the explorer's own view.
	exploring = reading | inTune
	anyPane   = exploring | inStages | inFallen | inTree | inPage
	anywhere  = anyPane | inQuery | inFind
)

// contextNames names the contexts for people, in the order of their bits.
var contextNames = [...]string{"results", "preview", "score", "tune", "stages", "fallen", "pages", "page", "query", "find"}

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
				case c&(inQuery|inFind) != 0 && utf8.RuneCountInString(k) == 1:
				case m[b] != nil:
					err = fmt.Errorf("key %q means both %s and %s in %s", k, m[b].ID, a.ID, c.names()[0])
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
}

// Keys lists all actions in the order of the help screen.
func Keys() []KeyInfo {
	var out []KeyInfo
	for _, a := range actionTable() {
		out = append(out, KeyInfo{
			ID: a.ID, Title: a.Title, Help: a.Help,
			Keys: slices.Clone(a.Keys), Contexts: a.Contexts.names(),
		})
	}
	return out
}

// KeysMarkdown is the table of keys for the documentation.
func KeysMarkdown() string {
	var b strings.Builder
	b.WriteString("| key | action | |\n| --- | --- | --- |\n")
	for _, k := range Keys() {
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
