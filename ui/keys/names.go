package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/ui/wording"
)

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

// Named is the name under which a key press arrives for what a person calls it:
// "Shift+Ctrl+PageUp" is "ctrl+shift+pgup". It reports whether there is one.
func Named(text string) (string, bool) {
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

// IsTyped says that a key puts a character into text or moves in it: where text
// is typed it is no key of ours.
func IsTyped(key string) bool {
	switch key {
	case "space", "backspace", "delete", "left", "right", "home", "end":
		return true
	}
	return utf8.RuneCountInString(key) == 1
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
