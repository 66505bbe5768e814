package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/ui/view"
)

// Rebinding is one entry of a user's table of keys.
type Rebinding struct {
	// Name is the ID of an action, or a key that is to do nothing.
	Name string
	// Keys replace the keys of the action; without any it is left to the palette.
	Keys []string
	// Origin is where it stands, for messages: "config.toml:12".
	Origin string
}

// Error is a mistake in a table of keys.
type Error struct {
	Origin, Name, Why string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: keys.%s: %s", e.Origin, e.Name, e.Why) }

// rebind gives the actions the keys of a table.
func (b *Board) rebind(table []Rebinding) error {
	actions := b.Actions
	var problems []error
	wrong := func(r Rebinding, format string, args ...any) {
		problems = append(problems, &Error{r.Origin, r.Name, fmt.Sprintf(format, args...)})
	}
	// Keys that are freed first can then be given to others.
	for _, r := range table {
		key, isKey := Named(r.Name)
		at := slices.IndexFunc(actions, func(a view.Action) bool { return a.ID == r.Name })
		switch {
		case at >= 0:
		case isKey && len(r.Keys) > 0:
			wrong(r, "a key cannot be given keys; write the action: \"ACTION\" = [%q]", key)
		case isKey && isFixed(actions, key):
			wrong(r, "%s is fixed: it leads out of every place", key)
		case isKey:
			for i := range actions {
				if slices.Contains(actions[i].Keys, key) {
					actions[i].Keys = slices.DeleteFunc(slices.Clone(actions[i].Keys), func(k string) bool { return k == key })
					actions[i].Origin = r.Origin
				}
			}
		default:
			wrong(r, "%s", unknownAction(r.Name, actions))
		}
	}
	for _, r := range table {
		at := slices.IndexFunc(actions, func(a view.Action) bool { return a.ID == r.Name })
		if at < 0 {
			continue
		}
		a := &actions[at]
		if a.Fixed {
			wrong(r, "its key %s is fixed", strings.Join(a.Keys, " "))
			continue
		}
		a.Keys, a.Origin = nil, r.Origin
		for _, text := range r.Keys {
			key, ok := Named(text)
			switch {
			case !ok:
				wrong(r, "%s", unknownKey(text))
			case isFixedFor(actions, key, a.Contexts):
				wrong(r, "%s is fixed and cannot be given away", key)
			case IsTyped(key) && !slices.ContainsFunc(a.Contexts, func(c view.Context) bool { return !b.typed.Has(c) }):
				wrong(r, "%s is typed into the text there; take one with ctrl or alt", key)
			case !slices.Contains(a.Keys, key):
				a.Keys = append(a.Keys, key)
			}
		}
	}
	return errors.Join(problems...)
}

// collision says where in the table the key was given that now means two things.
func collision(err error, table []Rebinding) error {
	var c *collisionError
	if !errors.As(err, &c) {
		return err
	}
	given, other := c.second, c.first
	if given.Origin == "" {
		given, other = other, given
	}
	origin := given.Origin
	if i := slices.IndexFunc(table, func(r Rebinding) bool { return r.Name == given.ID }); i >= 0 {
		origin = table[i].Origin
	}
	return &Error{origin, given.ID, fmt.Sprintf("%s means %s in the %s already; take another, or give that one other keys: %q = []",
		c.key, other.ID, c.context, other.ID)}
}

func unknownAction(name string, actions []view.Action) string {
	ids := make([]string, len(actions))
	for i := range actions {
		ids[i] = actions[i].ID
	}
	why := "no such action"
	if near, ok := config.Nearest(name, ids); ok {
		return why + fmt.Sprintf(" (did you mean %q?)", near)
	}
	return why + "; 'webrag-tui keys' lists them"
}

// isFixed says that a key belongs to an action that always keeps it.
func isFixed(actions []view.Action, key string) bool { return isFixedFor(actions, key, nil) }

func isFixedFor(actions []view.Action, key string, where view.Contexts) bool {
	return slices.ContainsFunc(actions, func(a view.Action) bool {
		return a.Fixed && (where == nil || slices.ContainsFunc(a.Contexts, where.Has)) && slices.Contains(a.Keys, key)
	})
}
