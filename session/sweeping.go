package session

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Sweeping is a sweep that is under way.
type Sweeping struct {
	since    time.Time
	now      func() time.Time
	progress *atomic.Pointer[sweep.Progress]
}

// Elapsed is for how long it has been under way.
func (s *Sweeping) Elapsed() time.Duration { return s.now().Sub(s.since) }

// Progress is how far it is.
func (s *Sweeping) Progress() sweep.Progress {
	if p := s.progress.Load(); p != nil {
		return *p
	}
	return sweep.Progress{}
}

// SweepOptions are what a sweep is given beside its plan.
type SweepOptions struct {
	// Program is the version of the program, which may rank otherwise than another.
	Program string
	// Fresh measures anew what earlier sweeps have measured.
	Fresh bool
	// Traceless keeps nothing of what is measured.
	Traceless bool
}

// EstimateSweep finds out how long a sweep of the open set takes.
func (g *judging) EstimateSweep(plan *sweep.Plan) []Work {
	m, set, now := g.sweeper(), g.querySet, g.tuning.now
	if m == nil {
		return nil
	}
	return []Work{g.works.begin(KindSweepEstimate, 0, func(ctx context.Context) (d Done) {
		d.SweepEstimate, d.Err = m.EstimateSweep(ctx, set, plan, now)
		return d
	})}
}

// Survey finds out at which values of some parameters the queries of the open set come out
// otherwise, each moved alone from the present ones.
func (g *judging) Survey(axes []evaluation.Axis, by evaluation.Measure) []Work {
	m, set, base := g.sweeper(), g.querySet, g.tuning.params
	if m == nil {
		return nil
	}
	return []Work{g.works.begin(KindSurvey, Pause, func(ctx context.Context) (d Done) {
		d.Terrain, d.Err = m.Survey(ctx, set, base, axes, by)
		return d
	})}
}

// Sweep tries settings by the open set, in place of a sweep that is under way.
func (g *judging) Sweep(plan *sweep.Plan, o SweepOptions) []Work {
	m, set := g.sweeper(), g.querySet
	if m == nil {
		return nil
	}
	g.works.end(KindSurvey) // which would take time from it
	progress := new(atomic.Pointer[sweep.Progress])
	work := g.works.begin(KindSweep, 0, func(ctx context.Context) (d Done) {
		d.Finding, d.Err = m.Sweep(ctx, set, plan, o, func(now sweep.Progress) { progress.Store(&now) })
		return d
	})
	g.sweeping = &Sweeping{g.tuning.now(), g.tuning.now, progress}
	return []Work{work}
}

// StopSweep ends the sweep that is under way; what was measured is kept.
func (g *judging) StopSweep() {
	g.works.end(KindSweep)
	g.sweeping = nil
}

// Sweeping is the sweep that is under way, nil for none.
func (g *judging) Sweeping() *Sweeping {
	if !g.works.isUnderWay(KindSweep) {
		return nil
	}
	return g.sweeping
}

// sweeper is what sweeps of the open set are made with, nil for nothing.
func (g *judging) sweeper() SetMeasurer {
	if g.querySet == nil || g.opened.corpus == nil {
		return nil
	}
	return g.opened.corpus.Measurer
}

// EstimateSweep implements [SetMeasurer].
func (m measurer) EstimateSweep(ctx context.Context, j *Judged, plan *sweep.Plan, now func() time.Time) (sweep.Estimate, error) {
	return sweep.EstimateTime(ctx, plan, j.newExperiment(), m.deps, now)
}

// Survey implements [SetMeasurer].
func (m measurer) Survey(ctx context.Context, j *Judged, base param.Params, axes []evaluation.Axis, by evaluation.Measure) (*sweep.Terrain, error) {
	return sweep.Survey(ctx, base, axes, by, j.newExperiment(), m.deps)
}

// Sweep implements [SetMeasurer].
func (m measurer) Sweep(ctx context.Context, j *Judged, plan *sweep.Plan, o SweepOptions, progress func(sweep.Progress)) (_ *sweep.Finding, err error) {
	corpus, err := m.identify(ctx)
	if err != nil {
		return nil, err
	}
	x := j.newExperiment() // apart from what measures the present parameters meanwhile
	if o.Traceless {
		return sweep.Run(ctx, plan, x, m.deps, sweep.Options{Progress: progress})
	}
	journal := sweep.NewJournal(j.Set, corpus, x, "", o.Program)
	journal.Fresh = o.Fresh
	return sweep.Run(ctx, plan, x, m.deps, sweep.Options{Journal: journal, Progress: progress})
}

func (m measurer) identify(ctx context.Context) (_ judgment.Corpus, err error) {
	view, err := m.deps.Store.Read(ctx)
	if err != nil {
		return judgment.Corpus{}, err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	return judgment.Identify(ctx, m.deps.Store.Info().Name, view)
}
