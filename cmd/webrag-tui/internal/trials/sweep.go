package trials

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	counting
	profile, measure, strategy, save string
	over, constraints                []string
	tries                            int
	seed                             uint64
	force, fresh                     bool
}

// examples of axes, for help and messages.
const exampleAxis = param.FieldTopK + "=3..20"

func newSweep(p *Program) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep SET --over FIELD=VALUES",
		Short: "Look for better parameters by what was judged, and say whether there are any",
		Long: "sweep ranks the queries of a query set by many settings, and says which is best by a measure.\n" +
			"It chooses on one half of the queries and measures on the other, then the other way round: the\n" +
			"best of many settings looks good on the queries that chose it, and what counts is what it is\n" +
			"worth on the rest. It calls a setting better only if it is so on both halves beyond chance; below\n" +
			"20 queries, or where little is judged, there is no verdict.\n\n" +
			"--over names a parameter and its values: " + exampleAxis + " is every step of its slider from 3 to 20,\n" +
			param.FieldSimilarityFloor + "=0..0.6/12 twelve even steps (both ends among them), a,b,c these values, and the\n" +
			"name alone the whole slider. With several, every combination is tried, up to --tries; of more,\n" +
			"so many are drawn at random; --strategy coordinate moves one parameter at a time.\n\n" +
			"--constraint leaves out settings: tokens<=3000 by the tokens returned per query, results<=10 by\n" +
			"their number, latency<=50ms by the median time to gather and rank, measured on this machine in\n" +
			"this run, Success@5>=.9 by any measure.\n\n" +
			"What was measured is kept beside the set: the same command goes on where it was interrupted,\n" +
			"and measures only what is new.",
		Example: "webrag-tui sweep docs --over " + exampleAxis + "\n" +
			"webrag-tui sweep docs --profile hybrid --over " + param.FieldKeywordWeight + "=0..1/10 --over " + param.FieldRRFK + "=10,30,60\n" +
			"webrag-tui sweep docs --over " + param.FieldContextBudget + " --constraint 'tokens<=3000' --measure R@60 --save tight",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("sweep needs one query set: webrag-tui sweep SET --over " + exampleAxis + "; 'webrag-tui judge list' lists them")
			}
			return p.sweep(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.profile, "profile", "", "start from this preset or profile, by `name` or file, and compare with it")
	fs.StringArrayVar(&f.over, "over", nil, "a parameter and its values, `field=values` (repeatable)")
	fs.StringVar(&f.measure, "measure", "nDCG@10", "the `measure` that is to be high (default nDCG@10)")
	fs.StringArrayVar(&f.constraints, "constraint", nil, "choose only settings within this `limit`, as in 'tokens<=3000' (repeatable)")
	fs.StringVar(&f.strategy, "strategy", "", "the `way` to search: grid, random or coordinate (default: grid, or random where there are more than --tries)")
	fs.IntVar(&f.tries, "tries", sweep.DefaultMost, "the most settings to try, a `number` (default "+strconv.Itoa(sweep.DefaultMost)+")")
	fs.Uint64Var(&f.seed, "seed", 1, "a `number` that decides on halves and what is drawn; the same one gives the same (default 1)")
	fs.StringVar(&f.save, "save", "", "save the best setting as a profile of this `name`, with how it was chosen")
	fs.BoolVar(&f.force, "force", false, "replace a profile of this name")
	fs.BoolVar(&f.fresh, "fresh", false, "measure anew, and forget what an earlier sweep measured")
	f.register(fs)
	p.SetsFlag(fs)
	p.Flags(fs)
	f.scoping.register(p, fs)
	return cmd
}

// plan reads what is to be tried.
func (f *sweepFlags) plan(base param.Params) (*sweep.Plan, error) {
	plan := &sweep.Plan{Base: base, Search: sweep.Search(f.strategy), Most: f.tries, Seed: f.seed}
	if f.tries < 1 {
		return nil, fmt.Errorf("--tries %d: must be at least 1", f.tries)
	}
	var err error
	if plan.Measure, err = evaluation.ParseMeasure(f.measure); err != nil {
		return nil, fmt.Errorf("--measure: %w", err)
	}
	for _, text := range f.over {
		axis, err := sweep.ParseAxis(text)
		if err != nil {
			return nil, fmt.Errorf("--over: %w", err)
		}
		plan.Axes = append(plan.Axes, axis)
	}
	for _, text := range f.constraints {
		c, err := sweep.ParseConstraint(text)
		if err != nil {
			return nil, fmt.Errorf("--constraint: %w", err)
		}
		plan.Constraints = append(plan.Constraints, c)
	}
	return plan, nil
}

// swept is a sweep with what it was of.
type swept struct {
	*sweep.Finding
	on    *asked
	from  Configuration
	took  time.Duration
	saved string // the file of the profile
}

func (p *Program) sweep(ctx context.Context, name string, f *sweepFlags) error {
	from, err := p.Configuration("profile", f.profile)
	if err != nil {
		return err
	}
	plan, err := f.plan(from.Params)
	if err != nil {
		return err
	}
	path, short := "", ""
	if f.save != "" {
		if path, short, err = p.ProfilePath(f.save, f.force); err != nil {
			return err
		}
	}
	a, err := p.ask(ctx, name, f.counting)
	if err != nil {
		return err
	}
	defer a.corpus.Close()
	p.Narrate(a.notices)
	s := &swept{on: a, from: from}
	if err := p.announce(ctx, s, plan); err != nil {
		return err
	}
	start := p.Now()
	if s.Finding, err = p.runSweep(ctx, s, plan, f); err != nil {
		return err
	}
	s.took = p.Now().Sub(start)
	if s.Winner >= 0 && f.save != "" {
		won := param.Profile{Name: short, Preset: from.Preset, Corpus: a.corpus.Name, Note: s.Note(a.set.Origin.Mark(filepath.Base(a.set.Folder)), from.Name), Params: s.Settings[s.Winner].Params}
		if err := p.WriteProfile(path, won, f.force); err != nil {
			return err
		}
		s.saved = path
	}
	return p.concludeSweep(s, f)
}

// announce says how long the sweep takes, and what stands in its way.
func (p *Program) announce(ctx context.Context, s *swept, plan *sweep.Plan) error {
	x := s.on.experiment
	e, err := sweep.EstimateTime(ctx, plan, x, s.on.corpus.Deps, p.Now)
	if err != nil {
		return fmt.Errorf("query set %s: %w", s.on.set.Name, err)
	}
	p.note("%s", e.Words(plan.Seed))
	if e.Whole {
		p.Narrate([]retrieval.Notice{retrieval.Worded(phrase.NoticeReadingOrder, s.from.Name, e.Queries, e.Queries)})
	}
	return nil
}

// runSweep makes the sweep, with what was kept of earlier ones.
func (p *Program) runSweep(ctx context.Context, s *swept, plan *sweep.Plan, f *sweepFlags) (*sweep.Finding, error) {
	journal := sweep.NewJournal(s.on.set, s.on.identity, s.on.experiment, f.judge, p.Version)
	journal.Fresh = f.fresh
	for _, condition := range s.on.within {
		journal.Counting += " " + condition
	}
	bar, start := p.Bar(), p.Now()
	defer bar.Clear()
	kept := 0
	found, err := sweep.Run(ctx, plan, s.on.experiment, s.on.corpus.Deps, sweep.Options{Journal: journal, Now: p.Now, Progress: func(g sweep.Progress) {
		kept = g.Kept
		bar.Update(func() progress.Shown { return sweepShown(g, p.Now().Sub(start)) })
	}})
	bar.Clear()
	switch {
	case errors.Is(err, context.Canceled):
		p.note("what was measured is kept; the same command goes on from there")
	case kept > 0:
		p.note("%s had been made by an earlier sweep", phrase.Counted(kept, "ranking"))
	}
	return found, err
}

// sweepShown is how far a sweep is.
func sweepShown(g sweep.Progress, elapsed time.Duration) progress.Shown {
	words := []string{fmt.Sprintf("%d of %s", g.Done, phrase.Counted(g.Total, "ranking"))}
	if left, rate, ok := g.Left(elapsed); ok {
		words = append(words, left.Round(time.Second).String()+" left", fmt.Sprintf("%.0f a second", rate))
	}
	return progress.Shown{Words: words, Done: g.Done, Total: g.Total}
}

// concludeSweep prints a sweep.
func (p *Program) concludeSweep(s *swept, f *sweepFlags) error {
	if p.IsJSON() {
		if err := p.Print(s.encode()); err != nil {
			return err
		}
	} else {
		if n, ok := s.Sparse(s.from.Name); ok {
			p.Narrate([]retrieval.Notice{n})
		}
		printer{w: p.Out()}.sweep(s)
		if s.saved != "" {
			p.note("saved %s; use it with --profile %s", s.saved, file.ShellWord(f.save))
		}
	}
	if s.Winner < 0 {
		return p.Short
	}
	return nil
}
