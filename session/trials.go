package session

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// trials are what settings are worth by the open set, beside the present one and the
// baseline.
type trials struct {
	// by are the settings, of which the first is what the others are compared with.
	by       []param.Params
	known    map[param.Params]*experiment.Measurement
	failed   map[param.Params]error
	contests map[param.Params]*Contest
}

// Contest compares what a setting is worth by the open set with what another one is.
type Contest struct {
	// Paired compares both by the first measure: a is the setting.
	*evaluation.Paired
	// Moved is how differently both rank, for which nothing needs to be judged: at
	// [OverlapDepth].
	Moved evaluation.Movement
	// between are the measurements that were compared.
	between [2]*experiment.Measurement
}

func contestOf(a, b *experiment.Measurement) *Contest {
	return &Contest{evaluation.Compare(a.Report, b.Report, 0), b.Movement(a, OverlapDepth), [2]*experiment.Measurement{a, b}}
}

// forget forgets what was found out, and not what is to be.
func (t *trials) forget() { *t = trials{by: t.by} }

func (t *trials) keep(p param.Params, m *experiment.Measurement) {
	if t.known == nil {
		t.known = map[param.Params]*experiment.Measurement{}
	}
	t.known[p] = m
}

// Try has the open set measure some settings, one after the other and behind what
// [Session.Measured] waits for, and compares all with the first. It keeps what is known of
// those that were tried before; without any it stops.
func (g *judging) Try(by ...param.Params) []Work {
	t := &g.trials
	if slices.Equal(by, t.by) {
		return nil
	}
	t.by = slices.Clone(by)
	unwanted := func(p param.Params) bool { return !slices.Contains(by, p) }
	maps.DeleteFunc(t.known, func(p param.Params, _ *experiment.Measurement) bool { return unwanted(p) })
	maps.DeleteFunc(t.failed, func(p param.Params, _ error) bool { return unwanted(p) })
	maps.DeleteFunc(t.contests, func(p param.Params, _ *Contest) bool { return unwanted(p) })
	g.works.end(KindTrial)
	return g.tryRest()
}

// Trial is what a setting is worth, nil while that is not known, and why it could not be
// measured.
func (g *judging) Trial(p param.Params) (*experiment.Measurement, error) {
	if m := g.measured; m != nil && m.of == g.querySet {
		switch p {
		case m.Of:
			return m.Now, nil
		case g.baseOf:
			return m.Base, nil
		}
	}
	return g.trials.known[p], g.trials.failed[p]
}

// Contest compares a setting that is tried with the first of them, nil while that is not
// known.
func (g *judging) Contest(p param.Params) *Contest {
	if len(g.trials.by) == 0 {
		return nil
	}
	a, _ := g.Trial(p)
	b, _ := g.Trial(g.trials.by[0])
	if c := g.trials.contests[p]; a != nil && b != nil && c != nil && c.between == [2]*experiment.Measurement{a, b} {
		return c
	}
	return nil
}

// MeasureBy measures by other measures, of which the first is compared.
func (g *judging) MeasureBy(measures ...evaluation.Measure) []Work {
	g.measures, g.measured = measures, nil
	g.trials.forget()
	g.works.tell(JudgedChanged)
	return g.measure()
}

// canMeasure reports that there is a set that something was judged in, and a corpus to ask.
func (g *judging) canMeasure() bool {
	return g.querySet != nil && g.opened.corpus != nil && g.opened.corpus.Measurer != nil && !g.opened.loading && g.querySet.Measurable() > 0
}

// tryRest measures the first setting that is not known, or compares those that are. What the
// present parameters are worth comes before.
func (g *judging) tryRest() []Work {
	if len(g.trials.by) == 0 || !g.canMeasure() || g.works.isUnderWay(KindMeasure) {
		return nil
	}
	m, set, measures := g.opened.corpus.Measurer, g.querySet, g.measures
	var missing [][2]*experiment.Measurement
	var of []param.Params
	first, _ := g.Trial(g.trials.by[0])
	for _, p := range g.trials.by {
		switch known, err := g.Trial(p); {
		case known == nil && err == nil && p != g.tuning.params:
			return []Work{g.works.begin(KindTrial, 0, func(ctx context.Context) (d Done) {
				d.Params = p
				d.Trial, d.Err = m.Measure(ctx, set, p, measures)
				return d
			})}
		case known != nil && first != nil && g.Contest(p) == nil:
			missing, of = append(missing, [2]*experiment.Measurement{known, first}), append(of, p)
		}
	}
	if missing == nil {
		return nil
	}
	return []Work{g.works.begin(KindTrial, 0, func(ctx context.Context) (d Done) {
		d.Contests = map[param.Params]*Contest{}
		for i, p := range of {
			if d.Err = ctx.Err(); d.Err != nil {
				return d
			}
			d.Contests[p] = contestOf(missing[i][0], missing[i][1])
		}
		return d
	})}
}

// keepTried keeps what is known of settings that are tried, before other ones are the present
// and the baseline.
func (g *judging) keepTried() {
	t := &g.trials
	for _, p := range t.by {
		if m, _ := g.Trial(p); m != nil {
			t.keep(p, m)
		}
	}
}

// takeTrial takes what was measured or compared, and goes on.
func (g *judging) takeTrial(d Done) []Work {
	t := &g.trials
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case d.Contests != nil:
		g.keepContests(d.Contests)
	case d.Err != nil:
		if t.failed == nil {
			t.failed = map[param.Params]error{}
		}
		t.failed[d.Params] = d.Err
	default:
		t.keep(d.Params, d.Trial)
	}
	g.works.tell(JudgedChanged)
	return g.tryRest()
}

// keepContests keeps comparisons of settings that are tried.
func (g *judging) keepContests(all map[param.Params]*Contest) {
	t := &g.trials
	if t.contests == nil {
		t.contests = map[param.Params]*Contest{}
	}
	for p, c := range all {
		if slices.Contains(t.by, p) {
			t.contests[p] = c
		}
	}
}
