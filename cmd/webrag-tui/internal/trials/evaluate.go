package trials

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	measuring
	profiles                     []string
	perQuery                     bool
	answeredOnly, answerableOnly bool
	under                        []string
	baseline, saveBaseline       string
	drop                         float64
	qrels                        string
	runs                         []string
}

func newEvaluate(p *Program) *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate SET",
		Short: "Measure presets and profiles by what was judged",
		Long: "evaluate asks the queries of a query set, and measures by its judgments how well each\n" +
			"preset or profile ranks. Measures have the names of ir_measures and are computed as\n" +
			"trec_eval does; each mean stands beside its 95 % interval and the share of what was\n" +
			"returned that somebody judged, since the rest counts as bad. Several profiles are compared\n" +
			"with the first, query by query; below 20 queries there is no verdict.\n\n" +
			"With --qrels and --run it measures rankings that are in files of TREC, without a corpus.\n\n" +
			"For tests: --fail-under names what must be reached, --save-baseline keeps the figures and\n" +
			"--baseline compares with them. It exits with 1 where that falls short, and says why queries\n" +
			"fell.",
		Example: "webrag-tui evaluate docs --profile blend --profile tight\n" +
			"webrag-tui evaluate docs --measure nDCG@10 --measure 'P(rel=2)@5' --per-query --json\n" +
			"webrag-tui evaluate docs --fail-under 'nDCG@10=.70' --baseline main.json --fail-on-drop .01\n" +
			"webrag-tui evaluate --qrels qrels.txt --run bm25.run --run ours.run",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(f.runs) > 0 || f.qrels != "":
				return p.evaluateFiles(cmd.Context(), args, &f)
			case len(args) != 1:
				return errors.New("evaluate needs one query set: webrag-tui evaluate SET --profile blend; 'webrag-tui judge list' lists them")
			}
			return p.evaluate(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&f.profiles, "profile", nil, "measure this preset or profile, by `name` or file (repeatable; the first is compared with)")
	fs.BoolVar(&f.perQuery, "per-query", false, "list every query")
	f.measuring.register(fs)
	fs.BoolVar(&f.answeredOnly, "exclude-missing", false, "leave out queries that a run has no ranking of, in place of counting them as 0")
	fs.BoolVar(&f.answerableOnly, "exclude-unanswerable", false, "leave out queries that nothing was judged relevant to, in place of counting them as 0")
	fs.StringArrayVar(&f.under, "fail-under", nil, "exit with 1 if a mean is below: `measure=value` (repeatable)")
	fs.StringVar(&f.saveBaseline, "save-baseline", "", "keep the figures in a `FILE`, for --baseline")
	fs.StringVar(&f.baseline, "baseline", "", "compare with the figures that --save-baseline kept in a `FILE`")
	fs.Float64Var(&f.drop, "fail-on-drop", 0, "with --baseline, exit with 1 if a mean is lower by more than this `value` (default 0)")
	fs.StringVar(&f.qrels, "qrels", "", "judgments in a `FILE` of TREC, for --run")
	fs.StringArrayVar(&f.runs, "run", nil, "measure the rankings in a `FILE` of TREC (repeatable)")
	p.SetsFlag(fs)
	p.Flags(fs)
	f.scoping.register(p, fs)
	return cmd
}

// options are those of a report.
func (f *evaluateFlags) options() (o evaluation.Options, limits []limit, err error) {
	if o, err = f.measuring.options(); err != nil {
		return o, nil, err
	}
	o.AnsweredOnly, o.AnswerableOnly = f.answeredOnly, f.answerableOnly
	if limits, err = parseLimits(f.under, &o.Measures); err != nil {
		return o, nil, err
	}
	if f.drop < 0 {
		return o, nil, fmt.Errorf("--fail-on-drop %v: must be at least 0", f.drop)
	}
	if f.drop > 0 && f.baseline == "" {
		return o, nil, errors.New("--fail-on-drop needs figures to compare with: --baseline FILE, which --save-baseline FILE makes")
	}
	return o, limits, nil
}

func (p *Program) evaluate(ctx context.Context, name string, f *evaluateFlags) error {
	o, limits, err := f.options()
	if err != nil {
		return err
	}
	then, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	configurations, err := p.configurations("profile", f.profiles)
	if err != nil {
		return err
	}
	a, err := p.ask(ctx, name, f.counting)
	if err != nil {
		return err
	}
	defer a.corpus.Close()
	t, err := p.measure(ctx, a, configurations, o)
	if err != nil {
		return err
	}
	now := t.encode(f.perQuery || f.saveBaseline != "" || then != nil)
	fallen, err := t.fallen(ctx, now, then, f.drop)
	if err != nil {
		return err
	}
	return p.conclude(t, now, append(t.short(limits), fallen...), f)
}

// configurations are presets and profiles by name, or what the settings say.
func (p *Program) configurations(flag string, names []string) ([]Configuration, error) {
	if len(names) == 0 {
		names = []string{""}
	}
	var list []Configuration
	for _, name := range names {
		c, err := p.Configuration(flag, name)
		if err != nil {
			return nil, err
		}
		for _, other := range list {
			if other.Name == c.Name {
				return nil, fmt.Errorf("--%s %s is given twice; a measured profile is compared with another one", flag, c.Name)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// conclude prints a trial, keeps it if that is wanted, and fails with what fell short.
func (p *Program) conclude(t *trial, now *encoded, short []failure, f *evaluateFlags) error {
	now.Failed = short
	if f.saveBaseline != "" {
		if err := saveBaseline(f.saveBaseline, now); err != nil {
			return err
		}
	}
	if p.IsJSON() {
		if !f.perQuery {
			now = now.withoutQueries()
		}
		if err := p.Print(now); err != nil {
			return err
		}
	} else {
		p.Narrate(t.notices)
		printer{w: p.Out()}.trial(t, f.perQuery)
		printer{w: p.Out()}.failures(short)
	}
	if len(short) > 0 {
		return p.Short
	}
	return nil
}
