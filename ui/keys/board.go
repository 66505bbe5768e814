package keys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/ui/view"
)

// binding is a key in one context.
type binding struct {
	context view.Context
	key     string
}

// keymap finds the action of a key. It is immutable.
type keymap map[binding]*view.Action

// Board is what can be done, and with which keys. It does not change.
type Board struct {
	// Actions are all that there are, with the keys that hold.
	Actions []view.Action
	keys    keymap
	typed   view.Contexts
}

// New gives actions the keys of a user's table, and binds them; nil leaves them as
// they are. Where text is typed, a key with a character of its own is no key. The
// error joins an [Error] for each mistake in the table: an action or a key that does
// not exist, a key that means two things in one place, one that is fixed, or one that
// would be typed where it should work. The actions handed over stay as they are.
func New(actions []view.Action, typed view.Contexts, table []Rebinding) (Board, error) {
	b := Board{Actions: slices.Clone(actions), typed: typed}
	if err := b.rebind(table); err != nil {
		return Board{}, err
	}
	var err error
	if b.keys, err = newKeymap(b.Actions, typed); err != nil {
		return Board{}, collision(err, table)
	}
	return b, nil
}

// At is the action of a key press in a context; nil for none.
func (b *Board) At(c view.Context, key string) *view.Action { return b.keys[binding{c, key}] }

// ActionOf is the action of an ID; nil for none.
func (b *Board) ActionOf(id string) *view.Action {
	for i := range b.Actions {
		if b.Actions[i].ID == id {
			return &b.Actions[i]
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
func newKeymap(actions []view.Action, typed view.Contexts) (keymap, error) {
	m := keymap{}
	for i := range actions {
		a := &actions[i]
		for _, k := range a.Keys {
			for _, c := range a.Contexts {
				b := binding{c, k}
				switch {
				case typed.Has(c) && IsTyped(k):
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

// Elsewhere says what a key is for in other places than the present one, by the names
// of places; empty for nothing.
func (b *Board) Elsewhere(key string, places map[view.Context]string) string {
	if utf8.RuneCountInString(key) != 1 {
		return "" // it moves something, or nothing is missed
	}
	for i := range b.Actions {
		a := &b.Actions[i]
		if slices.Contains(a.Keys, key) && places[a.Contexts[0]] != "" {
			return key + " is for " + places[a.Contexts[0]] + ": " + a.Title
		}
	}
	return ""
}

// KeyOf is the key of an action as the screen names it; for one without keys, the
// palette's with the action's title.
func (b *Board) KeyOf(id string) string {
	switch a := b.ActionOf(id); {
	case a == nil:
	case len(a.Keys) > 0:
		return a.Keys[0]
	case id != "palette.show":
		return b.KeyOf("palette.show") + " " + a.Title
	}
	return ""
}

// Keyed names the keys in a sentence: "{help.show} lists all" is "? lists all",
// or whatever the user's table of keys says.
func (b *Board) Keyed(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		id, after, closed := strings.Cut(rest, "}")
		key := ""
		if ok && closed {
			key = b.KeyOf(id)
		}
		if key == "" {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before + key)
		text = after
	}
}

// Info describes an action for documentation.
type Info struct {
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

// List describes the actions in their order, which is that of the help screen.
func (b *Board) List() []Info {
	out := make([]Info, len(b.Actions))
	for i := range b.Actions {
		a := &b.Actions[i]
		out[i] = Info{
			ID: a.ID, Title: a.Title, Help: a.Help, Keys: append([]string{}, a.Keys...), Contexts: a.Contexts,
			Origin: cmp.Or(a.Origin, "default"), Fixed: a.Fixed,
		}
	}
	return out
}
