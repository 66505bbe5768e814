package sweep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Options are what a sweep may be given beside its plan.
type Options struct {
	// Journal has what earlier runs measured, and is told what this one does; nil keeps
	// nothing.
	Journal *Journal
	// Progress is told how far it is, one call at a time; it may be nil.
	Progress func(Progress)
	// Now is the clock of a plan that bounds latencies. How long something took in an earlier
	// run does not count for this one, so such a plan keeps no journal.
	//
	// Defaults to [time.Now].
	Now func() time.Time
}

// Progress is how far a sweep is.
type Progress struct {
	// Done are the rankings made, of Total that are known of: a [Coordinate] search does not
	// know how far it has to go. Kept are those that an earlier run had made.
	Done, Total, Kept int
}

// Left is how long the rest takes if it goes on as it went for some time, and how many rankings
// that makes in a second; ok is false while too little is done to say so.
func (g *Progress) Left(elapsed time.Duration) (left time.Duration, rate float64, ok bool) {
	made := g.Done - g.Kept
	if made <= 0 || elapsed < time.Second {
		return 0, 0, false
	}
	return elapsed * time.Duration(g.Total-g.Done) / time.Duration(made), float64(made) / elapsed.Seconds(), true
}

// errNoQueries is the error for a set of which nothing can be measured.
var errNoQueries = errors.New("no query of the set has a judgment that counts, so that no setting can be told from another; judge some results first")

// Run measures all settings of a plan and chooses among them. An error, also that of a context
// that ends, leaves what was measured until then in the journal, and the next run goes
// on from there to the same finding.
func Run(ctx context.Context, plan *Plan, x *experiment.Experiment, d retrieval.Deps, o Options) (*Finding, error) {
	if len(x.Questions) == 0 {
		return nil, errNoQueries
	}
	p := *plan
	if err := p.complete(len(x.Questions)); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if p.IsTimed() {
		o.Journal = nil
	}
	r := &runner{Options: o, plan: &p, x: x, deps: d, table: newTable(x, &p)}
	if o.Journal != nil {
		if err := o.Journal.open(&p, r.table); err != nil {
			return nil, err
		}
	}
	by := p.halves(r.table.IDs)
	searches, err := r.search(ctx, by)
	if o.Journal != nil {
		err = errors.Join(err, o.Journal.close())
	}
	if err != nil {
		return nil, err
	}
	return find(&p, r.table, by, searches), nil
}

// runner is one run of a plan.
type runner struct {
	Options
	plan     *Plan
	x        *experiment.Experiment
	deps     retrieval.Deps
	table    *Table
	progress Progress
	// counted are the settings whose rankings stand in progress.
	counted map[int]bool
}

// searched is where a search by some of the queries came: the settings that it may choose
// from, by their place in the table.
type searched [3][]int

// The searches: by the queries of each half, and by all.
const byAll = 2

// halves are the queries that each search goes by.
func (p *Plan) halves(ids []string) (by [3][]int) {
	halves := evaluation.Halves(ids, p.Seed)
	for i := range ids {
		by[byAll] = append(by[byAll], i)
	}
	by[0], by[1] = halves[0], halves[1]
	return by
}

// search tries settings.
func (r *runner) search(ctx context.Context, by [3][]int) (found searched, err error) {
	if r.plan.Search == Coordinate {
		defer func() {
			for _, q := range r.x.Questions {
				q.Forget()
			}
		}()
		for i := range found {
			if found[i], err = r.ascend(ctx, by[i]); err != nil {
				return found, err
			}
		}
		// All queries may choose from wherever some have led.
		found[byAll] = slices.Concat(found[byAll], found[0], found[1])
		return found, nil
	}
	settings, err := r.plan.drawn()
	if err != nil {
		return found, err
	}
	places, err := r.try(ctx, settings)
	return searched{places, places, places}, err
}

// mostRounds bounds how often an ascent goes through all axes.
const mostRounds = 20

// ascend moves one axis at a time to its best value, by some of the queries alone.
func (r *runner) ascend(ctx context.Context, queries []int) ([]int, error) {
	base, err := r.plan.setting(r.plan.start())
	if err != nil {
		return nil, err
	}
	visited, err := r.try(ctx, []Setting{base})
	if err != nil {
		return nil, err
	}
	at := visited[0]
	for range mostRounds {
		from := at
		for axis := range r.plan.Axes {
			line, err := r.line(at, axis)
			if err != nil {
				return nil, err
			}
			if room := r.plan.Most + 1 - len(visited); len(line) > room {
				line = line[:max(0, room)]
			}
			places, err := r.try(ctx, line)
			if err != nil {
				return nil, err
			}
			for _, place := range places {
				if !slices.Contains(visited, place) {
					visited = append(visited, place)
				}
			}
			if best := r.table.best(visited, queries, r.plan.Constraints); best >= 0 {
				at = best
			}
		}
		if at == from {
			break
		}
	}
	return visited, nil
}

// line are the settings that differ from one in one axis alone.
func (r *runner) line(from, axis int) ([]Setting, error) {
	var list []Setting
	for _, value := range r.plan.Axes[axis].Values {
		values := slices.Clone(r.table.Settings[from].Values)
		values[axis] = value
		s, err := r.plan.setting(values)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// try measures what of some settings was not measured yet, and returns their places.
func (r *runner) try(ctx context.Context, settings []Setting) ([]int, error) {
	t := r.table
	places := t.add(settings)
	r.count(places)
	wanted := slices.DeleteFunc(slices.Clone(places), t.isComplete)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	if len(wanted) == 0 {
		r.tell()
		return places, nil
	}
	params, values := make([]param.Params, len(wanted)), make([][]string, len(wanted))
	for i, at := range wanted {
		params[i], values[i] = t.Settings[at].Params, t.Settings[at].Values
	}
	if r.Journal != nil {
		if err := r.Journal.begin(values); err != nil {
			return nil, err
		}
	}
	return places, r.x.Sweep(ctx, r.deps, params, experiment.SweepOptions{
		Now: r.clock(), Measures: t.Measures, Keep: r.plan.Search == Coordinate,
		Skip: func(question int) bool {
			return !slices.ContainsFunc(wanted, func(setting int) bool { return !t.has(setting, question) })
		},
		Through: func(question int, by []experiment.Numbers) error {
			for i, at := range wanted {
				if !t.has(at, question) {
					r.progress.Done++
				}
				put(t.row(at, question), &by[i])
			}
			r.tell()
			if r.Journal == nil {
				return nil
			}
			return r.Journal.through(t, wanted, question)
		},
	})
}

// clock is that by which rankings are timed, nil where none are.
func (r *runner) clock() func() time.Time {
	if r.plan.IsTimed() {
		return r.Options.Now
	}
	return nil
}

// tell says how far it is.
func (r *runner) tell() {
	if r.Options.Progress != nil {
		r.Options.Progress(r.progress)
	}
}

// count adds settings to what is to be done, once each, with what of them was kept.
func (r *runner) count(places []int) {
	if r.counted == nil {
		r.counted = map[int]bool{}
	}
	for _, at := range places {
		if r.counted[at] {
			continue
		}
		r.counted[at] = true
		r.progress.Total += len(r.table.IDs)
		for q := range r.table.IDs {
			if r.table.has(at, q) {
				r.progress.Done++
				r.progress.Kept++
			}
		}
	}
}
