package tune

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// footHeight is how many of h lines what is known of the parameter under the cursor has:
// the same whatever that is, so that the rows above stay where they are. A low pane gives
// up half of its rows for sentences that are whole.
func footHeight(w, h int) int {
	const most, enough = 11, 10
	room := min(most, max(h/3, min(enough, h/2)))
	if room < 2 || w < 12 {
		return 0
	}
	return room
}

// foot says what is known of the parameter under the cursor: the less of it there is
// room for, the less of the description.
func (d *sheet) foot(h int) []string {
	w := d.w
	room := footHeight(w, h)
	if room == 0 {
		return nil
	}
	s, inner := d.s, w-2
	spec, ok := param.SpecOf(d.field)
	if d.onFold || !ok {
		text := "They change nothing as long as what they belong to is off; " + d.KeyOf("tune.type") + " shows or hides them."
		return footBox(s, "", widget.Styled(s.Faint.Render, widget.Wrapped(text, inner)), w, room)
	}
	help := widget.Wrapped(spec.Explains(), inner)
	faint := func(text string) []string { return widget.Styled(s.Faint.Render, widget.Wrapped(text, inner)) }
	limits, origin, given := faint(rangeText(d.now, &spec)), faint(d.originText(&spec)), faint(d.givenText(&spec))
	next := func(most int) []string { return d.nextBreakpoints(&spec, inner, most) }
	// The fullest that there is room for. What the parameter accepts goes first, as typing
	// a value says it, too; then by whom its value was given, then what comes next in full.
	var lines []string
	for _, lines = range [][]string{
		slices.Concat(help, limits, origin, next(3)),
		slices.Concat(help, limits, origin, next(2)),
		slices.Concat(help, origin, next(2)),
		slices.Concat(help, given, next(2)),
		slices.Concat(help, next(2)),
		slices.Concat(help, given, next(1)),
		slices.Concat(help, next(1)),
		slices.Concat(firstLines(help, max(1, room-1-len(next(1))), inner), next(1)),
	} {
		if len(lines) < room {
			break
		}
	}
	return footBox(s, "set as "+spec.Field, lines, w, room) // its name stands above, in the row
}

// footBox puts a line with a name above lines.
func footBox(s *theme.Styles, name string, lines []string, w, room int) []string {
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
func rangeText(now *session.Session, s *param.Spec) string {
	of := ""
	_, scaled := calibrated(now, s.Field)
	switch {
	case scaled:
		of = " of this corpus's scale"
	case s.Unit != "":
		of = " (" + s.Unit + ")"
	}
	return phrase.Capital(s.Accepts(of)) + ", stage " + retrieval.StageOf(s.Stage).Title
}

// calibrated is the cosine that the similarity floor stands for where it is set
// on the corpus's own scale. It is not known of another parameter, or while what
// is shown was ranked with another floor.
func calibrated(now *session.Session, field string) (cosine float64, ok bool) {
	if field != param.FieldSimilarityFloor || now.Result() == nil {
		return 0, false
	}
	f := now.Result().Floor
	return f.Raw, !f.Off && f.Scale == param.FloorCalibrated && f.Setting == now.Params().SimilarityFloor
}

// originText says where the present value comes from.
func (d *sheet) originText(s *param.Spec) string {
	base := s.Shown(wording.Line(s.Get(&d.start))) + ", " + d.originOf(s.Field)
	here := ""
	if cosine, ok := calibrated(d.now, s.Field); ok {
		here = "; here cosine " + wording.Score(cosine)
	}
	if d.isChanged(s) {
		return "changed here, default " + base + here
	}
	return base + here
}

// givenText says what the value is where nobody changes it.
func (d *sheet) givenText(s *param.Spec) string {
	return "default " + s.Shown(wording.Line(s.Get(&d.start)))
}

// originOf says where the value came from that the parameters started with.
func (d *sheet) originOf(field string) string {
	return cmp.Or(wording.Line(d.needs.Profiles.Origin(d.startName, field)), "preset "+wording.Line(d.startName))
}

// nextBreakpoints are the next breakpoints in both directions, each with its cause in so many
// lines at most.
func (d *sheet) nextBreakpoints(s *param.Spec, w, most int) []string {
	look := d.s
	if d.now.Pending() != "" && s.Field == d.now.Field() {
		return []string{look.Warning.Render("asks the corpus " + look.Signs.Ellipsis)}
	}
	if text := d.arrivedText(); text != "" {
		return append(widget.Styled(look.Strong.Render, firstLines(widget.Wrapped(text, w), most, w)), d.aheadLines(s, w, most)...)
	}
	return d.aheadLines(s, w, most)
}

// notTheirs says why it is not known where the ranking changes: the corpus has refused what
// the parameters need.
const notTheirs = "the ranking is not of these parameters"

// isRefused says that the corpus has refused that.
func (v *View) isRefused() bool { return v.Session().Unasked() != nil && !v.Session().IsCurrent() }

func (d *sheet) aheadLines(s *param.Spec, w, most int) []string {
	look := d.s
	known, ok := d.now.ExactBreakpoints(s.Field)
	if !ok {
		switch {
		case d.now.Evidence() == nil:
			return nil
		case d.isRefused():
			return []string{look.Faint.Render(ansi.Truncate(notTheirs, w, look.Signs.Ellipsis))}
		}
		return []string{look.Faint.Render("looking for changes " + look.Signs.Ellipsis)}
	}
	var lines []string
	value := s.Get(&d.present)
	for _, way := range []struct {
		up     bool
		action string
	}{{false, "tune.previous"}, {true, "tune.next"}} {
		point, at, ok := known.Next(value, way.up)
		if !ok {
			continue
		}
		key := d.KeyOf(way.action)
		text := widget.Wrapped(s.Shown(at)+": "+wording.Cause(point.Cause(way.up), d.TitleSuffixes()), w-ansi.StringWidth(key)-1)
		for i, l := range firstLines(text, most, w-ansi.StringWidth(key)-1) {
			if i == 0 {
				lines = append(lines, look.KeyName.Render(key)+" "+l)
			} else {
				lines = append(lines, strings.Repeat(" ", ansi.StringWidth(key)+1)+l)
			}
		}
	}
	asks := asksText(s, known, value, 0)
	if asks != "" {
		lines = append(lines, widget.Styled(look.Faint.Render, firstLines(widget.Wrapped(asks, w), most, w))...)
	}
	if len(lines) == 0 {
		text := "no value changes this ranking"
		switch {
		case !s.UsedIn(&d.present):
			text = "not used now: the other settings leave it without effect"
		case !known.Complete:
			text = "nothing near changes this ranking"
		}
		lines = append(lines, widget.Styled(look.Faint.Render, firstLines(widget.Wrapped(text, w), most, w))...)
	}
	return lines
}

// asksText says where the evidence ends: on the whole track, or only on the side of a value
// to which sign points. What reaches to an end of the track goes on beyond it, as far as a
// value can be typed.
func asksText(s *param.Spec, t whynot.Breakpoints, value string, sign int) string {
	var parts []string
	track, single := s.Positions(), true
	for _, a := range t.Unknown {
		from, to := s.Shown(a.From), s.Shown(a.To)
		switch {
		case sign != 0 && s.Ordered() && s.Order(a.To, value)*sign <= 0 && s.Order(a.From, value)*sign <= 0:
			continue
		case from == to || s.Kind == param.KindSet || s.Kind == param.KindList:
			parts = append(parts, from)
			continue
		case s.Ordered() && s.Order(a.From, track[0]) <= 0:
			parts = append(parts, "up to "+to)
		case s.Ordered() && s.Order(a.To, track[len(track)-1]) >= 0:
			parts = append(parts, "from "+from+" on")
		default:
			parts = append(parts, from+" to "+to)
		}
		single = false
	}
	switch said := strings.Join(parts, " and "); {
	case len(parts) == 0:
		return ""
	case len(parts) > 2:
		return "other values ask the corpus"
	case !single:
		return "values " + said + " ask the corpus"
	case len(parts) > 1:
		return said + " ask the corpus"
	default:
		return said + " asks the corpus"
	}
}

// firstLines are at most n lines, cut at a word; what is left out is marked.
func firstLines(lines []string, n, w int) []string {
	if len(lines) <= n {
		return lines
	}
	if n == 0 {
		return nil
	}
	rest := strings.Join(lines[n-1:], " ")
	lines = lines[:n]
	lines[n-1] = widget.CutAtWord(rest, w)
	return lines
}
