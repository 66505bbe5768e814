package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/trials"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/wire"
)

// compareFlags name the two sides.
type compareFlags struct {
	query      queryFlags
	a          string
	b          []string
	setA, setB []string
	depth      int
	judged     trials.Comparing
}

func newCompare(a *app) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare {TEXT | --set SET} --a NAME --b NAME",
		Short: "Compare what two presets or profiles return for a query",
		Long: "compare asks the same query twice and shows what entered, left and moved from a to\n" +
			"b, and how much of both lists is the same. A side that is not named is the preset\n" +
			"or profile of the settings; --set-a and --set-b change parameters of one side, --set\n" +
			"of both.\n\n" +
			"overlap@k and Jaccard are the share of results that both have among the first k,\n" +
			"of k and of all; churn is 1 − overlap. RBO is rank-biased overlap (p = 0.9): the\n" +
			"same, weighing the first places most. τ is Kendall's: from −1 for the common results\n" +
			"in reverse to 1 in the same order.\n\n" +
			"With --set SET, the name or folder of a query set in place of a text, it compares by what was\n" +
			"judged for the queries of the set: measures, who wins how often, and query by query. There --b may be given several\n" +
			"times: each is compared with a, and p is Holm's, as evaluate has it.",
		Example: "webrag-tui compare 'depth decay' --a webrag --b hybrid\n" +
			"webrag-tui compare 'depth decay' --set-b " + exampleSetting + "\n" +
			"webrag-tui compare 'depth decay' --a hybrid --b hybrid --set-b " + param.FieldRRFK + "=20 --json\n" +
			"webrag-tui compare --set docs --a webrag --b blend --b hybrid",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if at := slices.IndexFunc(a.set, func(s string) bool { return !strings.Contains(s, "=") }); at >= 0 && text == "" {
				set := a.set[at]
				a.set = slices.Delete(a.set, at, at+1)
				sides, err := f.sides(a)
				if err != nil {
					return err
				}
				configurations := make([]trials.Configuration, len(sides))
				for i, s := range sides {
					configurations[i] = trials.Configuration{Name: s.name, Preset: s.preset, Params: s.params}
				}
				return trials.Compare(cmd.Context(), trialsOf(a), set, configurations, f.judged, f.query.scope)
			}
			if text == "" || text == "-" {
				return errors.New("compare needs one query: webrag-tui compare 'depth decay' --a webrag --b hybrid")
			}
			return a.compare(cmd.Context(), text, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.a, "a", "", "the first side: a preset's or profile's `name`, or a profile's file")
	fs.StringArrayVar(&f.b, "b", nil, "the second side: a `name` or file (with a query set repeatable)")
	fs.StringArrayVar(&f.setA, "set-a", nil, "set a parameter of the first side: `field=value` (repeatable)")
	fs.StringArrayVar(&f.setB, "set-b", nil, "set a parameter of the second side: `field=value` (repeatable)")
	fs.IntVar(&f.depth, "at", 0, "measure the overlap within the first `k` places (default: the longer result)")
	f.judged.Register(fs)
	a.settingFlags(fs, "evaluation.sets")
	a.parameterFlags(fs)
	fs.Lookup("set").Usage = "compare by this query set in place of a text, or set a parameter of both sides: `set|field=value` (repeatable)"
	f.query.register(fs)
	return cmd
}

// sides resolves the parameters of the first side and of those that are compared with it,
// which must all differ.
func (f *compareFlags) sides(a *app) ([]side, error) {
	first, err := a.side("a", f.a, f.setA)
	if err != nil {
		return nil, err
	}
	others := f.b
	if len(others) == 0 {
		others = []string{""}
	}
	sides := []side{first}
	for _, name := range others {
		s, err := a.side("b", name, f.setB)
		if err != nil {
			return nil, err
		}
		switch i := slices.IndexFunc(sides, func(of side) bool { return of.params == s.params }); {
		case i > 0:
			return nil, fmt.Errorf("--b %s and --b %s have the same parameters; leave one of them out", sides[i].name, s.name)
		case i == 0:
			return nil, fmt.Errorf("both sides have the same parameters (%s); name another with --b, or change one with --set-b field=value", first.name)
		}
		sides = append(sides, s)
	}
	return sides, nil
}

// side is one of the two things compared.
type side struct {
	name, preset string // and what its parameters started from
	params       param.Params
	result       retrieval.Result
}

func (a *app) compare(ctx context.Context, text string, f compareFlags) error {
	if f.depth < 0 {
		return fmt.Errorf("--at %d: must be at least 0", f.depth)
	}
	if len(f.b) > 1 {
		return fmt.Errorf("--b is given %d times, and for one query two sides are compared; --set SET in place of the query compares several", len(f.b))
	}
	sides, err := f.sides(a)
	if err = errors.Join(f.judged.WithoutSet(), err); err != nil {
		return err
	}
	first, second := sides[0], sides[1]
	q, err := a.newAsker(ctx, text, f.query)
	if err != nil {
		return err
	}
	defer q.close()
	if f.a != "" && len(f.b) > 0 && f.b[0] != "" { // then the default is of no side
		q.opened = slices.DeleteFunc(q.opened, isOfDefaultPreset)
	}
	a.narrate(q.opened)
	q.opened = nil // they are of neither side
	for _, s := range []*side{&first, &second} {
		q.params = s.params
		if s.result, err = q.result(ctx, text); err != nil {
			return err
		}
	}
	a.align(&first, &second)
	c := retrieval.Compare(first.result, second.result, f.depth)
	if a.json {
		err = a.printEncoded(wire.EncodeComparison(c, first.name, second.name, wire.Options{Indent: true}))
	} else {
		a.narrateSides(&first, &second)
		comparisonPrinter{w: a.output(), a: &first, b: &second}.print(&c)
	}
	return orNothing(err, first.result.IsEmpty() && second.result.IsEmpty())
}

// side resolves the parameters of one side: those of its preset or profile, with
// what the settings and its own changes say.
func (a *app) side(flag, name string, changes []string) (side, error) {
	c, err := a.loadConfig()
	if err != nil {
		return side{}, err
	}
	from, err := basisOf(c)
	if name != "" {
		if from, err = openBasis(name); err != nil {
			err = eachLine("--"+flag+": ", err)
		}
	}
	if err != nil {
		return side{}, err
	}
	s := side{name: strings.Join(append([]string{from.profile.Name}, changes...), ", "), preset: from.profile.Preset}
	if s.params, err = retrievalParams(c, from.profile.Params); err != nil {
		return side{}, err
	}
	for _, pair := range changes {
		field, text, err := cutSetting("--set-"+flag, pair)
		if err != nil {
			return side{}, err
		}
		if err := s.params.Set(field, text); err != nil {
			return side{}, fmt.Errorf("--set-%s: %w", flag, err)
		}
	}
	return s, nil
}

// align makes sections of the passages of one side when the other side returns
// sections: a passage stands for its section, the best one of each.
func (a *app) align(first, second *side) {
	if first.params.Unit == second.params.Unit {
		return
	}
	s := first
	if second.params.Unit == param.UnitChunk {
		s = second
	}
	passages := len(s.result.Items)
	s.result.LiftToSections()
	said := phrase.NoticePassagesLifted.Words.With(phrase.Several(passages, "passage"), phrase.Several(len(s.result.Items), "section"))
	s.result.Notices = append(s.result.Notices, retrieval.Notice{Code: phrase.NoticePassagesLifted.Code, Text: said.String()})
}

// narrateSides prints the notices of both, those that both have once.
func (a *app) narrateSides(first, second *side) {
	for _, s := range []*side{first, second} {
		for _, n := range s.result.Notices {
			shared := slices.Contains(first.result.Notices, n) && slices.Contains(second.result.Notices, n)
			if !shared {
				n.Text = s.name + ": " + n.Text
			}
			if !shared || s == first {
				a.narrate([]retrieval.Notice{n})
			}
		}
	}
}

// comparisonPrinter writes a comparison for people.
type comparisonPrinter struct {
	w    io.Writer
	a, b *side
}

func (p comparisonPrinter) print(c *retrieval.Comparison) {
	fmt.Fprintf(p.w, "%s%s%s\n", bold, p.verdict(c), plain)
	for _, s := range []struct {
		mark, name, scale string
		length            int
	}{{"a", p.a.name, c.ScaleA, c.LengthA}, {"b", p.b.name, c.ScaleB, c.LengthB}} {
		fmt.Fprintf(p.w, "  %s  %s  %s%s%s\n", s.mark, offset.Line(s.name), faint,
			strings.TrimSuffix(plural(s.length, "result")+", scores: "+offset.Line(s.scale), ", scores: "), plain)
	}
	fmt.Fprintf(p.w, "  %soverlap@%d %.2f · churn %.2f · Jaccard %.2f · RBO %.3f%s%s\n", faint, c.Depth, c.Overlap, c.Churn, c.Jaccard, c.RBO, tau(c), plain)
	if !c.SameScale() {
		fmt.Fprintf(p.w, "  %s%s%s\n", faint, phrase.ScalesDiffer, plain)
	}
	p.list("entered", c.Entered, func(s *retrieval.Shift) string { return fmt.Sprintf("+ %4d  %s", s.RankB, pad(score(s.ScoreB), 6)) })
	p.list("left", c.Left, func(s *retrieval.Shift) string { return fmt.Sprintf("− %4d  %s", s.RankA, pad(score(s.ScoreA), 6)) })
	displaced := displacedOf(c)
	p.list("moved", displaced, func(s *retrieval.Shift) string {
		arrow := "↑"
		if s.RankDelta() < 0 {
			arrow = "↓"
		}
		scores := score(s.ScoreA) + " → " + score(s.ScoreB)
		return fmt.Sprintf("%s %s  %s", arrow, pad(fmt.Sprintf("%d → %d", s.RankA, s.RankB), 9), pad(scores, 13))
	})
	if n := len(c.Moved) - len(displaced); n > 0 {
		fmt.Fprintf(p.w, "\n%s\n", phrase.SameRank.With(phrase.Several(n, "result")))
	}
}

// displacedOf are the common items whose rank differs.
func displacedOf(c *retrieval.Comparison) []retrieval.Shift {
	return slices.DeleteFunc(slices.Clone(c.Moved), func(s retrieval.Shift) bool { return s.RankDelta() == 0 })
}

// verdict is the answer in a sentence.
func (p comparisonPrinter) verdict(c *retrieval.Comparison) string {
	switch {
	case c.LengthA == 0 && c.LengthB == 0:
		return phrase.BothNothing
	case c.IsIdentical():
		return phrase.BothSame.With(phrase.Several(c.LengthA, "result")).String()
	case c.Common == 0:
		return phrase.NothingCommon.With(c.LengthA, c.LengthB).String()
	}
	return phrase.BothDiffer.With(phrase.Several(len(c.Entered), "result"), len(c.Left), c.LengthA, len(displacedOf(c)), c.Common).String()
}

func tau(c *retrieval.Comparison) string {
	if math.IsNaN(c.TauB) {
		return ""
	}
	return fmt.Sprintf(" · τ %.2f over %d", c.TauB, c.Common)
}

func (p comparisonPrinter) list(title string, shifts []retrieval.Shift, line func(*retrieval.Shift) string) {
	if len(shifts) == 0 {
		return
	}
	fmt.Fprintf(p.w, "\n%s%s%s\n", bold, title, plain)
	for i := range shifts[:min(mostShifts, len(shifts))] {
		s := &shifts[i]
		why := ""
		if s.Why != nil {
			why = "  " + faint + said(s.Why.Worded().Say(phrase.Clause)) + plain
		}
		fmt.Fprintf(p.w, "  %s  %s  %s%s%s%s\n", line(s), offset.Line(s.Label()), faint, offset.Line(s.SourceURL), plain, why)
	}
	if n := len(shifts) - mostShifts; n > 0 {
		fmt.Fprintf(p.w, "  %sand %d more%s\n", faint, n, plain)
	}
}

// mostShifts bounds each list; --json has all of them.
const mostShifts = 20
