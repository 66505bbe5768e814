package trials

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// What is printed at most; --json has all.
const (
	mostPoints   = 40
	mostColumns  = 11
	mostFrontier = 10
	mostBest     = 5
	barCells     = 12
)

// sweep prints a sweep: the verdict first, and then what it stands on.
func (p printer) sweep(s *swept) {
	fmt.Fprintf(p.w, "%s%s%s  %s%s · %s · %s · %.1f s%s\n", bold, s.on.set.Origin.Mark(offset.Line(s.on.set.Name)), plain, faint,
		countQueries(len(s.IDs)), phrase.Counted(len(s.Settings), "setting"), corpusWords(s.on.identity), s.took.Seconds(), plain)
	fmt.Fprintf(p.w, "%s%s%s  %s\n", bold, offset.Line(s.from.Name), plain, s.meansWords(s.Means(0)))
	if says := s.Timing(); says != "" {
		fmt.Fprintf(p.w, "  %s%s%s\n", faint, says, plain)
	}
	p.winner(s)
	p.halves(s)
	if len(s.Plan.Axes) > 1 {
		p.best(s)
	}
	for axis := range s.Plan.Axes {
		p.curve(s, axis)
	}
	if len(s.Plan.Axes) > 1 {
		p.heatMap(s)
	}
	p.frontier(s)
}

// meansWords are the means of a setting.
func (s *swept) meansWords(m sweep.Means) string {
	text := fmt.Sprintf("%s %s · %s %s · %.1f results of %.0f tokens", s.Plan.Measure, figure(m.Score, 4), s.Plan.Measure.Judged(), figure(m.Judged, 2), m.Results, m.Tokens)
	if s.Plan.IsTimed() {
		text += fmt.Sprintf(" · %.2f ms", m.Latency)
	}
	return text
}

// winner says what was chosen, and what to think of it.
func (p printer) winner(s *swept) {
	if s.Winner < 0 {
		fmt.Fprintf(p.w, "\n%snone of the settings is within %s%s\n", bold, s.Limits(), plain)
		return
	}
	fmt.Fprintf(p.w, "\n%s%s%s\n", bold, phrase.Capital(s.VerdictWords()), plain)
	if len(s.Idle) > 0 {
		fmt.Fprintf(p.w, "  %s without effect in any setting: what reads it is switched off\n", strings.Join(s.Idle, ", "))
	}
	if s.Winner == 0 {
		fmt.Fprintf(p.w, "  %s is best as it is\n", offset.Line(s.from.Name))
		return
	}
	m := s.Means(s.Winner)
	fmt.Fprintf(p.w, "  best by all queries: %s%s%s  %s\n", bold, s.SettingWords(s.Winner), plain, s.meansWords(m))
	fmt.Fprintf(p.w, "  that is %s (%s to %s) against %s; these queries chose it, so that part of it is luck\n",
		signed(s.OnAll.Difference.Mean), signed(s.OnAll.Difference.Low), signed(s.OnAll.Difference.High), offset.Line(s.from.Name))
	if s.saved == "" {
		fmt.Fprintf(p.w, "  %suse it with %s, or keep it with --save NAME%s\n", faint, s.flagWords(s.Winner), plain)
	}
}

func (s *swept) flagWords(setting int) string { return s.Words(setting, "--set ", " ") }

// halves is what either half chose, and what that is worth on the other.
func (p printer) halves(s *swept) {
	if s.Halves[0].Setting < 0 || s.Halves[1].Setting < 0 {
		return
	}
	fmt.Fprintf(p.w, "\n%schosen on one half, measured on the other%s\n", bold, plain)
	rows := []string{"chosen on\tsetting\tthere\tgap\ton the other half\t" + offset.Line(s.from.Name) + " there\tdifference\t95 %\tp"}
	row := func(head string, there, gap string, c *sweep.Comparison) {
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s to %s\t%s", head, there, gap, figure(c.Mean, 4), figure(c.Base, 4),
			signed(c.Difference.Mean), signed(c.Difference.Low), signed(c.Difference.High), chance(c.Chance)))
	}
	for i := range s.Halves {
		h := &s.Halves[i]
		row(countQueries(h.Queries)+"\t"+s.SettingWords(h.Setting), figure(h.On.Mean, 4), signed(h.Gap()), &h.Held)
	}
	row("both\teach by the other's", "", "", &s.Held)
	p.table(rows)
	fmt.Fprintf(p.w, "  %sthe gap is how much more it gains where it was chosen: luck%s\n", faint, plain)
}

// best are the settings with the highest means.
func (p printer) best(s *swept) {
	list := s.Ranked()
	fmt.Fprintf(p.w, "\n%sthe best by all queries%s  %sof %s%s\n", bold, plain, faint, phrase.Counted(len(s.Settings), "setting"), plain)
	rows := []string{"mean\ttokens\tsetting"}
	for _, i := range list[:min(mostBest, len(list))] {
		m := s.Means(i)
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%s", figure(m.Score, 4), m.Tokens, s.SettingWords(i)))
	}
	p.table(rows)
}

// curve is the measure along an axis.
func (p printer) curve(s *swept, axis int) {
	field := s.Plan.Axes[axis].Field
	spec, _ := param.SpecOf(field)
	rows := s.Plateaus(axis, mostPoints)
	if len(rows) < 2 {
		return // a random search seldom comes along the same line twice
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range rows {
		low, high = min(low, c.Score), max(high, c.Score)
	}
	with := ""
	if len(s.Plan.Axes) > 1 {
		with = ", the others as chosen"
	}
	fmt.Fprintf(p.w, "\n%s%s%s  %s%s%s, bars from %s to %s%s\n", bold, field, plain, faint, s.Plan.Measure, with, figure(low, 3), figure(high, 3), plain)
	lines := []string{"value\t\tmean\tdifference\t95 %\t\tjudged\ttokens"}
	for _, c := range rows {
		mark := ""
		switch {
		case c.Setting == 0:
			mark = "as in " + offset.Line(s.from.Name)
		case c.IsFlat():
			mark = "= no difference"
		}
		if c.Chosen {
			mark = strings.TrimPrefix(mark+", best", ", ")
		}
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s to %s\t%s\t%s\t%.0f", offset.Line(c.Shown(&spec)), bar(c.Score, low, high), figure(c.Score, 4),
			signed(c.Difference.Mean), signed(c.Difference.Low), signed(c.Difference.High), mark, figure(c.Judged, 2), c.Tokens))
	}
	p.table(lines)
	if !slices.ContainsFunc(rows, func(c sweep.Plateau) bool { return !c.IsFlat() }) {
		fmt.Fprintf(p.w, "  flat: no value differs from %s beyond chance\n", offset.Line(s.from.Name))
	}
}

// bar is a share of a line, in eighths of a cell.
func bar(v, low, high float64) string {
	if !(high > low) {
		return strings.Repeat("█", barCells)
	}
	eighths := int(math.Round((v - low) / (high - low) * barCells * 8))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// heatMap is the measure by the values of the first two axes.
func (p printer) heatMap(s *swept) {
	across, down := s.Plan.Axes[1], s.Plan.Axes[0]
	rows := s.HeatMap(1, 0)
	low, high, filled := math.Inf(1), math.Inf(-1), 0
	for _, row := range rows {
		for _, v := range row {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
				filled++
			}
		}
	}
	if 2*filled < len(rows)*len(rows[0]) {
		return
	}
	columns, lines := thin(len(across.Values), mostColumns), []string{down.Field + " ↓  " + across.Field + " →"}
	for _, x := range columns {
		lines[0] += "\t" + across.Values[x]
	}
	for _, y := range thin(len(down.Values), mostPoints) {
		line := down.Values[y]
		for _, x := range columns {
			line += "\t" + shaded(rows[y][x], low, high)
		}
		lines = append(lines, line)
	}
	fmt.Fprintf(p.w, "\n%s%s by %s and %s%s  %sshades from %s to %s%s\n", bold, s.Plan.Measure, down.Field, across.Field, plain, faint, figure(low, 3), figure(high, 3), plain)
	p.table(lines)
}

// thin are at most so many indices below n, evenly, with both ends.
func thin(n, most int) []int {
	some := min(n, most)
	list := make([]int, some)
	for i := range list {
		if some > 1 {
			list[i] = i * (n - 1) / (some - 1)
		}
	}
	return list
}

// shaded is a mean with its shade; nothing where there is none.
func shaded(v, low, high float64) string {
	if math.IsNaN(v) {
		return ""
	}
	shade := len(shades) - 1
	if high > low {
		shade = min(shade, int((v-low)/(high-low)*float64(len(shades))))
	}
	return string(shades[shade]) + " " + figure(v, 3)
}

// frontier are the settings that none beats in both the measure and tokens.
func (p printer) frontier(s *swept) {
	list := s.Frontier()
	if len(list) < 2 {
		return
	}
	fmt.Fprintf(p.w, "\n%sthe most for so many tokens%s  %sno setting has a higher %s with fewer%s\n", bold, plain, faint, s.Plan.Measure, plain)
	rows := []string{"tokens\tmean\tsetting"}
	for _, i := range thin(len(list), mostFrontier) {
		m := s.Means(list[i])
		name := s.SettingWords(list[i])
		if list[i] == 0 {
			name += ", as in " + offset.Line(s.from.Name)
		}
		rows = append(rows, fmt.Sprintf("%.0f\t%s\t%s", m.Tokens, figure(m.Score, 4), name))
	}
	p.table(rows)
}
