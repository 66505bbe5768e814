package sweep

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// mostPlot is how high a curve is at most: a higher one only looks steeper.
const mostPlot = 24

// leastPlot is how many rows a curve needs to say more than a list, leastMap how many a map.
const leastPlot, leastMap = 6, 4

// picture draws the picture that is shown.
func (v findingPane) picture(s *theme.Styles, d *shown, w, h int) []string {
	p := d.picture()
	switch {
	case p.of == halvesPicture:
		return widget.Clip(v.halves(s, d, w), w, h)
	case p.of == curvePicture && !s.Spoken && h >= leastPlot:
		plot := d.plot(p)
		return padded(plot.Lines(s, w-2, min(h, mostPlot)))
	case p.of == mapPicture && !s.Spoken && h >= leastMap:
		heat := d.heat(p)
		return padded(heat.Lines(s, w-2, min(h, heat.Height())))
	}
	return widget.Clip(v.rowsOf(s, d, w, h), w, h)
}

// look puts the cursor on what stands at a place of the drawing, which is w by h cells.
func (d *shown) look(x, y, w, h int) {
	switch p := d.picture(); p.of {
	case curvePicture:
		if h < leastPlot {
			break
		}
		at := d.plot(p).PointAt(x, w)
		for i := range p.plateaus {
			if at -= len(p.plateaus[i].Values); at < 0 {
				p.x = i
				return
			}
		}
	case mapPicture:
		heat := d.heat(p)
		if column, row, ok := heat.CellAt(x, y, w, min(h, heat.Height())); ok {
			p.x, p.y = column, row
		}
	default:
		if at := p.top + y; at < len(p.settings) {
			p.x = at
		}
	}
}

// plot is the curve as it is drawn: the difference of each value to the base, on the base.
func (d *shown) plot(p *picture) *widget.Plot {
	field := d.Plan.Axes[p.axis].Field
	spec, _ := param.SpecOf(field)
	base := d.Means(0).Score
	plot := &widget.Plot{
		Level: base, Present: -1, Chosen: -1, PresentWord: "now", ChosenWord: "best",
		Figure: func(f float64) string { return phrase.Decimals(f, 3) },
	}
	present := d.Plan.Base.Get(field)
	for i := range p.plateaus {
		c := &p.plateaus[i]
		if i == p.x {
			plot.At = len(plot.Points)
		}
		if c.Chosen {
			at := slices.Index(c.Values, d.Settings[d.Winner].Values[p.axis])
			plot.Chosen = len(plot.Points) + max(0, at)
		}
		for _, value := range c.Values {
			if value == present {
				plot.Present = len(plot.Points)
			}
			plot.Points = append(plot.Points, widget.PlotPoint{
				Label: wording.Line(spec.Shown(value)), Value: c.Score, Low: base + c.Difference.Low, High: base + c.Difference.High,
			})
		}
	}
	return plot
}

// heat is the map as it is drawn.
func (d *shown) heat(p *picture) *widget.Heat {
	label := func(axis int) (list []string) {
		spec, _ := param.SpecOf(d.Plan.Axes[axis].Field)
		for _, value := range d.Plan.Axes[axis].Values {
			list = append(list, wording.Line(spec.Shown(value)))
		}
		return list
	}
	m := &widget.Heat{
		Values: p.values, Across: label(p.across), Down: label(p.down), AcrossTitle: nameOf(d.Plan.Axes[p.across].Field), DownTitle: nameOf(d.Plan.Axes[p.down].Field),
		AtX: p.x, AtY: p.y, Present: d.placeOf(p, 0), Chosen: [2]int{-1, -1},
	}
	if d.Winner >= 0 {
		m.Chosen = d.placeOf(p, d.Winner)
	}
	return m
}

// rowsOf is a picture as a list: settings, or the values of a curve or map in words.
func (v findingPane) rowsOf(s *theme.Styles, d *shown, w, h int) []string {
	p := d.picture()
	n := len(p.settings)
	if p.of == curvePicture {
		n = len(p.plateaus)
	}
	if p.of == mapPicture {
		text := "the arrows go through both: across through the values of " + nameOf(d.Plan.Axes[p.across].Field) + ", down through those of " + nameOf(d.Plan.Axes[p.down].Field)
		return padded(widget.Styled(s.Faint.Render, widget.Wrapped(text, w-2)))
	}
	list := widget.List{Pager: widget.Pager{Top: p.top}, At: p.x}
	list.Resize(h, n)
	p.top = list.Top
	var lines []string
	for i := list.Top; i < list.Until(); i++ {
		mark, style := widget.Mark(s, i == p.x, true, s.Text)
		number, text := d.entry(p, i)
		lines = append(lines, widget.Fit(mark+s.Score.Render(number)+"  "+style.Render(ansi.Truncate(text, max(1, w-2-ansi.StringWidth(number)), s.Signs.Ellipsis)), w))
	}
	return lines
}

// tokensWide is how wide the numbers of tokens in a list are: "128,000".
const tokensWide = 7

// entry is a row of a list: what it is worth, and what it is.
func (d *shown) entry(p *picture, i int) (number, text string) {
	if p.of == curvePicture {
		spec, _ := param.SpecOf(d.Plan.Axes[p.axis].Field)
		c := &p.plateaus[i]
		return phrase.Decimals(c.Score, 4), c.Shown(&spec) + d.remark(c.Setting, c.Chosen, c.IsFlat())
	}
	setting := p.settings[i]
	m := d.Means(setting)
	tokens := widget.Spread("", wording.Grouped(int(m.Tokens+.5)), tokensWide) + " tokens"
	text = d.settingWords(setting) + d.remark(setting, setting == d.Winner, false)
	if p.of == frontierPicture {
		return tokens + "  " + phrase.Decimals(m.Score, 4), text
	}
	return phrase.Decimals(m.Score, 4) + "  " + tokens, text
}

// remark says of a setting that it is the present one, the best or no different.
func (d *shown) remark(setting int, chosen, flat bool) string {
	text := ""
	switch {
	case setting == 0:
		text = ", as in " + d.from
	case flat:
		text = ", no difference"
	}
	if chosen {
		text += ", best"
	}
	return text
}

// explained says what is under the cursor; short has room for a line.
func (v findingPane) explained(s *theme.Styles, d *shown, w int, short bool) []string {
	text := v.point(d)
	switch setting, ok := d.setting(); {
	case text == "", s.Spoken: // then it is said above
		return nil
	case short && ok:
		text = d.settingWords(setting)
		score := phrase.Decimals(d.Means(setting).Score, 4)
		return []string{" " + widget.FirstFitting(w-2, text+"; "+score+d.against(setting), text+"; "+score, text)}
	}
	lines := padded(widget.Styled(s.Text.Render, widget.Wrapped(text, w-2)))
	if d.picture().of == curvePicture && d.isFlat() {
		lines = append(lines, padded(widget.Styled(s.Faint.Render, widget.Wrapped("flat: no value differs from "+d.from+" beyond chance", w-2)))...)
	}
	return lines
}

// isFlat says that no value of the curve differs from the base.
func (d *shown) isFlat() bool {
	for i := range d.picture().plateaus {
		if !d.picture().plateaus[i].IsFlat() {
			return false
		}
	}
	return true
}

// point says what is under the cursor, empty for nothing.
func (v findingPane) point(d *shown) string {
	p := d.picture()
	if p.of == halvesPicture {
		return ""
	}
	if p.of == curvePicture {
		field := d.Plan.Axes[p.axis].Field
		spec, _ := param.SpecOf(field)
		c := &p.plateaus[p.x]
		text := spec.Name + " " + wording.Line(c.Shown(&spec)) + d.others(p.axis, c.Setting) + d.remark(c.Setting, c.Chosen, c.IsFlat()) + "; " + d.means(c.Means)
		if c.Setting != 0 {
			text += "; " + interval(c.Difference) + " against " + d.from
		}
		return text
	}
	setting, ok := d.setting()
	if !ok {
		return "this combination was not tried"
	}
	return d.settingWords(setting) + d.remark(setting, setting == d.Winner, false) + "; " + d.means(d.Means(setting)) + d.against(setting)
}

// others are the values of all axes but one, which a curve goes along.
func (d *shown) others(axis, setting int) string {
	var words []string
	for i, a := range d.Plan.Axes {
		if spec, _ := param.SpecOf(a.Field); i != axis {
			words = append(words, spec.Name+" "+wording.Line(spec.Shown(d.Settings[setting].Values[i])))
		}
	}
	if words == nil {
		return ""
	}
	return " with " + strings.Join(words, ", ")
}

// against is by how much a setting is better than the base.
func (d *shown) against(setting int) string {
	if setting == 0 {
		return ""
	}
	return "; " + signed(d.Means(setting).Score-d.Means(0).Score) + " against " + d.from
}
