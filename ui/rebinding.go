package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
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

// KeyError is a mistake in a table of keys.
type KeyError struct {
	Origin, Name, Why string
}

func (e *KeyError) Error() string { return fmt.Sprintf("%s: keys.%s: %s", e.Origin, e.Name, e.Why) }

// CheckKeys reports what is wrong with a table of keys: an action or a key that
// does not exist, a key that means two things in one place, one that is fixed, or
// one that would be typed where it should work. The error joins a [KeyError] for
// each.
func CheckKeys(table []Rebinding) error {
	_, _, err := bind(defaultActions(), table)
	return err
}

// bind gives actions the keys of a table and makes the keymap of the result. The
// actions handed over stay as they are.
func bind(defaults []view.Action, table []Rebinding) ([]view.Action, keymap, error) {
	actions := slices.Clone(defaults)
	var problems []error
	wrong := func(r Rebinding, format string, args ...any) {
		problems = append(problems, &KeyError{r.Origin, r.Name, fmt.Sprintf(format, args...)})
	}
	// Keys that are freed first can then be given to others.
	for _, r := range table {
		key, isKey := keyName(r.Name)
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
			key, ok := keyName(text)
			switch {
			case !ok:
				wrong(r, "%s", unknownKey(text))
			case isFixedFor(actions, key, a.Contexts):
				wrong(r, "%s is fixed and cannot be given away", key)
			case isTyped(key) && !slices.ContainsFunc(a.Contexts, func(c view.Context) bool { return !takesText(c) }):
				wrong(r, "%s is typed into the text there; take one with ctrl or alt", key)
			case !slices.Contains(a.Keys, key):
				a.Keys = append(a.Keys, key)
			}
		}
	}
	if len(problems) > 0 {
		return nil, nil, errors.Join(problems...) // collisions would only repeat them
	}
	keys, err := newKeymap(actions)
	if err != nil {
		return nil, nil, collision(err, table)
	}
	return actions, keys, nil
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
	return &KeyError{origin, given.ID, fmt.Sprintf("%s means %s in the %s already; take another, or give that one other keys: %q = []",
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

func unknownKey(text string) string {
	why := fmt.Sprintf("no key is called %q", text)
	names := slices.Clone(namedKeys)
	base := text[strings.LastIndex(text, "+")+1:]
	if near, ok := config.Nearest(base, names); ok {
		return why + fmt.Sprintf(" (did you mean %q?)", strings.TrimSuffix(text, base)+near)
	}
	return why + "; a key is a character, a name such as enter or f5, or either after ctrl+, alt+ or shift+"
}

// isFixed says that a key belongs to an action that always keeps it.
func isFixed(actions []view.Action, key string) bool { return isFixedFor(actions, key, nil) }

func isFixedFor(actions []view.Action, key string, where view.Contexts) bool {
	return slices.ContainsFunc(actions, func(a view.Action) bool {
		return a.Fixed && (where == nil || slices.ContainsFunc(a.Contexts, where.Has)) && slices.Contains(a.Keys, key)
	})
}

// namedKeys are the keys without a character of their own.
var namedKeys = []string{
	"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"insert", "delete", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// keyAliases are other usual names of them.
var keyAliases = map[string]string{
	"escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "del": "delete", "ins": "insert", " ": "space",
}

// modifiers are what may be held while a key is pressed, in the order in which
// terminals' key presses are named.
var modifiers = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

// keyName is the name under which a key press arrives for what a person calls it:
// "Shift+Ctrl+PageUp" is "ctrl+shift+pgup". It reports whether there is one.
func keyName(text string) (string, bool) {
	base, held := text, map[string]bool{}
	for {
		before, after, ok := strings.Cut(base, "+")
		if !ok || before == "" || after == "" {
			break
		}
		if m := strings.ToLower(before); slices.Contains(modifiers, m) {
			held[m], base = true, after
			continue
		}
		return "", false
	}
	lower := strings.ToLower(base)
	if alias, ok := keyAliases[lower]; ok {
		lower = alias
	}
	switch {
	case slices.Contains(namedKeys, lower):
		base = lower
	case utf8.RuneCountInString(base) != 1 || !isPrintable(base):
		return "", false
	case held["shift"] && len(held) == 1:
		if upper := strings.ToUpper(base); upper != base {
			return upper, true
		}
		return "", false // which character that is depends on the keyboard
	case len(held) > 0:
		base = lower
	}
	name := ""
	for _, m := range modifiers {
		if held[m] {
			name += m + "+"
		}
	}
	return name + base, true
}

func isPrintable(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r > ' ' && r != utf8.RuneError && wording.Line(s) == s
}

// isTyped says that a key puts a character into text or moves in it: where text
// is typed it is no key of ours.
func isTyped(key string) bool {
	switch key {
	case "space", "backspace", "delete", "left", "right", "home", "end":
		return true
	}
	return utf8.RuneCountInString(key) == 1
}

// keyOf is the key of an action as the screen names it; for one without keys, the
// palette's with the action's title.
func (k *keyboard) keyOf(id string) string {
	switch a := k.actionOf(id); {
	case a == nil:
	case len(a.Keys) > 0:
		return a.Keys[0]
	case id != "palette.show":
		return k.keyOf("palette.show") + " " + a.Title
	}
	return ""
}

// keyed names the keys in a sentence: "{help.show} lists all" is "? lists all",
// or whatever the user's table of keys says.
func (k *keyboard) keyed(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		id, after, closed := strings.Cut(rest, "}")
		key := ""
		if ok && closed {
			key = k.keyOf(id)
		}
		if key == "" {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + key)
		text = after
	}
}
