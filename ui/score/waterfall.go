package score

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Step is one step of a score: what it was before and after.
type Step struct {
	Label    string
	From, To float64
}

// Steps are the steps from which a score is made, in the order of the
// arithmetic: where it starts, what is added, what a factor takes away. The last
// one ends at the value of e.
func Steps(e *retrieval.Explanation) []Step { return appendSteps(nil, e, 0, 1) }

// appendSteps appends the steps of e, beginning at from. times are the factors
// above it that make a scale of it and take nothing away.
func appendSteps(steps []Step, e *retrieval.Explanation, from, times float64) []Step {
	parts := partsOf(e)
	last := func() float64 {
		if len(steps) == 0 {
			return from
		}
		return steps[len(steps)-1].To
	}
	switch {
	case e.Op == retrieval.OpSum && len(parts) > 0:
		for _, part := range parts {
			steps = appendSteps(steps, part, last(), times)
		}
		return steps
	case e.Op == retrieval.OpMax && len(parts) > 0:
		best := parts[slices.IndexFunc(parts, func(c *retrieval.Explanation) bool { return c.Value == e.Value })]
		if len(partsOf(best)) > 0 {
			return appendSteps(steps, best, from, times)
		}
	case e.Op == retrieval.OpProduct:
		score, factors := scored(parts)
		if score == nil {
			break
		}
		taken := factors[:0:0]
		for _, f := range factors {
			if f.Value > 1 {
				times *= f.Value // a scale: nothing is lost or won by it
			} else {
				taken = append(taken, f)
			}
		}
		all := times
		for _, f := range taken {
			all *= f.Value
		}
		steps = appendSteps(steps, score, from, times)
		for i, f := range taken {
			to := from + (last()-from)*f.Value
			if i == len(taken)-1 {
				to = from + score.Value*all
			}
			steps = append(steps, Step{f.Label, last(), to})
		}
		return steps
	}
	return append(steps, Step{e.Label, from, from + e.Value*times})
}

// partsOf are the children that have a part in the value.
func partsOf(e *retrieval.Explanation) []*retrieval.Explanation {
	var parts []*retrieval.Explanation
	for _, c := range e.Children {
		if c != nil && c.Op != retrieval.OpNote {
			parts = append(parts, c)
		}
	}
	return parts
}

// scored finds the factor of a product that is a score: the others are pure
// numbers. It is nil for a product of pure numbers.
func scored(parts []*retrieval.Explanation) (score *retrieval.Explanation, factors []*retrieval.Explanation) {
	for _, p := range parts {
		if score == nil && p.Scale != "" && !p.IsMultiplier() {
			score = p
			continue
		}
		factors = append(factors, p)
	}
	return score, factors
}

// The widths of a waterfall's columns.
const (
	stepNumber = 6 // with a blank before it
	stepLabel  = 22
	stepBarMin = 8
)

// waterfallLines draws the steps of a score, each from where the one before ended:
// what is added to the right, what is taken away back to the left. They need two
// steps to be worth it, and room.
func waterfallLines(s *theme.Styles, e *retrieval.Explanation, room int) []string {
	steps := Steps(e)
	if len(steps) < 2 {
		return nil
	}
	high := 0.0
	for _, st := range steps {
		high = max(high, st.From, st.To)
	}
	// All numbers have the same decimals: one more where nothing else would be left of them.
	number, decimals := stepNumber, 3
	if high < .02 {
		number, decimals = stepNumber+1, 4
	}
	value := func(v float64) string {
		return strings.Replace(phrase.Bare(wording.Decimals(v, decimals)), "-", s.Signs.Minus, 1)
	}
	label, most := len("= score"), min(stepLabel, room-number-1-stepBarMin)
	for i := range steps {
		steps[i].Label = wording.Line(steps[i].Label)
		if ansi.StringWidth(steps[i].Label)+2 > most {
			steps[i].Label = beforeComma(steps[i].Label) // the tree says the rest
		}
		label = max(label, ansi.StringWidth(steps[i].Label)+2)
	}
	label = min(label, most)
	wide := min(room-label-number-1, 40)
	if label < 6 || s.Spoken {
		return nil
	}
	var lines []string
	line := func(sign, name, said, drawn string) {
		names := widget.Wrapped(name, label-2) // what has no room goes on below
		lines = append(lines, s.Text.Render(widget.Fit(sign+" "+names[0], label))+s.Score.Render(strings.Repeat(" ", max(0, number-ansi.StringWidth(said)))+said)+" "+drawn)
		for _, more := range names[1:] {
			lines = append(lines, s.Text.Render("  "+more))
		}
	}
	for i, st := range steps {
		change := value(math.Abs(st.To - st.From))
		switch {
		case i > 0 && strings.Trim(change, "0.") == "":
			line("+", st.Label, change, "")
		case i == 0:
			line(" ", st.Label, value(st.To), s.Bars[1].Render(between(0, st.To, high, wide, s)))
		case st.To < st.From:
			line(s.Signs.Minus, st.Label, s.Signs.Minus+change, s.Down.Render(between(st.To, st.From, high, wide, s)))
		default:
			line("+", st.Label, change, s.Up.Render(between(st.From, st.To, high, wide, s)))
		}
	}
	line("=", "score", value(e.Value), s.Bars[2].Render(between(0, e.Value, high, wide, s)))
	return lines
}

// beforeComma is a label up to the comma that something follows; one within a title is the
// title's own.
func beforeComma(label string) string {
	if head, _, _ := strings.Cut(label, ", "); strings.Count(head, `"`)%2 == 0 {
		return head
	}
	return label
}

// between draws [from, to] on a track of w cells that ends at high. What is not
// nothing has a cell at least.
func between(from, to, high float64, w int, s *theme.Styles) string {
	if high <= 0 || to <= from || w <= 0 {
		return ""
	}
	first := int(from / high * float64(w))
	if first == 0 {
		return widget.Bar(to, high, w, s.Plain)
	}
	last := max(first+1, int(to/high*float64(w)+.5))
	first = min(first, w-1)
	full := s.Signs.Blocks[7]
	if s.Plain {
		full = "#"
	}
	return strings.Repeat(" ", first) + strings.Repeat(full, min(last, w)-first)
}

// fieldsLines name the parameters that enter a number, with their present values.
func fieldsLines(s *theme.Styles, fields string, p *param.Params, room int) []string {
	if fields == "" || p == nil {
		return nil
	}
	var lines []string
	for f := range strings.SplitSeq(fields, ",") {
		named, last := wording.SettingName(f)+" "+settingOf(p, f), len(lines)-1
		if last >= 0 && ansi.StringWidth(lines[last])+2+ansi.StringWidth(named) <= room {
			lines[last] += ", " + named
			continue
		}
		lines = append(lines, widget.Wrapped(named, room)...)
	}
	return widget.Styled(s.Text.Render, lines)
}

// settingOf is a parameter's present value as it is shown.
func settingOf(p *param.Params, field string) string { return wording.Setting(field, p.Get(field)) }
