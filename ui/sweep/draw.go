package sweep

import (
	"errors"
	"image"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// findingPane has how far a sweep is, and what came of it.
type findingPane struct{ *View }

var _ view.Pane = findingPane{}

// SetSize implements [view.Pane].
func (v findingPane) SetSize(_, h int) { v.h = h }

// Title implements [view.Pane].
func (v findingPane) Title() (name, note string) {
	if v.shown == nil {
		name := wording.Line(v.Session().SetName())
		if set := v.Session().Judged(); set != nil {
			name = set.Titled(name)
		}
		return "Sweep", name
	}
	return "Sweep", wording.Line(v.begun.named()) + " · " + v.shown.Plan.Measure.String() + " · " + queries(len(v.shown.IDs)) + " · " + wording.Plural(len(v.shown.Settings), "setting")
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return wording.Count(n) + " queries"
}

// Draw implements [view.Pane].
func (v findingPane) Draw(w, h int, _ bool) []string {
	s := v.Styles()
	if running := v.Session().Sweeping(); running != nil {
		return widget.Clip(v.progress(s, running.Progress(), running.Elapsed(), w), w, h)
	}
	if v.shown == nil {
		return widget.Clip(padded(widget.Styled(s.Faint.Render, widget.Wrapped(v.nothing(), w-2))), w, h)
	}
	return widget.Clip(v.finding(s, w, h), w, h)
}

// nothing says why there is no finding.
func (v findingPane) nothing() string {
	ok, why := v.canRun()
	var other *sweep.JournalError
	switch {
	case !ok:
		return v.Keyed(phrase.Capital(why)) + "."
	case v.begun.plan != nil && v.gone == nil && v.stopped == nil:
		return "One moment" + v.Styles().Signs.Ellipsis
	case errors.As(v.gone, &other):
		return v.Keyed("What an earlier sweep measured does not count here: " + wording.Line(other.Why) + ". {sweep.run} asks again whether it is to be measured anew.")
	case v.gone != nil:
		return "The sweep failed: " + wording.FirstLine(v.gone) + "."
	case v.stopped != nil:
		return v.Keyed("Stopped at " + wording.Grouped(v.stopped.Done) + " of " + wording.Grouped(v.stopped.Total) + " rankings. They are kept: {sweep.run} goes on from there.")
	}
	return v.Keyed("A sweep ranks the queries of the set by many settings, chooses by one half of them and measures on the other half, then the other way round. " +
		"Mark what is to be moved, one parameter or several, and {sweep.run} runs it.")
}

// progress says how far a sweep is.
func (v findingPane) progress(s *theme.Styles, g sweep.Progress, elapsed time.Duration, w int) []string {
	lines := []string{"", " " + s.Strong.Render(wording.Grouped(g.Done)) + s.Faint.Render(" of "+wording.Grouped(g.Total)+" rankings")}
	if room := w - 2; g.Total > 0 && room > 0 && !s.Spoken {
		bar := widget.Bar(float64(g.Done), float64(g.Total), room, s.Plain)
		rest := room - ansi.StringWidth(bar)
		lines = append(lines, " "+s.Score.Render(bar)+s.Rule.Render(widget.Repeat(s.Signs.Track, rest)))
	}
	said := "counting what there is to do"
	if left, rate, ok := g.Left(elapsed); ok {
		said = "about " + sweep.Roughly(left) + " left, " + wording.Grouped(int(rate)) + " rankings a second"
	}
	if g.Kept > 0 {
		said += "; " + wording.Grouped(g.Kept) + " had been made by an earlier sweep"
	}
	lines = append(lines, padded(widget.Styled(s.Faint.Render, widget.Wrapped(said, w-2)))...)
	return append(lines, padded(widget.Styled(s.Faint.Render, widget.Wrapped(v.Keyed("{go.back} stops it; what was measured is kept"), w-2)))...)
}

// halvesHeight is from how many rows on the halves stand below the picture.
const halvesHeight = 22

// shortHeight is below how many rows the setting under the cursor has one.
const shortHeight = 12

// finding draws what came of a sweep: the verdict, a picture with what is under its cursor, and
// the halves.
func (v findingPane) finding(s *theme.Styles, w, h int) []string {
	d := v.shown
	lines := v.verdict(s, d, w, h < halvesHeight)
	var below []string
	if h >= halvesHeight && d.picture().of != halvesPicture {
		below = append([]string{""}, v.halves(s, d, w)...)
	}
	explained := v.explained(s, d, w, h < shortHeight)
	room := h - len(lines) - 1 - len(explained) - len(below)
	if room < 6 && len(below) > 0 {
		below, room = nil, room+len(below)
	}
	lines = append(lines, v.titles(s, d, w))
	v.drawnAt = image.Rect(1, len(lines), w-1, len(lines)+max(0, room))
	lines = append(lines, v.picture(s, d, w, max(0, room))...)
	return append(append(lines, explained...), below...)
}

// verdict says what the sweep came to, and what to think of it; short has less room.
func (v findingPane) verdict(s *theme.Styles, d *shown, w int, short bool) []string {
	var lines []string
	say := func(style func(...string) string, text string) {
		lines = append(lines, padded(widget.Styled(style, widget.Wrapped(text, w-2)))...)
	}
	if d.Winner < 0 {
		say(s.Warning.Render, "none of the settings is within "+d.Limits())
		return lines
	}
	say(s.Strong.Render, phrase.Capital(d.VerdictWords()))
	if says := d.Timing(); says != "" {
		say(s.Faint.Render, says)
	}
	if n, ok := d.Sparse(d.from); ok {
		say(s.Warning.Render, s.Signs.Cross+" "+n.Text+v.Keyed(" · {sweep.judge} judges what differs"))
	}
	if len(d.Idle) > 0 {
		idle := make([]string, len(d.Idle))
		for i, field := range d.Idle {
			idle[i] = nameOf(field)
		}
		say(s.Warning.Render, strings.Join(idle, ", ")+" without effect in any setting: what reads it is switched off")
	}
	if v.begun.judged != v.Session().Judged() {
		say(s.Faint.Render, "by the judgments of "+v.begun.set+" as they were then")
	}
	if d.Winner == 0 {
		say(s.Text.Render, d.from+" is best as it is: "+d.means(d.Means(0)))
		return lines
	}
	if short {
		best := "best: " + d.settingWords(d.Winner)
		return append(lines, " "+widget.FirstFitting(w-2, best+", "+interval(d.OnAll.Difference)+" against "+d.from, best+", "+signed(d.OnAll.Difference.Mean), best))
	}
	say(s.Text.Render, "best by all queries: "+d.settingWords(d.Winner)+": "+d.means(d.Means(d.Winner)))
	say(s.Faint.Render, "that is "+interval(d.OnAll.Difference)+" against "+d.from+"; these queries chose it, so that part of it is luck")
	return lines
}

// titles name the pictures, the one that is shown stronger.
func (v findingPane) titles(s *theme.Styles, d *shown, w int) string {
	var parts []string
	for i := range d.pictures {
		style := s.Faint
		if i == d.at {
			style = s.Selected
		}
		parts = append(parts, style.Render(d.pictures[i].title))
	}
	line := " " + strings.Join(parts, s.Faint.Render(" "+s.Signs.Dot+" "))
	if ansi.StringWidth(line) <= w {
		return line
	}
	return " " + s.Selected.Render(d.picture().title) + s.Faint.Render("  "+v.KeyOf("sweep.picture")+" shows another")
}

// halves say what either half chose, and what that is worth on the other.
func (v findingPane) halves(s *theme.Styles, d *shown, w int) []string {
	if d.Halves[0].Setting < 0 || d.Halves[1].Setting < 0 {
		return padded(widget.Wrapped("One half of the queries has no setting within "+d.Limits()+".", w-2))
	}
	lines := []string{" " + s.Faint.Render("chosen on one half, measured on the other")}
	for i := range d.Halves {
		half := &d.Halves[i]
		text := queries(half.Queries) + " chose " + d.settingWords(half.Setting) + ": " + phrase.Decimals(half.On.Mean, 4) + " there; " +
			phrase.Decimals(half.Held.Mean, 4) + " on the other half against " + phrase.Decimals(half.Held.Base, 4) + " of " + d.from + ", " +
			interval(half.Held.Difference) + ", p " + chance(half.Held.Chance) + "; gap " + signed(half.Gap())
		lines = append(lines, padded(widget.Wrapped(text, w-2))...)
	}
	text := "both, each by the other's choice: " + phrase.Decimals(d.Held.Mean, 4) + " against " + phrase.Decimals(d.Held.Base, 4) + ", " +
		interval(d.Held.Difference) + ", p " + chance(d.Held.Chance)
	lines = append(lines, padded(widget.Styled(s.Strong.Render, widget.Wrapped(text, w-2)))...)
	return append(lines, padded(widget.Styled(s.Faint.Render, widget.Wrapped("the gap is how much more it gains where it was chosen: luck", w-2)))...)
}

func chance(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return phrase.Decimals(p, 3)
}

// Said implements [view.Pane].
func (v findingPane) Said() string {
	if running := v.Session().Sweeping(); running != nil {
		p := running.Progress()
		return wording.Grouped(p.Done) + " of " + wording.Grouped(p.Total) + " rankings"
	}
	if v.shown == nil {
		return v.nothing()
	}
	if text := v.point(v.shown); text != "" {
		return text
	}
	return phrase.Capital(v.shown.VerdictWords())
}

// Move implements [view.Pane].
func (v findingPane) Move(verb widget.Verb) {
	if v.shown != nil {
		v.shown.move(0, verb.Rows(max(1, v.h/2)))
	}
}

// Click implements [view.Pane]: it looks at what stands there, or at the next picture.
func (v findingPane) Click(x, y int) tea.Cmd {
	switch {
	case v.shown == nil:
		return nil
	case y == v.drawnAt.Min.Y-1:
		return v.turn(1)
	case image.Pt(x, y).In(v.drawnAt):
		v.shown.look(x-v.drawnAt.Min.X, y-v.drawnAt.Min.Y, v.drawnAt.Dx(), v.drawnAt.Dy())
	}
	return nil
}
