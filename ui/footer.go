package ui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// footer draws the last line of the screen.
type footer struct{ *Model }

// line is the last line: what is being searched for, what has just happened,
// or the keys that do something now.
func (m footer) line() string {
	s := m.styles
	switch {
	case m.find.typing:
		m.find.input.SetWidth(max(8, min(40, m.width-30)))
		return " " + s.Accent.Render("find "+s.Signs.Prompt) + " " + m.find.input.View() + "  " + s.Faint.Render(finding(m).found()+"  enter keep  esc end")
	case m.status.text != "":
		said := " " + m.status.text
		if m.status.warning {
			said = " " + s.Warning.Render("! ") + m.status.text
		}
		// The keys do not go away: those that fit stand beside it.
		room := m.width - ansi.StringWidth(said) - len(hintGap)
		if room < leastHints || m.opts.Plain {
			return said
		}
		return widget.Spread(said, m.hintLine(fitting(m.hintsWithin(room), room))+" ", m.width)
	}
	line := m.hintLine(m.hints())
	if m.find.on {
		return widget.Spread(" "+line, s.Faint.Render("found "+finding(m).found())+" ", m.width)
	}
	return " " + line
}

// leastHints is the room, in cells, under which no keys stand beside what has
// just happened.
const leastHints = 16

// fitting are the first hints that fit into a room.
func fitting(hints []hint, room int) []hint {
	used := 0
	for i, h := range hints {
		if used += ansi.StringWidth(h.key) + 1 + ansi.StringWidth(h.verb) + len(hintGap); used > room {
			return hints[:i]
		}
	}
	return hints
}

func (m footer) hintLine(hints []hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = m.styles.KeyName.Render(h.key) + " " + m.styles.Faint.Render(h.verb)
	}
	return strings.Join(parts, hintGap)
}

// hint is a key in the footer.
type hint struct{ key, verb, action string }

// hintGap is between two of them.
const hintGap = "   "

// hints are the keys that do something now, as many as fit, in the order of the
// table of actions.
func (m footer) hints() []hint { return m.hintsWithin(m.hintRoom()) }

// hintsWithin are those that fit into a room.
func (m footer) hintsWithin(room int) []hint {
	if m.session.Corpus() == nil && m.welcome.Failure() != nil && !m.typing() && !m.welcome.IsShown() {
		hints := []hint{{"", "details", "section.edit"}, {"", "all actions", "palette.show"}, {"", "all keys", "help.show"}, {"", "quit", "program.quit"}}
		for i := range hints {
			hints[i].key = m.keyOf(hints[i].action)
		}
		return hints
	}
	context := m.context()
	if context == paneTune {
		return m.tuneHints()
	}
	type ranked struct {
		hint
		priority, at int
	}
	var all []ranked
	for i := range m.actions {
		a := &m.actions[i]
		if a.Footer == 0 || !a.Contexts.Has(context) || len(a.Keys) == 0 {
			continue
		}
		if a.Enabled != nil {
			if ok, _ := a.Enabled(); !ok {
				continue
			}
		}
		if context == onWelcome && !slices.Equal(a.Contexts, inWelcome) && a.ID != "help.show" && a.ID != "program.quit" {
			continue // there is nothing to do it with
		}
		verb := m.verbOf(a)
		key := a.Keys[0]
		if a.ID == "results.fold" && m.results.IsFlat() {
			continue
		}
		all = append(all, ranked{hint{m.keySign(key), verb, a.ID}, a.Footer, i})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.priority, a.priority) })
	used, n := 1, 0
	for _, r := range all {
		wide := ansi.StringWidth(r.key) + ansi.StringWidth(r.verb) + 4
		if used+wide > room {
			break
		}
		used += wide
		n++
	}
	all = all[:n]
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.at, b.at) })
	out := make([]hint, n)
	for i, r := range all {
		out[i] = r.hint
	}
	return out
}

// tuneHints are as many hints of the pane of parameters as fit.
func (m footer) tuneHints() []hint {
	var out []hint
	used := 1
	for _, h := range tune.Hints() {
		keys := ""
		for _, id := range h.Actions {
			if a := m.actionOf(id); a != nil && len(a.Keys) > 0 && canRun(a) {
				if keys != "" {
					keys += " "
				}
				keys += m.keySign(a.Keys[0])
			}
		}
		wide := ansi.StringWidth(keys) + ansi.StringWidth(h.Verb) + 4
		if keys == "" {
			continue
		}
		if used+wide > m.hintRoom() {
			break
		}
		used += wide
		out = append(out, hint{keys, h.Verb, h.Actions[len(h.Actions)-1]})
	}
	return out
}

// hintRoom is the width that hints have: beside them stands what was found.
func (m footer) hintRoom() int {
	if !m.find.on {
		return m.width
	}
	return m.width - ansi.StringWidth("found "+finding(m).found()+" ")
}

// verbOf is what an action does now: one that shows something hides it once it is
// there.
func (m footer) verbOf(a *view.Action) string {
	if a.ID == "score.explain" {
		if _, shown := m.place.Slot(paneScore); shown {
			return "hide score"
		}
	}
	if a.Verb != nil {
		return cmp.Or(a.Verb(), a.Short)
	}
	return a.Short
}

// keySign is a key as the footer names it.
func (m footer) keySign(key string) string {
	g := &m.styles.Signs
	switch key {
	case "left":
		return g.ArrowLeft
	case "right":
		return g.ArrowRight
	case "up":
		return g.ArrowUp
	case "down":
		return g.ArrowDown
	case "shift+left":
		return "shift " + g.ArrowLeft
	case "backspace":
		if !m.styles.Plain && !m.styles.Spoken {
			return "⌫"
		}
		return key
	default:
		return key
	}
}
