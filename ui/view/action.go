package view

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Context names where keys mean something: a pane of the screen, or a state of it, such as
// the line of the query being typed.
type Context string

// Contexts is a set of contexts, in the order in which they are listed.
type Contexts []Context

// anyPane stands for all panes, whichever views there are.
const anyPane Context = "any pane"

// AnyPane are the contexts of all panes: the shell puts them in its place.
var AnyPane = Contexts{anyPane}

// Has reports whether one context is in the set.
func (c Contexts) Has(one Context) bool { return slices.Contains(c, one) }

// And are the contexts of several sets, in their order.
func (c Contexts) And(more ...Contexts) Contexts {
	return slices.Concat(append([]Contexts{c}, more...)...)
}

// Expand puts panes in the place of [AnyPane].
func (c Contexts) Expand(panes Contexts) Contexts {
	at := slices.Index(c, anyPane)
	if at < 0 {
		return c
	}
	return slices.Concat(c[:at], panes, c[at+1:])
}

// Action is something that the user can do. Dispatch, footer, help, palette and
// documentation are made from the table of actions.
type Action struct {
	// ID is stable: "results.fold".
	ID string
	// Title is "Group: verb"; Short the verb in the footer; Help one sentence.
	Title, Short, Help string
	// Verb is what the footer has in the place of Short now; nil and empty are none.
	Verb func() string
	// Words are others that the palette finds it by.
	Words string
	// Keys are the keys that run it, the first being shown. Without any it is
	// reached through the palette.
	Keys     []string
	Contexts Contexts
	// Enabled says whether it can be done now, and if not why. nil is always.
	Enabled func() (ok bool, reason string)
	Run     func() tea.Cmd
	// Footer is the priority in the footer, 0 to be left out.
	Footer int
	// Always keeps its keys over dialogs too.
	Always bool
	// Fixed keeps its keys whatever the user's table of keys says, so that there
	// is a way out of every place.
	Fixed bool
	// Outside leaves the explorer: it writes files or the clipboard, starts a
	// program, or opens another corpus. No tour can do it: it may be a stranger's.
	Outside bool
	// Origin is the place of the user's table that changed the keys, empty for none.
	Origin string
}

// CanRun reports whether it can be done now.
func (a *Action) CanRun() bool {
	if a.Enabled == nil {
		return true
	}
	ok, _ := a.Enabled()
	return ok
}
