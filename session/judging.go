package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/judgment/pending"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Judged is a query set on the pages of a corpus. It does not change; another takes its
// place when something was judged.
type Judged struct {
	*judgment.Set
	// Problems are lines of its files that could not be used.
	Problems []judgment.Problem
	// Anchors say where the judged texts are now.
	Anchors *judgment.Anchors
	// OtherCorpus says that the set was made on other pages than these.
	OtherCorpus bool
	// By says by whom its grades are.
	By judgment.Graders
	// Standings say of the models that have judged how far they agree with people.
	Standings []judgment.Standing

	prepared   map[string]*judgment.Prepared
	experiment *experiment.Experiment
}

// Measurable is how many queries count in measures.
func (j *Judged) Measurable() int { return len(j.experiment.Questions) }

// Titled is a name of the set as it stands beside figures: with what has to be known of them.
func (j *Judged) Titled(name string) string {
	name = j.Origin.Mark(name)
	if j.experiment.Level == judgment.WholePages {
		name += " by pages"
	}
	return name
}

// SomePages counts the judgments of whole pages, where these have it that pages are graded and
// not passages, and those of either; 0 where all are of one kind.
func (j *Judged) SomePages() (pages, all int) {
	for i := range j.Anchors.Judgments {
		if j.Anchors.Judgments[i].IsPage() {
			pages++
		}
	}
	if all = len(j.Anchors.Judgments); pages == all || j.experiment.Level != judgment.WholePages {
		return 0, 0
	}
	return pages, all
}

// OfText is the query of a text, nil if the set has none.
func (j *Judged) OfText(text string) *judgment.Query {
	i := slices.IndexFunc(j.Queries, func(q judgment.Query) bool { return q.Text == text })
	if i < 0 {
		return nil
	}
	return &j.Queries[i]
}

// Measured is what settings are worth by a set.
type Measured struct {
	// Now is by the present parameters, Base by the baseline. Difference compares them
	// by the first measure: a − b is now − base.
	Now, Base  *experiment.Measurement
	Difference *evaluation.Paired
	// Of are the parameters that Now is by.
	Of param.Params
	of *Judged
	// contest has Difference.
	contest *Contest
}

// SetMeasurer opens query sets on the pages of a corpus and measures by them.
type SetMeasurer interface {
	// OpenSet reads a set after it has written judgments to it if there are any, and finds the
	// judged texts. A set that does not know which corpus it was made on learns it with the
	// first judgment. before is what was open of the same pages, nil for nothing.
	OpenSet(ctx context.Context, sets, name string, write pending.Writing, before *Judged) (*Judged, error)
	// Measure measures parameters by a set.
	Measure(ctx context.Context, j *Judged, p param.Params, measures []evaluation.Measure) (*experiment.Measurement, error)
	// Sweep looks for better parameters by a set, and goes on where an earlier sweep ended;
	// progress is told how far it is. EstimateSweep says how long that takes.
	Sweep(ctx context.Context, j *Judged, plan *sweep.Plan, o SweepOptions, progress func(sweep.Progress)) (*sweep.Finding, error)
	EstimateSweep(ctx context.Context, j *Judged, plan *sweep.Plan, now func() time.Time) (sweep.Estimate, error)
	// Survey finds out by which parameters there is anything to find.
	Survey(ctx context.Context, j *Judged, base param.Params, axes []evaluation.Axis, by evaluation.Measure) (*sweep.Terrain, error)
}

// measurer measures by the retrieval layer.
type measurer struct{ deps retrieval.Deps }

// OpenSet implements [SetMeasurer].
func (m measurer) OpenSet(ctx context.Context, sets, name string, write pending.Writing, before *Judged) (_ *Judged, err error) {
	view, err := m.deps.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	set, problems, err := write.Open(ctx, sets, name, func(set *judgment.Set) error {
		return set.Remember(ctx, m.deps.Store.Info().Name, view)
	})
	if err != nil {
		return nil, err
	}
	anchors, err := set.Anchor(ctx, judgment.InView(view))
	if err != nil {
		return nil, err
	}
	j := &Judged{Set: set, Problems: problems, Anchors: anchors, By: set.Graders(), Standings: set.Standings(), prepared: anchors.Prepare(set.Usual())}
	if before != nil && before.Corpus.IsSame(set.Corpus) {
		j.OtherCorpus = before.OtherCorpus // of the same pages, all of which would have to be read
	} else if j.OtherCorpus, err = isOther(ctx, set, m.deps.Store.Info().Name, view); err != nil {
		return nil, err
	}
	j.experiment = j.newExperiment()
	if before != nil {
		j.experiment.Inherit(before.experiment)
	}
	return j, nil
}

// newExperiment is what the set measures by: what people say where models have judged, too,
// as commands count it and the grades beside results are.
func (j *Judged) newExperiment() *experiment.Experiment {
	return experiment.New(j.Set, j.Anchors, experiment.Options{Judges: j.Usual()})
}

func isOther(ctx context.Context, set *judgment.Set, name string, view store.View) (bool, error) {
	if set.Corpus.Hash == "" {
		return false, nil
	}
	now, err := judgment.Identify(ctx, name, view)
	return !now.IsSame(set.Corpus), err
}

// Measure implements [SetMeasurer].
func (m measurer) Measure(ctx context.Context, j *Judged, p param.Params, measures []evaluation.Measure) (*experiment.Measurement, error) {
	return j.experiment.Measure(ctx, m.deps, p, measures...)
}

// judging is the query set that is open, and what the present parameters are worth by it.
type judging struct {
	works    *works
	opened   *opened
	tuning   *tuning
	answer   *answer
	baseline *baseline

	// sets is the folder of the sets, name that of the open one.
	sets, name string
	by         judgment.Judge
	measures   []evaluation.Measure
	querySet   *Judged
	// failed is why the set could not be opened or measured by.
	failed error
	// baseOf is what the baseline of measured is by.
	baseOf   param.Params
	measured *Measured
	trials   trials
	// queued is what was judged and is not known to be written.
	queued pending.Queue
	// grades are those of the result gradesOf by the index of its items.
	grades   []int
	gradesOf *retrieval.Result
	// sweeping is the last sweep that was begun.
	sweeping *Sweeping
}

// JudgeBy says where query sets are, who judges, and what is measured; the first measure is
// compared.
func (g *judging) JudgeBy(sets string, by judgment.Judge, measures ...evaluation.Measure) {
	g.sets, g.by, g.measures = sets, by, measures
}

// Sets is the folder of the query sets, empty where nothing is judged.
func (g *judging) Sets() string { return g.sets }

// JudgeName is who judges.
func (g *judging) JudgeName() judgment.Judge { return g.by }

// Judged is the open set, nil for none or while it is being opened; SetName is its name.
func (g *judging) Judged() *Judged { return g.querySet }

// SetName is the name of the set that is open or being opened, empty for none.
func (g *judging) SetName() string { return g.name }

// JudgingFailed is why the set could not be opened or measured by, or why what was judged
// last could not be written or taken back; nil while all went well.
func (g *judging) JudgingFailed() error {
	if g.failed != nil {
		return g.failed
	}
	return g.queued.Failed()
}

// SetFailed is why the set could not be opened or measured by, nil where it could.
func (g *judging) SetFailed() error { return g.failed }

// Measured is what the present parameters are worth, nil while that is not known: right
// after a change it is still that of the parameters before.
func (g *judging) Measured() *Measured { return g.measured }

// Measures are what is measured.
func (g *judging) Measures() []evaluation.Measure { return g.measures }

// OpenSet opens a set; an empty name closes the one that is open. What was judged there is
// written all the same.
func (g *judging) OpenSet(name string) []Work {
	g.works.end(KindSet, KindMeasure, KindTrial, KindSweep, KindSweepEstimate, KindSurvey)
	g.queued.Settle()
	g.name, g.querySet, g.failed, g.measured, g.gradesOf = name, nil, nil, nil, nil
	g.queued.Forget()
	g.trials.forget()
	g.works.tell(JudgedChanged)
	return append(g.writeAside(), g.readSet(nil)...)
}

// readSet reads the open set, after what is queued was written to it. before is what was open,
// whose evidence goes on to hold; nil where other pages are asked.
func (g *judging) readSet(before *Judged) []Work {
	if g.name == "" || g.opened.corpus == nil {
		return nil
	}
	m := g.opened.corpus.Measurer
	if m == nil {
		g.failed = errNoMeasurer
		return nil
	}
	sets, name, write := g.sets, g.name, g.queued.Of(g.sets, g.name)
	return []Work{g.works.begin(KindSet, 0, func(ctx context.Context) Done {
		// What was judged is written, whatever takes the place of the work.
		if !write.IsEmpty() {
			ctx = context.WithoutCancel(ctx)
		}
		set, err := m.OpenSet(ctx, sets, name, write, before)
		if err != nil {
			write.Fail(err)
		}
		return Done{Set: set, Err: err}
	})}
}

var errNoMeasurer = errors.New("the corpus itself is not here, and with it the judged texts")

// takeSet takes a set that was read, and writes what was judged meanwhile.
func (g *judging) takeSet(d Done) []Work {
	g.queued.Settle()
	g.works.tell(JudgedChanged)
	if errors.Is(d.Err, context.Canceled) {
		return nil
	}
	if g.failed = d.Err; d.Err == nil {
		g.querySet, g.gradesOf = d.Set, nil
		g.trials.forget()
	}
	if work := g.write(); work != nil {
		return work
	}
	return g.measure()
}

// Grade judges a section or passage of the result, which has its text; a text of its page
// that is not empty is judged in its place, from a code point of the page on.
func (g *judging) Grade(it *retrieval.Item, text string, start int, grade judgment.Grade) []Work {
	if text == "" {
		text, start = it.ChunkText, it.CharStart
	}
	return g.JudgeRecords(g.answer.query, judgment.Record{
		Key: judgment.KeyOf("", it.SourceURL, text, start), Quote: text, Grade: grade, Judge: g.by,
		SeenRank: it.Rank, Pool: []string{g.tuning.Name()},
	})
}

// Grades are what the items of the present result earn, by their index: [evaluation.Unjudged]
// for what nobody judged, that of its page where this was judged as a whole. They are nil where the query is not in the open set.
func (g *judging) Grades() []int {
	r := g.answer.result
	if g.querySet == nil || r == nil {
		return nil
	}
	if g.gradesOf == r {
		return g.grades
	}
	g.gradesOf, g.grades = r, nil
	q := g.querySet.OfText(g.answer.query)
	if q == nil {
		return nil
	}
	g.grades = make([]int, len(r.Items))
	p := g.querySet.prepared[q.ID]
	if p == nil {
		for i := range g.grades {
			g.grades[i] = evaluation.Unjudged
		}
		return g.grades
	}
	byRank := make([]int, len(r.Items))
	for i := range byRank {
		byRank[i] = i
	}
	slices.SortStableFunc(byRank, func(a, b int) int { return r.Items[a].Rank - r.Items[b].Rank })
	for i, grade := range p.Grader(judgment.Passages).Grades(judgment.Ranking(nil, r)) {
		item := byRank[i]
		if ofPage, ok := p.OfPage(r.Items[item].SourceURL); ok && grade == evaluation.Unjudged {
			grade = ofPage
		}
		g.grades[item] = grade
	}
	return g.grades
}

// measure measures the present parameters and the baseline by the open set, as soon as
// they have rested where asking costs something.
func (g *judging) measure() []Work {
	g.works.end(KindMeasure, KindTrial)
	if !g.canMeasure() {
		return nil
	}
	delay := time.Duration(0)
	if !g.opened.corpus.Live {
		delay = Pause
	}
	if g.isMeasured() {
		return g.tryRest()
	}
	m, set, now, against, measures := g.opened.corpus.Measurer, g.querySet, g.tuning.params, g.baseline.Baseline().Params, g.measures
	known, _ := g.Trial(now)
	base, _ := g.Trial(against)
	return []Work{g.works.begin(KindMeasure, delay, func(ctx context.Context) (d Done) {
		d.Params, d.Base = now, against
		d.Measured, d.Err = measureBoth(ctx, m, set, known, base, now, against, measures)
		return d
	})}
}

// isMeasured reports that what is to be measured is known.
func (g *judging) isMeasured() bool {
	return g.measured != nil && g.measured.of == g.querySet && g.measured.Of == g.tuning.params && g.baseOf == g.baseline.Baseline().Params
}

// measureBoth measures what is nil by its parameters, and compares both.
func measureBoth(ctx context.Context, m SetMeasurer, set *Judged, r, base *experiment.Measurement, now, against param.Params, measures []evaluation.Measure) (_ *Measured, err error) {
	if r == nil {
		if r, err = m.Measure(ctx, set, now, measures); err != nil {
			return nil, err
		}
	}
	if now == against {
		base = r
	}
	if base == nil {
		if base, err = m.Measure(ctx, set, against, measures); err != nil {
			return nil, err
		}
	}
	c := contestOf(r, base)
	return &Measured{Now: r, Base: base, Of: now, of: set, Difference: c.Paired, contest: c}, nil
}

// takeMeasured takes what was measured, and goes on with what is tried.
func (g *judging) takeMeasured(d Done) []Work {
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case d.Err != nil:
		g.failed = d.Err
	default:
		g.keepTried()
		g.failed, g.measured, g.baseOf = nil, d.Measured, d.Base
		if by := g.trials.by; len(by) > 0 && by[0] == d.Base {
			g.keepContests(map[param.Params]*Contest{d.Params: d.Measured.contest})
		}
	}
	g.works.tell(JudgedChanged)
	return g.tryRest()
}
