package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
)

// drawerFoot says what is known of the parameter under the cursor. It has the
// same height whatever that is, so that the rows above stay where they are; the
// less there is of it, the less of the description.
func (m *Model) drawerFoot(w, h int) []string {
	room := min(11, h/3)
	if room < 2 || w < 12 {
		return nil
	}
	s, inner := m.styles, w-2
	spec, ok := retrieval.SpecOf(m.tune.drawer.field)
	if m.tune.drawer.onFold || !ok {
		text := "They change nothing as long as what they belong to is off; " + m.keyOf("tune.type") + " shows or hides them."
		return m.footBox("", styled(s.Faint.Render, wrapped(text, inner)), w, room)
	}
	next := m.turnLines(&spec, inner)
	origin := styled(s.Faint.Render, wrapped(m.originText(&spec), inner))
	limits := styled(s.Faint.Render, wrapped(rangeText(&spec), inner))
	help := wrapped(spec.Help, inner)
	// What is left out first is what the documentation says as well.
	left := room - 1 - len(next)
	if len(origin) > left {
		origin = firstLines(origin, max(0, left), inner)
	}
	left -= len(origin)
	if left < len(limits) {
		limits = nil
	}
	left -= len(limits)
	if left < len(help) {
		help = help[:max(0, left)]
		if n := len(help); n > 0 {
			help[n-1] = ansi.Truncate(help[n-1], max(1, inner-2), "") + " …"
		}
	}
	var lines []string
	for _, part := range [][]string{help, limits, origin, next} {
		lines = append(lines, part...)
	}
	return m.footBox(spec.Field, lines, w, room)
}

// footBox puts a line with a name above lines.
func (m *Model) footBox(name string, lines []string, w, room int) []string {
	s := m.styles
	rule := s.Rule.Render(strings.Repeat(s.Signs.Rule, w))
	if name != "" {
		name = ansi.Truncate(name, max(1, w-4), "…")
		rule = s.Rule.Render(s.Signs.Rule) + " " + s.TitleOff.Render(name) + " " +
			s.Rule.Render(strings.Repeat(s.Signs.Rule, max(0, w-3-ansi.StringWidth(name))))
	}
	out := []string{rule}
	for _, l := range lines[:min(len(lines), room-1)] {
		out = append(out, " "+l)
	}
	for len(out) < room {
		out = append(out, "")
	}
	return out
}

// rangeText says what a parameter accepts, and which stage reads it.
func rangeText(s *retrieval.Spec) string {
	text := capital(s.Range())
	if s.Unit != "" {
		text += " (" + s.Unit + ")"
	}
	return text + ", stage " + s.Stage
}

// originText says where the present value comes from.
func (m *Model) originText(s *retrieval.Spec) string {
	t := &m.tune
	base := knobValue(s, oneLine(t.start.params.Get(s.Field))) + ", " + m.originOf(s.Field)
	if m.isChanged(s.Field) {
		return "changed here, default " + base
	}
	return base
}

// originOf says where the value came from that the parameters started with.
func (m *Model) originOf(field string) string {
	if from := m.tune.origins[m.tune.start.name]; from != nil {
		if text := oneLine(from(field)); text != "" {
			return text
		}
	}
	return "preset " + oneLine(m.tune.start.name)
}

// turnLines are the next turns in both directions, each with its cause.
func (m *Model) turnLines(s *retrieval.Spec, w int) []string {
	look := m.styles
	if text := m.arrivedText(); text != "" {
		return append(styled(look.Strong.Render, firstLines(wrapped(text, w), 2, w)), m.aheadLines(s, w)...)
	}
	return m.aheadLines(s, w)
}

func (m *Model) aheadLines(s *retrieval.Spec, w int) []string {
	look := m.styles
	known, ok := m.exactTrack(s.Field)
	if !ok {
		if m.evidence == nil {
			return nil
		}
		return []string{look.Faint.Render("looking for changes " + look.Signs.Ellipsis)}
	}
	var lines []string
	value := m.tune.params.Get(s.Field)
	for _, way := range []struct {
		up     bool
		action string
	}{{false, "tune.previous"}, {true, "tune.next"}} {
		turn, at, ok := known.Next(value, way.up)
		if !ok {
			continue
		}
		key := m.keyOf(way.action)
		text := wrapped(knobValue(s, at)+": "+oneLine(turn.Cause(way.up)), w-ansi.StringWidth(key)-1)
		for i, l := range firstLines(text, 2, w-ansi.StringWidth(key)-1) {
			if i == 0 {
				lines = append(lines, look.KeyName.Render(key)+" "+l)
			} else {
				lines = append(lines, strings.Repeat(" ", ansi.StringWidth(key)+1)+l)
			}
		}
	}
	asks := asksText(s, known)
	if asks != "" {
		lines = append(lines, styled(look.Faint.Render, firstLines(wrapped(asks, w), 2, w))...)
	}
	if len(lines) == 0 {
		text := "no value changes this ranking"
		switch {
		case !m.tune.params.Uses(s.Field):
			text = "no effect while its stage is off"
		case !known.Complete:
			text = "nothing near changes this ranking"
		}
		lines = append(lines, look.Faint.Render(ansi.Truncate(text, w, "…")))
	}
	return lines
}

// asksText says where the evidence ends.
func asksText(s *retrieval.Spec, t retrieval.Track) string {
	if len(t.Asks) == 0 {
		return ""
	}
	var parts []string
	for _, a := range t.Asks {
		from, to := knobValue(s, a.From), knobValue(s, a.To)
		if from == to || s.Kind == retrieval.KindSet || s.Kind == retrieval.KindList {
			parts = append(parts, from)
		} else {
			parts = append(parts, from+" to "+to)
		}
	}
	if len(parts) > 2 {
		return "other values ask the corpus"
	}
	verb := " asks the corpus"
	return strings.Join(parts, " and ") + verb
}

// firstLines are at most n lines; what is left out is marked.
func firstLines(lines []string, n, w int) []string {
	if len(lines) <= n {
		return lines
	}
	if n == 0 {
		return nil
	}
	lines = lines[:n]
	lines[n-1] = ansi.Truncate(lines[n-1], max(1, w-2), "") + " …"
	return lines
}
