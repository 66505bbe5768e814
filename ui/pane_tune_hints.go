package ui

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
)

// tuneHint is what the footer says in the tune pane: actions that one verb stands
// for, of which the last is done by a click.
type tuneHint struct {
	verb string
	ids  []string
}

// tuneHintOrder is the footer of the tune pane, the first ones surviving a narrow
// screen.
func tuneHintOrder() []tuneHint {
	return []tuneHint{
		{"step", []string{"tune.less", "tune.more"}},
		{"coarse", []string{"tune.muchless"}},
		{"next change", []string{"tune.previous", "tune.next"}},
		{"value", []string{"tune.type"}},
		{"default", []string{"tune.default"}},
		{"undo", []string{"tune.undo"}},
		{"pin", []string{"tune.pin"}},
		{"save profile", []string{"tune.save"}},
		{"copy as .env", []string{"tune.copy"}},
		{"close", []string{"go.back"}},
		{"preset", []string{"tune.preset"}},
		{"all keys", []string{"help.show"}},
	}
}

// tuneHints are as many hints as fit.
func (m *Model) tuneHints() []hint {
	var out []hint
	used := 1
	for _, h := range tuneHintOrder() {
		keys := ""
		for _, id := range h.ids {
			if a := m.actionOf(id); a != nil && len(a.Keys) > 0 && m.canRun(a) {
				if keys != "" {
					keys += " "
				}
				keys += m.keySign(a.Keys[0])
			}
		}
		wide := ansi.StringWidth(keys) + ansi.StringWidth(h.verb) + 4
		if keys == "" {
			continue
		}
		if used+wide > m.hintRoom() {
			break
		}
		used += wide
		out = append(out, hint{keys, h.verb, h.ids[len(h.ids)-1]})
	}
	return out
}

func (m *Model) actionOf(id string) *view.Action {
	for i := range m.actions {
		if m.actions[i].ID == id {
			return &m.actions[i]
		}
	}
	return nil
}

func (m *Model) canRun(a *view.Action) bool {
	if a.Enabled == nil {
		return true
	}
	ok, _ := a.Enabled()
	return ok
}
