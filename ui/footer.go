package ui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// footer draws the last line of the screen: the keys that do something now. Those of
// what has the keys stand at the left, those that lead to all others at the right.
type footer struct{ *Model }

// hint is a key in the footer. Where there is no room for all, those of least weight go.
type hint struct {
	key, verb, action string
	weight            int
}

// held is the weight of what no footer leaves out: the way out.
const held = 1000

// hintGap is between two of them.
const hintGap = "   "

func (h hint) wide() int { return ansi.StringWidth(strings.TrimSpace(h.key + " " + h.verb)) }

// line is the last line of the screen.
func (m footer) line() string {
	left, right := m.hintLine(m.here()), m.ending()
	if m.find.typing && m.top() == nil {
		m.find.input.SetWidth(max(8, min(40, m.width-50)))
		left = m.styles.Accent.Render("find "+m.styles.Signs.Prompt) + " " + m.find.input.View() + "  " + m.styles.Faint.Render(finding(m).found()) + hintGap + left
	}
	return widget.Spread(" "+left, right+" ", m.width)
}

// ending is the right end of the line: what was found, and the keys that work everywhere.
func (m footer) ending() string {
	line := m.hintLine(m.everywhere())
	if m.find.on && !m.find.typing && m.top() == nil {
		line = strings.TrimPrefix(m.styles.Faint.Render("found "+finding(m).found())+hintGap+line, hintGap)
	}
	return line
}

func (m footer) hintLine(hints []hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = strings.TrimSpace(m.styles.KeyName.Render(h.key) + " " + m.styles.Faint.Render(h.verb))
		switch {
		case h.key == "":
			parts[i] = m.styles.Faint.Render(h.verb)
		case h.verb == "":
			parts[i] = m.styles.KeyName.Render(h.key)
		}
	}
	return strings.Join(parts, hintGap)
}

// hints are all keys in the line.
func (m footer) hints() []hint { return append(m.here(), m.everywhere()...) }

// here are the keys of what has them, as many as there is room for.
func (m footer) here() []hint {
	room := m.width - 2
	if right := m.ending(); right != "" {
		room -= ansi.StringWidth(right) + len(hintGap)
	}
	if m.find.typing && m.top() == nil {
		room -= ansi.StringWidth("find > ") + m.find.input.Width() + 2 + ansi.StringWidth(finding(m).found()) + len(hintGap)
	}
	return fitting(m.own(), room)
}

// own are all keys of what has them, also those that there is no room for.
func (m footer) own() []hint {
	switch {
	case m.top() != nil:
		return m.ofDialog()
	case m.context() == paneTune:
		return m.ofTune()
	}
	return m.ofContext()
}

// fitting are those of the hints that there is room for, in their order.
func fitting(hints []hint, room int) []hint {
	byWeight := slices.Clone(hints)
	slices.SortStableFunc(byWeight, func(a, b hint) int { return cmp.Compare(b.weight, a.weight) })
	var kept []hint
	for _, h := range byWeight {
		if h.wide() <= room {
			room -= h.wide() + len(hintGap)
			kept = append(kept, h)
		}
	}
	return slices.DeleteFunc(slices.Clone(hints), func(h hint) bool { return !slices.Contains(kept, h) })
}

// wanted is the weight from which on a key is more worth than the verbs of those that lead to
// all others.
const wanted = 77

// everywhere are the keys that lead to all others, as they are pressed here: without their
// verbs where what is done here most needs the room.
func (m footer) everywhere() []hint {
	least := wanted
	switch d := m.top(); {
	case m.find.typing && d == nil && m.width < 100:
		return nil // how it ends is more worth
	case d != nil:
		return m.everywhereIn(d)
	case m.find.typing:
		least = held
	case m.context() == paneTune:
		least = tune.Wanted
	}
	out := []hint{{m.keyHere("palette.show"), "actions", "palette.show", 0}, {m.keyHere("help.show"), "keys", "help.show", 0}}
	out = slices.DeleteFunc(out, func(h hint) bool { return h.key == "" })
	return m.barely(out, slices.DeleteFunc(m.own(), func(h hint) bool { return h.weight < least }))
}

// barely are keys that lead to all others, without their verbs where there is no room for
// them beside others.
func (m footer) barely(out, beside []hint) []hint {
	for i, cut := 0, m.free(slices.Concat(beside, out)) < 0; cut && i < len(out); i++ {
		out[i].verb = ""
	}
	return out
}

// everywhereIn are those of them that work in a dialog: without their verbs where its own
// keys need the room.
func (m footer) everywhereIn(d view.Dialog) []hint {
	var out []hint
	for _, id := range leadingFrom(d) {
		if a := m.ActionOf(id); leadingKey(d, a) != "" {
			out = append(out, hint{m.styles.KeySign(leadingKey(d, a)), a.Short, id, 0})
		}
	}
	return m.barely(out, m.ofDialog())
}

// keyHere is the key that an action has where text is typed, too: one that is typed is a
// key only at the beginning of a line.
func (m footer) keyHere(id string) string {
	a := m.ActionOf(id)
	if a == nil || len(a.Keys) == 0 {
		return ""
	}
	if !m.typing() || m.atBeginning() {
		return m.styles.KeySign(a.Keys[0])
	}
	for _, k := range a.Keys {
		if m.At(m.context(), k) == a {
			return m.styles.KeySign(k)
		}
	}
	return ""
}

// ofDialog are the keys of the top dialog.
func (m footer) ofDialog() []hint {
	all := m.top().Hints()
	out := make([]hint, len(all))
	for i, h := range all {
		out[i] = hint{m.signs(h.Keys), h.Verb, "", len(all) - i}
		if h.Keys == "esc" {
			out[i].weight = held
		}
	}
	return out
}

// ofTune are the keys of the pane of parameters.
func (m footer) ofTune() []hint {
	var out []hint
	brief := map[string]string{}
	for _, h := range tune.Hints() {
		var keys []string
		for _, id := range h.Actions {
			if a := m.ActionOf(id); a != nil && len(a.Keys) > 0 && a.CanRun() {
				keys = append(keys, a.Keys[0])
			}
		}
		if brief[h.Verb] = h.Brief; len(keys) > 0 {
			out = append(out, hint{m.signs(strings.Join(keys, " ")), h.Verb, h.Actions[len(h.Actions)-1], h.Weight})
		}
	}
	if a := m.ActionOf("watch.list"); a != nil && len(a.Keys) > 0 && a.Verb() != "" {
		out = append(out, hint{m.styles.KeySign(a.Keys[0]), a.Verb(), a.ID, a.Footer})
	}
	out = append(out, hint{m.KeyOf("go.back"), m.verbOf(m.ActionOf("go.back")), "go.back", held})
	const leading = len(hintGap + ":" + hintGap + "?")
	for i, cut := 0, m.free(out) < leading; cut && i < len(out); i++ {
		out[i].verb = cmp.Or(brief[out[i].verb], out[i].verb)
	}
	return out
}

// free is how many cells of the line hints leave.
func (m footer) free(hints []hint) int {
	room := m.width - 2 + len(hintGap)
	for _, h := range hints {
		room -= h.wide() + len(hintGap)
	}
	return room
}

// ofContext are the keys of the present context, in the order of the table of actions.
func (m footer) ofContext() []hint {
	if m.welcome.IsFilling() && !m.typing() {
		return []hint{
			{m.KeyOf("program.interrupt"), "stop", "program.interrupt", 2},
			{m.KeyOf("program.quit"), "quit", "program.quit", 1},
		}
	}
	if m.session.Corpus() == nil && m.welcome.Failure() != nil && !m.typing() && !m.welcome.IsShown() {
		return []hint{
			{m.KeyOf("corpus.reopen"), "try again", "corpus.reopen", 1},
			{m.KeyOf("section.edit"), "details", "section.edit", 2},
			{m.KeyOf("program.quit"), "quit", "program.quit", 1},
		}
	}
	context := m.context()
	var all []hint
	for i := range m.Actions {
		a := &m.Actions[i]
		switch {
		case a.Footer == 0 || len(a.Keys) == 0 || !a.CanRun(), !a.Contexts.Has(context) && !(a.Contexts.Has(judge.Grading) && m.judge.Takes(context)):
			continue
		case context == onWelcome && !slices.Equal(a.Contexts, inWelcome) && a.ID != "program.quit":
			continue // there is nothing to do it with
		case a.ID == "results.fold" && m.results.IsFlat():
			continue
		}
		if verb := m.verbOf(a); verb != "" {
			all = append(all, hint{m.styles.KeySign(a.Keys[0]), verb, a.ID, a.Footer})
		}
	}
	return all
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

// signs are several keys as the footer names them.
func (m footer) signs(keys string) string {
	all := strings.Fields(keys)
	for i := range all {
		all[i] = m.styles.KeySign(all[i])
	}
	return strings.Join(all, " ")
}
