package tune

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// foot says what is known of the parameter under the cursor. It has the
// same height whatever that is, so that the rows above stay where they are; the
// less there is of it, the less of the description.
func (v *View) foot(w, h int) []string {
	room := min(11, h/3)
	if room < 2 || w < 12 {
		return nil
	}
	s, inner := v.Styles(), w-2
	spec, ok := param.SpecOf(v.field)
	if v.onFold || !ok {
		text := "They change nothing as long as what they belong to is off; " + v.KeyOf("tune.type") + " shows or hides them."
		return v.footBox("", widget.Styled(s.Faint.Render, widget.Wrapped(text, inner)), w, room)
	}
	help := widget.Wrapped(spec.Help, inner)
	limits := widget.Styled(s.Faint.Render, widget.Wrapped(v.rangeText(&spec), inner))
	origin := widget.Styled(s.Faint.Render, widget.Wrapped(v.originText(&spec), inner))
	// What the parameter does and where its value comes from have lines of their
	// own; what it accepts goes first: typing a value says it, too.
	room--
	kept := min(len(help), 2) + 1
	next := v.nextTurns(&spec, inner, 2)
	if len(next)+kept > room {
		next = v.nextTurns(&spec, inner, 1)
	}
	left := max(0, room-len(next))
	help = firstLines(help, min(len(help), max(left-len(origin), min(left-1, 2), left/2)), inner)
	left -= len(help)
	origin = firstLines(origin, min(len(origin), max(0, left)), inner)
	if left -= len(origin); left < len(limits) {
		limits = nil
	}
	room++
	var lines []string
	for _, part := range [][]string{help, limits, origin, next} {
		lines = append(lines, part...)
	}
	return v.footBox(spec.Field, lines, w, room)
}

// footBox puts a line with a name above lines.
func (v *View) footBox(name string, lines []string, w, room int) []string {
	s := v.Styles()
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
func (v *View) rangeText(s *param.Spec) string {
	text := widget.Capital(s.Range())
	_, scaled := v.calibrated(s.Field)
	switch {
	case scaled:
		text += " of this corpus's scale"
	case s.Unit != "":
		text += " (" + s.Unit + ")"
	}
	return text + ", stage " + s.Stage
}

// calibrated is the cosine that the similarity floor stands for where it is set
// on the corpus's own scale. It is not known of another parameter, or while what
// is shown was ranked with another floor.
func (v *View) calibrated(field string) (cosine float64, ok bool) {
	if field != param.FieldSimilarityFloor || v.Session().Result() == nil {
		return 0, false
	}
	f := v.Session().Result().Floor
	return f.Raw, !f.Off && f.Scale == param.FloorCalibrated && f.Setting == v.Session().Params().SimilarityFloor
}

// originText says where the present value comes from.
func (v *View) originText(s *param.Spec) string {
	base := Value(s, wording.Line(v.Session().Start().Params.Get(s.Field))) + ", " + v.originOf(s.Field)
	here := ""
	if cosine, ok := v.calibrated(s.Field); ok {
		here = "; here cosine " + wording.Score(cosine)
	}
	if v.isChanged(s.Field) {
		return "changed here, default " + base + here
	}
	return base + here
}

// originOf says where the value came from that the parameters started with.
func (v *View) originOf(field string) string {
	start := v.Session().Start().Name
	return cmp.Or(wording.Line(v.Profiles.Origin(start, field)), "preset "+wording.Line(start))
}

// nextTurns are the next turns in both directions, each with its cause in so many
// lines at most.
func (v *View) nextTurns(s *param.Spec, w, most int) []string {
	look := v.Styles()
	if v.Session().Pending() != "" && s.Field == v.Session().Field() {
		return []string{look.Warning.Render("asks the corpus " + look.Signs.Ellipsis)}
	}
	if text := v.arrivedText(); text != "" {
		return append(widget.Styled(look.Strong.Render, firstLines(widget.Wrapped(text, w), most, w)), v.aheadLines(s, w, most)...)
	}
	return v.aheadLines(s, w, most)
}

func (v *View) aheadLines(s *param.Spec, w, most int) []string {
	look := v.Styles()
	known, ok := v.Session().ExactBreakpoints(s.Field)
	if !ok {
		if v.Session().Evidence() == nil {
			return nil
		}
		return []string{look.Faint.Render("looking for changes " + look.Signs.Ellipsis)}
	}
	var lines []string
	present := v.Session().Params()
	value := present.Get(s.Field)
	for _, way := range []struct {
		up     bool
		action string
	}{{false, "tune.previous"}, {true, "tune.next"}} {
		turn, at, ok := known.Next(value, way.up)
		if !ok {
			continue
		}
		key := v.KeyOf(way.action)
		text := widget.Wrapped(Value(s, at)+": "+wording.Spoken(turn.Cause(way.up), wording.Score, strconv.Itoa, nil), w-ansi.StringWidth(key)-1)
		for i, l := range firstLines(text, most, w-ansi.StringWidth(key)-1) {
			if i == 0 {
				lines = append(lines, look.KeyName.Render(key)+" "+l)
			} else {
				lines = append(lines, strings.Repeat(" ", ansi.StringWidth(key)+1)+l)
			}
		}
	}
	asks := asksText(s, known)
	if asks != "" {
		lines = append(lines, widget.Styled(look.Faint.Render, firstLines(widget.Wrapped(asks, w), most, w))...)
	}
	if len(lines) == 0 {
		text := "no value changes this ranking"
		switch {
		case !s.UsedIn(&present):
			text = "no effect while its stage is off"
		case !known.Complete:
			text = "nothing near changes this ranking"
		}
		lines = append(lines, look.Faint.Render(ansi.Truncate(text, w, "…")))
	}
	return lines
}

// asksText says where the evidence ends.
func asksText(s *param.Spec, t whynot.Breakpoints) string {
	if len(t.Unknown) == 0 {
		return ""
	}
	var parts []string
	for _, a := range t.Unknown {
		from, to := Value(s, a.From), Value(s, a.To)
		if from == to || s.Kind == param.KindSet || s.Kind == param.KindList {
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
