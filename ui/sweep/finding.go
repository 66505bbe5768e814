package sweep

import (
	"context"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// shown is a finding with what is drawn of it.
type shown struct {
	*sweep.Finding
	// from is what the base is called.
	from     string
	pictures []picture
	at       int
	// before is the picture that the frontier was opened from.
	before int
}

// pictureKind is a kind of picture.
type pictureKind int

const (
	curvePicture pictureKind = iota
	mapPicture
	bestPicture
	frontierPicture
	halvesPicture
)

// picture is one way to look at a finding, with a cursor.
type picture struct {
	of    pictureKind
	title string
	// axis is that of a curve, plateaus its pieces; across and down are those of a map, values
	// its cells.
	axis, across, down int
	plateaus           []sweep.Plateau
	values             [][]float64
	// settings are those of a list, in its order.
	settings []int
	// x and y are the cursor: on a plateau or on a row of a list x alone.
	x, y int
	// top is the first row of a list that is visible.
	top int
}

// mostListed is how many settings a list has.
const mostListed = 200

// look makes the pictures of a finding, which takes its time: each interval is drawn by chance
// some thousand times.
func (v *View) look(f *sweep.Finding) tea.Cmd {
	from := v.begun.from
	return v.looking.Run(v.Context(), func(context.Context) func() tea.Cmd {
		made := newShown(f, from)
		return func() tea.Cmd {
			v.shown = made
			v.version++ // the estimate of what is next
			if f.Winner > 0 {
				v.notes[f.Settings[f.Winner].Params] = f.Note(v.begun.named(), from)
			}
			return nil
		}
	})
}

func newShown(f *sweep.Finding, from string) *shown {
	d := &shown{Finding: f, from: from}
	list := func(kind pictureKind, title string, settings []int) {
		if len(settings) > 0 {
			settings = settings[:min(len(settings), mostListed)]
			at := max(0, slices.Index(settings, max(0, d.Winner)))
			d.pictures = append(d.pictures, picture{of: kind, title: title, settings: settings, x: at})
		}
	}
	// Of more parameters than a map has, the list says most.
	n := len(f.Plan.Axes)
	if n > 2 {
		list(bestPicture, "best settings", f.Ranked())
	}
	if n > 1 {
		d.addMap()
	}
	for axis := range f.Plan.Axes {
		d.addCurve(axis)
	}
	if n <= 2 {
		list(bestPicture, "best settings", f.Ranked())
	}
	list(frontierPicture, "quality against tokens", f.Frontier())
	d.pictures = append(d.pictures, picture{of: halvesPicture, title: "halves"})
	return d
}

// addCurve adds the curve of an axis; a random search seldom comes along the same line twice.
func (d *shown) addCurve(axis int) {
	p := picture{of: curvePicture, title: "curve of " + nameOf(d.Plan.Axes[axis].Field), axis: axis, plateaus: d.Plateaus(axis, math.MaxInt)}
	if len(p.plateaus) == 0 || len(p.plateaus) == 1 && len(p.plateaus[0].Values) < 2 {
		return
	}
	p.x = max(0, slices.IndexFunc(p.plateaus, func(c sweep.Plateau) bool { return c.Chosen }))
	d.pictures = append(d.pictures, p)
}

// addMap adds the map of the first two axes, where at least half of it was tried. That with
// more values goes across, where there is more room.
func (d *shown) addMap() {
	p := picture{of: mapPicture, title: "map", across: 0, down: 1}
	axes := d.Plan.Axes
	if len(axes[1].Values) > len(axes[0].Values) {
		p.across, p.down = 1, 0
	}
	p.values = d.HeatMap(p.across, p.down)
	filled := 0
	for _, row := range p.values {
		for _, mean := range row {
			if !math.IsNaN(mean) {
				filled++
			}
		}
	}
	if 2*filled < len(axes[0].Values)*len(axes[1].Values) {
		return
	}
	if c := d.placeOf(&p, max(0, d.Winner)); c[0] >= 0 && c[1] >= 0 {
		p.x, p.y = c[0], c[1]
	}
	d.pictures = append(d.pictures, p)
}

// placeOf is the column and row of a setting in a map.
func (d *shown) placeOf(p *picture, setting int) [2]int {
	values := d.Settings[setting].Values
	return [2]int{slices.Index(d.Plan.Axes[p.across].Values, values[p.across]), slices.Index(d.Plan.Axes[p.down].Values, values[p.down])}
}

func (d *shown) picture() *picture { return &d.pictures[d.at] }

// setting is the one under the cursor; ok is false where none is.
func (d *shown) setting() (setting int, ok bool) {
	switch p := d.picture(); p.of {
	case curvePicture:
		return p.plateaus[p.x].Setting, true
	case mapPicture:
		values := slices.Clone(d.Settings[max(0, d.Winner)].Values)
		values[p.down], values[p.across] = d.Plan.Axes[p.down].Values[p.y], d.Plan.Axes[p.across].Values[p.x]
		return d.SettingOf(values)
	case bestPicture, frontierPicture:
		return p.settings[p.x], true
	}
	return 0, false
}

// go moves the cursor, across or, in a map, down.
func (d *shown) move(across, down int) {
	within := func(at, by, n int) int { return max(0, min(at+by, n-1)) }
	switch p := d.picture(); p.of {
	case curvePicture:
		p.x = within(p.x, across+down, len(p.plateaus))
	case mapPicture:
		p.x, p.y = within(p.x, across, len(p.values[0])), within(p.y, down, len(p.values))
	default:
		p.x = within(p.x, across+down, len(p.settings))
	}
}

// walk moves the cursor across.
func (v *View) walk(n int) tea.Cmd {
	v.shown.move(n, 0)
	return nil
}

// turn goes to another picture.
func (v *View) turn(n int) tea.Cmd {
	d := v.shown
	d.at = (d.at + n + len(d.pictures)) % len(d.pictures)
	return v.Focus(Finding)
}

// toFrontier goes to the frontier, and back again.
func (v *View) toFrontier() tea.Cmd {
	d := v.shown
	at := slices.IndexFunc(d.pictures, func(p picture) bool { return p.of == frontierPicture })
	switch {
	case at < 0:
		return nil
	case d.at == at:
		d.at = d.before
	default:
		d.at, d.before = at, d.at
	}
	return v.Focus(Finding)
}

func (v *View) hasSetting() (bool, string) {
	if ok, why := v.hasShown(); !ok {
		return false, why
	}
	_, ok := v.shown.setting()
	return ok, "no setting is selected"
}

// use makes the setting under the cursor the present parameters.
func (v *View) use() tea.Cmd {
	setting, _ := v.shown.setting()
	now := v.Session()
	p := now.Params()
	if v.shown.Settings[setting].Params == p {
		return v.Say("these are the present parameters", false)
	}
	if p := v.shown.Settings[setting].Params; setting > 0 && v.notes[p] == "" {
		v.notes[p] = v.shown.NoteOf(setting, v.begun.named(), v.begun.from)
	}
	now.Divide()
	cmd := v.Set(v.shown.Settings[setting].Params, "")
	now.Divide()
	return tea.Batch(cmd, v.Say("now "+v.shown.settingWords(setting)+"; {tune.undo} takes it back", false))
}

// Note says how parameters were chosen that a sweep found to be best, or that were taken of
// one, as they are: what a profile of them is to say; empty for any others.
func (v *View) Note(p param.Params) string { return v.notes[p] }

func (v *View) canJudge() (bool, string) {
	if ok, why := v.hasShown(); !ok {
		return false, why
	}
	setting, ok := v.shown.setting()
	if !ok {
		setting = v.shown.Winner
	}
	switch judged := v.Session().Judged(); {
	case setting <= 0:
		return false, "that is " + v.shown.from + " itself: go to a setting that differs"
	case judged == nil || judged.Query(v.shown.LeastJudged(setting)) == nil:
		return false, "the set that was swept is not open: {judge.toggle} opens it"
	}
	return true, ""
}

// judge has judged what the setting under the cursor, or the winner, returns otherwise than
// the base, for the query of which least is judged.
func (v *View) judge() tea.Cmd {
	d := v.shown
	setting, ok := d.setting()
	if !ok {
		setting = d.Winner
	}
	now := v.Session()
	return v.needs.Judge(now.Judged().Query(d.LeastJudged(setting)).Text, func() tea.Cmd {
		cmd := v.Begin(now.CompareWith(session.Setting{Name: d.from, Params: d.Settings[0].Params}))
		return tea.Batch(cmd, v.Set(d.Settings[setting].Params, ""))
	})
}

func (v *View) canKeep() (bool, string) {
	switch {
	case v.needs.Save == nil:
		return false, "there is no place to save profiles to"
	case v.shown == nil:
		return false, "nothing was swept yet"
	case v.shown.Winner < 0:
		return false, "none of the settings is within " + v.shown.Limits()
	case v.shown.Winner == 0:
		return false, v.shown.from + " is best as it is"
	}
	return true, ""
}

// keep saves the winner as a profile, with how it was chosen.
func (v *View) keep() tea.Cmd {
	d := v.shown
	fields := make([]string, len(d.Plan.Axes))
	for i, a := range d.Plan.Axes {
		fields[i] = a.Field
	}
	name := v.begun.set + "-" + strings.Join(fields, "-")
	const most = 64 // characters of a profile's name
	return v.needs.Save(name[:min(most, len(name))], d.Settings[d.Winner].Params, v.begun.start, d.Note(v.begun.named(), v.begun.from))
}

// settingWords are the values of a setting as a screen shows them.
func (d *shown) settingWords(setting int) string {
	words := make([]string, len(d.Plan.Axes))
	for i, a := range d.Plan.Axes {
		spec, _ := param.SpecOf(a.Field)
		words[i] = spec.Name + " " + wording.Line(spec.Shown(d.Settings[setting].Values[i]))
	}
	return strings.Join(words, ", ")
}

// nameOf is what a parameter is called on the screen.
func nameOf(field string) string {
	spec, _ := param.SpecOf(field)
	return spec.Name
}

// signed is a difference with its sign.
func signed(v float64) string {
	text := phrase.Decimals(v, 3)
	if v > 0 && text != ".000" {
		return "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// means says what a setting is worth.
func (d *shown) means(m sweep.Means) string {
	took := ""
	if d.Plan.IsTimed() {
		took = "; " + wording.Decimals(m.Latency, 2) + " ms"
	}
	return d.Plan.Measure.String() + " " + phrase.Decimals(m.Score, 4) + "; " + d.Plan.Measure.Judged().String() + " " + phrase.Decimals(m.Judged, 2) +
		"; " + wording.Decimals(m.Results, 1) + " results of " + wording.Grouped(int(math.Round(m.Tokens))) + " tokens" + took
}

// interval is a difference with its interval.
func interval(d evaluation.Interval) string {
	return signed(d.Mean) + " (" + signed(d.Low) + " to " + signed(d.High) + ")"
}
