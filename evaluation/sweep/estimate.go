package sweep

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Estimate is how long a sweep is expected to take.
type Estimate struct {
	// Settings are how many are tried, at most by a [Coordinate] search, and Combinations how
	// many the axes have.
	Settings     int
	Combinations float64
	Queries      int
	// Search is how they are chosen.
	Search Search
	Time   time.Duration
	// Whole says that the base sends the corpus whole, in the order of its pages: then no
	// parameter of the search changes anything.
	Whole bool
}

// Words say in one line what is tried and how long it takes.
//
//	60 queries by 20 settings (grid): about 2s
//	60 queries by 2000 settings (random search, at most 2000 of 1000000 combinations, seed 1): about 1m5s
func (e *Estimate) Words(seed uint64) string {
	how := string(e.Search)
	if e.Combinations > float64(e.Settings) {
		how = fmt.Sprintf("%s search, at most %d of %s combinations, seed %d", e.Search, e.Settings, countCombinations(e.Combinations), seed)
	}
	return fmt.Sprintf("%s by %s (%s): about %s", countQueries(e.Queries), phrase.Counted(e.Settings, "setting"), how, Roughly(e.Time))
}

// Roughly is a time as exact as an estimate is.
func Roughly(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return "a second"
	case d < 10*time.Minute:
		return d.Round(time.Second).String()
	case d < 2*day:
		return d.Round(time.Minute).String()
	default:
		return fmt.Sprintf("%.0f days", d.Hours()/day.Hours())
	}
}

// sampled is how many settings are timed.
const sampled = 40

// EstimateTime times some settings with the first query, and says how long all would take with
// all cores, without what a journal has already. It keeps nothing.
func EstimateTime(ctx context.Context, plan *Plan, x *experiment.Experiment, d retrieval.Deps, now func() time.Time) (Estimate, error) {
	p := *plan
	if len(x.Questions) == 0 {
		return Estimate{}, errNoQueries
	}
	if err := p.complete(len(x.Questions)); err != nil {
		return Estimate{}, err
	}
	e := Estimate{Settings: int(min(p.Combinations(), float64(p.Most))), Combinations: p.Combinations(), Queries: len(x.Questions), Search: p.Search}
	timed := p
	timed.Search, timed.Most = Random, min(p.Most, sampled)
	settings, err := timed.drawn()
	if err != nil {
		return e, err
	}
	all := make([]param.Params, len(settings))
	for i := range settings {
		all[i] = settings[i].Params
	}
	clock := now
	if !p.IsTimed() {
		clock = nil
	}
	// The first asking also opens what stays open.
	var spent [3]time.Duration
	for i, n := range []int{1, 1, len(all)} {
		start := now()
		err := x.Sweep(ctx, d, all[:n], experiment.SweepOptions{
			Measures: newTable(x, &p).Measures, Now: clock,
			Skip:    func(question int) bool { return question > 0 },
			Through: func(int, []experiment.Numbers) error { return nil },
		})
		if err != nil {
			return e, err
		}
		spent[i] = now().Sub(start)
	}
	asking := spent[1]
	ranking := max(0, spent[2]-asking) / time.Duration(max(1, len(all)-1))
	cores := min(runtime.GOMAXPROCS(0), e.Queries)
	e.Time = time.Duration(e.Queries) * (asking + ranking*time.Duration(e.Settings)) / time.Duration(cores)
	r, err := x.Questions[0].Rank(ctx, &d, p.Base)
	x.Questions[0].Forget()
	e.Whole = err == nil && r.Mode == param.ModeFullContext
	return e, err
}
