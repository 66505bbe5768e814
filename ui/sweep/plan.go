package sweep

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// fewValues are what each of many parameters has at least, where none were given: with fewer it
// says little, and settings are drawn.
const fewValues = 6

// planning is what is to be tried, and how it is begun and ended.
type planning struct{ *View }

// axis are the values of a parameter: those that were given, or as many of its slider as let
// all marked parameters be tried in every combination.
func (v planning) axis(field string) (evaluation.Axis, error) {
	if given := v.given[field]; given != "" {
		return sweep.ParseAxis(field + "=" + given)
	}
	spec, _ := param.SpecOf(field)
	// One less than the root: the present value may come to it.
	most := int(math.Pow(sweep.DefaultMost, 1/float64(max(1, len(v.marked))))) - 1
	now := v.Session().Params()
	a := sweep.DefaultAxis(&spec, spec.Get(&now), max(fewValues, most))
	return a, nil
}

// plan is what is marked.
func (v planning) plan() (*sweep.Plan, error) {
	p := &sweep.Plan{Base: v.Session().Params(), Measure: v.measure, Constraints: v.limits, Search: v.search, Seed: 1}
	for _, field := range v.marked {
		a, err := v.axis(field)
		if err != nil {
			return nil, err
		}
		p.Axes = append(p.Axes, a)
	}
	return p, nil
}

// changed says that something else is to be tried.
func (v *View) changed() tea.Cmd {
	v.version++
	v.wanted = false
	return nil
}

// patience is how long a sweep may take that begins unasked.
const patience = 3 * time.Minute

// run begins the sweep, of the parameter under the cursor where none is marked, once it is
// known how long it takes.
func (v planning) run() tea.Cmd {
	if r := v.row(); r != nil && r.field != "" && (len(v.marked) == 0 || v.lone != "" && v.lone != r.field) {
		v.marked = nil
		v.mark(r.field)
		v.lone = r.field
	}
	if len(v.marked) == 0 {
		return v.Say("mark a parameter first: {sweep.mark} on its row", false)
	}
	cmd := v.Follow()
	switch {
	case v.failed != nil:
		return tea.Batch(cmd, v.Say(wording.FirstLine(v.failed), true))
	case v.estimate == nil:
		v.wanted = true
		return cmd
	}
	return tea.Batch(cmd, v.confirm())
}

// confirm asks where a sweep takes long or can find nothing, and begins it.
func (v planning) confirm() tea.Cmd {
	v.wanted = false
	begin := widget.Choice{Value: "begin", Title: "Begin: it can be stopped, and goes on from there", Key: "b"}
	leave := widget.Choice{Value: "", Title: "Leave it: mark less, or fewer values", Key: "l"}
	var c *view.Chooser
	switch e := v.estimate; {
	case e.Whole:
		c = view.NewChooser("The whole corpus is sent: nothing is ranked", []widget.Choice{
			{Value: "chunks", Title: "Search it instead, and sweep", Key: "s", About: "Mode becomes chunk, as for a bigger corpus; " + v.KeyOf("tune.undo") + " takes it back."},
			{Value: "", Title: "Leave it", Key: "l"},
		}, false)
	case e.Time > patience:
		c = view.NewChooser("It takes about "+sweep.Roughly(e.Time), []widget.Choice{begin, leave}, false)
	default:
		return v.begin(false)
	}
	c.Then = func(what string) tea.Cmd {
		switch what {
		case "begin":
			return v.begin(false)
		case "chunks":
			p := v.Session().Params()
			p.Mode = param.ModeChunk
			v.wanted = true
			return v.Set(p, param.FieldMode)
		}
		return nil
	}
	return v.Push(c)
}

// begin begins it; fresh forgets what earlier sweeps have measured.
func (v planning) begin(fresh bool) tea.Cmd {
	plan, err := v.plan()
	if err != nil {
		return v.Say(wording.FirstLine(err), true)
	}
	now := v.Session()
	v.begun = begun{plan, wording.Line(now.Name()), now.Start(), now.SetName(), now.Judged()}
	v.stopped, v.gone, v.shown = nil, nil, nil
	surveying(v).end()
	v.looking.End()
	cmd := v.Begin(now.Sweep(plan, session.SweepOptions{Program: v.needs.Version, Fresh: fresh, Traceless: v.needs.IsTour()}))
	return tea.Batch(cmd, v.Focus(Finding), v.tick())
}

// tickPause is how long the progress stands still.
const tickPause = 200 * time.Millisecond

func (v planning) tick() tea.Cmd {
	if v.Session().Sweeping() == nil {
		return nil
	}
	return v.ticking.Rest(v.After, tickPause, v.tick)
}

// stop ends the sweep; what was measured is kept.
func (v planning) stop() tea.Cmd {
	if s := v.Session().Sweeping(); s != nil {
		p := s.Progress()
		v.stopped = &p
	}
	v.Session().StopSweep()
	v.ticking.End()
	v.version++
	return v.Say("stopped; what was measured is kept, and {sweep.run} goes on from there", false)
}

// Take implements [view.Taker]: it takes how long a sweep takes, and what came of one.
func (v *View) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindSweepEstimate:
		return planning{v}.takeEstimate(d)
	case session.KindSurvey:
		v.terrain = d.Terrain // nil where it failed: the sweep says why
		return nil
	case session.KindSweep:
		v.ticking.End()
		if d.Err == nil {
			return v.look(d.Finding)
		}
		return planning{v}.takeFailure(d.Err)
	}
	return nil
}

func (v planning) takeEstimate(d session.Done) tea.Cmd {
	if errors.Is(d.Err, context.Canceled) {
		return nil
	}
	if v.failed = d.Err; d.Err != nil {
		wanted := v.wanted
		if v.wanted = false; wanted {
			return v.Say(wording.FirstLine(d.Err), true)
		}
		return nil
	}
	v.estimate = &d.SweepEstimate
	if v.wanted {
		return v.confirm()
	}
	return surveying(v).begin() // not before: it would slow down what was timed
}

func (v planning) takeFailure(err error) tea.Cmd {
	v.gone = err
	v.version++ // how long the next one takes
	if other := (*sweep.JournalError)(nil); errors.As(err, &other) {
		c := view.NewChooser("What an earlier sweep measured does not count", []widget.Choice{
			{Value: "fresh", Title: "Measure anew, in its place", Key: "m", About: wording.Line(other.Why) + "."},
			{Value: "", Title: "Leave it", Key: "l"},
		}, false)
		c.Then = func(what string) tea.Cmd {
			if what == "" {
				return nil
			}
			return v.begin(true)
		}
		return v.Push(c)
	}
	return v.Say(wording.FirstLine(err), true)
}

// typeValues asks for the values of the parameter under the cursor.
func (v planning) typeValues() tea.Cmd {
	field := v.row().field
	spec, _ := param.SpecOf(field)
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		_, err := sweep.ParseAxis(field + "=" + text)
		return err
	}
	label := "A range, as 3..20 or 3..20/8 in 8 steps, or values with commas; nothing for the slider's"
	if !spec.Ordered() {
		label = "Values with commas: " + strings.Join(spec.Positions(), ", ") + "; nothing for all"
	}
	p := view.NewPrompt("Values of "+spec.Name, label, v.given[field], check, func(text string) tea.Cmd {
		v.given[field] = strings.TrimSpace(text)
		v.mark(field)
		return v.changed()
	})
	p.Verb = "set"
	return v.Push(p)
}

// typeMeasure asks what is to be high.
func (v planning) typeMeasure() tea.Cmd {
	p := view.NewPrompt("What is to be high", "A measure, as nDCG@10, R@60, RR@10, P@5 or Success@5", v.measure.String(),
		func(text string) error { _, err := evaluation.ParseMeasure(text); return err },
		func(text string) tea.Cmd {
			v.measure, _ = evaluation.ParseMeasure(text) // it was checked
			return v.changed()
		})
	p.Verb = "set"
	return v.Push(p)
}

// typeLimits asks which settings may be chosen.
func (v planning) typeLimits() tea.Cmd {
	p := view.NewPrompt("Choose only settings within", "tokens<=3000, results<=10, latency<=50ms or Success@5>=.9; several with ; between, or nothing", v.limitWords(),
		func(text string) error { _, err := parseLimits(text); return err },
		func(text string) tea.Cmd {
			v.limits, _ = parseLimits(text) // it was checked
			return v.changed()
		})
	p.Verb = "set"
	return v.Push(p)
}

// parseLimits reads constraints with semicolons between them; a number alone bounds tokens.
func parseLimits(text string) (list []sweep.Constraint, err error) {
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if _, err := strconv.ParseFloat(part, 64); err == nil {
			part = string(sweep.Tokens) + "<=" + part
		}
		c, err := sweep.ParseConstraint(part)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (v planning) limitWords() string {
	words := make([]string, len(v.limits))
	for i, c := range v.limits {
		words[i] = c.String()
	}
	return strings.Join(words, "; ")
}

// searches are the ways to search, in the order in which they are gone through; empty is a grid
// or, where that would be too big, a random search.
var searches = []sweep.Search{"", sweep.Random, sweep.Coordinate}
