package trials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	scopes "github.com/webrag/webrag-tui/retrieval/scoping"
	"github.com/webrag/webrag-tui/store"
)

// system is one way to rank with what came of it: a configuration, or a file of rankings.
type system struct {
	name   string
	params *param.Params // nil for a file
	report *evaluation.Report
	// results are those of the experiment's questions; nil for a file.
	results []retrieval.Result
}

// trial are systems that are measured by the same judgments.
type trial struct {
	name    string
	systems []system
	// pairs compare each other system with the first, by each measure.
	pairs   []pair
	texts   map[string]string // of queries, by id
	notices []retrieval.Notice
	took    time.Duration
	// on is what was asked; nil where files are measured.
	on *asked
}

// asked is a query set on a corpus.
type asked struct {
	set        *judgment.Set
	corpus     *Corpus
	identity   judgment.Corpus
	anchors    *judgment.Anchors
	experiment *experiment.Experiment
	// keep says whose judgments count, nil for everybody's.
	keep judgment.Keep
	// scope is where is searched, within the same in words.
	scope  store.Scope
	within []string
	// verbatim are the queries that stand in a page that answers them.
	verbatim []string
	// notices say what of the set does not count.
	notices []retrieval.Notice
}

// pair compares a system with the first one.
type pair struct {
	name, against string
	changes       []string             // the parameters that differ, with both values
	paired        []*evaluation.Paired // by measure
	// moved is how differently both rank, whatever was judged; nil for files.
	moved *evaluation.Movement
	depth int
}

// scoping says among which pages is searched.
type scoping struct {
	scope func() (store.Scope, error) // nil for all
}

// register adds the flags of a scope.
func (s *scoping) register(p *Program, fs *pflag.FlagSet) { s.scope = p.ScopeFlags(fs) }

// counting says what of a set counts.
type counting struct {
	scoping
	judge, level string
	// all asks also what was not judged.
	all bool
}

// measuring says what is measured, too.
type measuring struct {
	counting
	measures []string
}

// levels are the values of --level.
const (
	levelPassages = "passages"
	levelPages    = "pages"
)

// parseLevel reads the level, nil where none is given.
func parseLevel(text string) (*judgment.Level, error) {
	level := judgment.Passages
	switch text {
	case "":
		return nil, nil
	case levelPassages:
	case levelPages:
		level = judgment.WholePages
	default:
		return nil, fmt.Errorf("--level %s: must be %s or %s", text, levelPassages, levelPages)
	}
	return &level, nil
}

// ask opens a set and the corpus, which the caller closes, and anchors the one on the
// pages of the other.
func (p *Program) ask(ctx context.Context, name string, c counting) (_ *asked, err error) {
	a := &asked{}
	level, err := parseLevel(c.level)
	if err != nil {
		return nil, err
	}
	if c.scope != nil {
		if a.scope, err = c.scope(); err != nil {
			return nil, err
		}
	}
	if a.set, err = p.openSet(name); err != nil {
		return nil, err
	}
	if a.keep, a.notices, err = judges(a.set, c.judge); err != nil {
		return nil, err
	}
	if a.corpus, err = p.Corpus(ctx); err != nil {
		return nil, err
	}
	if err = a.anchor(ctx, c.all); err != nil {
		a.corpus.Close()
		return nil, err
	}
	a.experiment = experiment.New(a.set, a.anchors, experiment.Options{
		Query: retrieval.Query{Scope: a.scope}, Level: level, Judges: a.keep, All: c.all,
	})
	a.notice(c.level == "")
	return a, nil
}

// anchor reads the pages. What nobody measures by, a run, may have any queries.
func (a *asked) anchor(ctx context.Context, isRun bool) error {
	view, err := a.corpus.Store.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	if err := a.restrict(ctx, view); err != nil {
		return err
	}
	if a.identity, err = judgment.Identify(ctx, a.corpus.Name, view); err != nil {
		return err
	}
	if a.anchors, err = a.set.Anchor(ctx, judgment.InView(view)); err != nil || isRun {
		return err
	}
	a.verbatim, err = a.set.Verbatim(ctx, a.anchors, judgment.InView(view), a.keep)
	return err
}

// restrict says what the scope lets in, which is an error where that is nothing.
func (a *asked) restrict(ctx context.Context, view store.View) error {
	if a.scope.IsZero() {
		return nil
	}
	report, err := scopes.Count(ctx, view, a.scope)
	if err != nil {
		return err
	}
	if report.InScope == 0 {
		return errors.New(report.String())
	}
	for _, c := range report.Conditions {
		a.within = append(a.within, c.Words)
	}
	a.notices = append(a.notices, retrieval.Worded(phrase.NoticeScoped, report.InScope, phrase.Counted(report.Documents, "page")))
	return nil
}

// notice says what of the judgments does not count, and why. isFree says that the level
// was left to what was judged.
func (a *asked) notice(isFree bool) {
	add := func(is bool, n phrase.Notice, parts ...any) {
		if is {
			a.notices = append(a.notices, retrieval.Worded(n, parts...))
		}
	}
	s := &a.anchors.Summary
	add(s.IsAlarming(), phrase.NoticeManyOrphans, s.Lost(), s.Total())
	add(s.Lost() > 0 && !s.IsAlarming(), phrase.NoticeOrphans, s.Lost(), s.Total())
	add(s.Moved+s.Ambiguous > 0, phrase.NoticeMovedQuotes, phrase.Several(s.Moved+s.Ambiguous, "quote"), s.Ambiguous)
	was := a.set.Corpus
	add(was.Hash != "" && !was.IsSame(a.identity), phrase.NoticeOtherPages, corpusWords(was), corpusWords(a.identity))
	pages, counted := 0, 0
	for i := range a.anchors.Judgments {
		j := &a.anchors.Judgments[i]
		if !slices.ContainsFunc(j.Opinions, func(o judgment.Opinion) bool { return a.keep == nil || a.keep(o.Judge) }) {
			continue
		}
		counted++
		if j.IsPage() {
			pages++
		}
	}
	add(pages > 0 && a.experiment.Level == judgment.Passages, phrase.NoticeWholePages, pages)
	add(isFree && pages > 0 && pages < counted && a.experiment.Level == judgment.WholePages, phrase.NoticeSomePages, pages, counted)
	add(a.experiment.Unjudged > 0, phrase.NoticeUnjudged, queriesWere(a.experiment.Unjudged))
	add(a.set.Origin == judgment.Synthetic, phrase.NoticeSynthetic)
	add(len(a.verbatim) > 0, phrase.NoticeVerbatim, len(a.verbatim), countQueries(len(a.set.Queries)), someOf(a.verbatim))
}

// queriesWere is "1 query was", "3 queries were".
func queriesWere(n int) string {
	if n == 1 {
		return "1 query was"
	}
	return countQueries(n) + " were"
}

func countQueries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}

// corpusWords tell versions of a corpus apart.
func corpusWords(c judgment.Corpus) string {
	words := offset.Line(c.Name) + " with " + phrase.Counted(c.Documents, "page")
	if !c.Newest.IsZero() {
		words += " of " + c.Newest.UTC().Format(time.DateOnly)
	}
	return words + " (" + c.Hash[:min(8, len(c.Hash))] + ")"
}

// try asks all questions with the configurations.
func (p *Program) try(ctx context.Context, a *asked, configurations []Configuration) ([]experiment.Outcome, time.Duration, error) {
	settings := make([]param.Params, len(configurations))
	for i := range configurations {
		settings[i] = configurations[i].Params
	}
	bar := p.Bar()
	defer bar.Clear()
	start := p.Now()
	outcomes, err := a.experiment.Try(ctx, a.corpus.Deps, settings, func(n int) {
		total := len(a.experiment.Questions)
		bar.Update(func() progress.Shown {
			return progress.Shown{Words: []string{fmt.Sprintf("%d of %s", n, countQueries(total))}, Done: n, Total: total}
		})
	})
	return outcomes, p.Now().Sub(start), err
}

// errNoJudgment is the error for a set that nothing can be measured with.
var errNoJudgment = errors.New("nothing is judged")

// measure asks with the configurations, and measures what comes.
func (p *Program) measure(ctx context.Context, a *asked, configurations []Configuration, o evaluation.Options) (*trial, error) {
	t := &trial{name: a.set.Name, on: a, notices: a.notices, texts: map[string]string{}}
	if len(a.experiment.Questions) == 0 {
		p.Narrate(a.notices)
		return nil, fmt.Errorf("query set %s: %w that is in this corpus; 'webrag-tui judge add' and 'judge import' add judgments", a.set.Name, errNoJudgment)
	}
	for _, q := range a.set.Queries {
		t.texts[q.ID] = q.Text
	}
	outcomes, took, err := p.try(ctx, a, configurations)
	if err != nil {
		return nil, err
	}
	t.took = took
	for i := range outcomes {
		s := system{name: configurations[i].Name, params: &configurations[i].Params, results: outcomes[i].Results}
		s.report = evaluation.Measured(outcomes[i].Answers, o)
		t.systems = append(t.systems, s)
	}
	t.judge(o)
	return t, nil
}

// judge compares the systems with the first, and says what of the figures to believe.
func (t *trial) judge(o evaluation.Options) {
	first := &t.systems[0]
	for i := 1; i < len(t.systems); i++ {
		s := &t.systems[i]
		x := pair{name: s.name, against: first.name, changes: changes(first.params, s.params)}
		if t.on != nil {
			moved := movement(first, s, t.on.set.K)
			x.moved, x.depth = &moved, t.on.set.K
		}
		for m, measure := range s.report.Measures {
			if measure.String() != measure.Judged().String() { // more of it is no better ranking
				x.paired = append(x.paired, evaluation.Compare(s.report, first.report, m))
			}
		}
		t.pairs = append(t.pairs, x)
	}
	if len(t.pairs) > 0 {
		for m := range t.pairs[0].paired {
			var same []*evaluation.Paired
			for _, x := range t.pairs {
				same = append(same, x.paired[m])
			}
			evaluation.AdjustHolm(same)
		}
	}
	t.warn(o)
}

// movement is how differently two systems rank. Passages stand for their sections where the
// other one returns sections.
func movement(a, b *system, depth int) evaluation.Movement {
	comparisons := make([]retrieval.Comparison, len(a.results))
	for q := range a.results {
		of := [2]retrieval.Result{a.results[q], b.results[q]}
		if a.params.Unit != b.params.Unit {
			of[0].LiftToSections()
			of[1].LiftToSections()
		}
		comparisons[q] = retrieval.Compare(of[0], of[1], depth)
	}
	return evaluation.MovementOf(comparisons)
}

// changes are the parameters that differ, from a to b; none where one is not known.
func changes(a, b *param.Params) (list []string) {
	if a == nil || b == nil {
		return nil
	}
	for _, spec := range param.Specs() {
		from, to := a.Get(spec.Field), b.Get(spec.Field)
		if from != to {
			list = append(list, spec.Field+" "+param.Shown(spec.Field, from)+" → "+param.Shown(spec.Field, to))
		}
	}
	return list
}

// warn adds notices on the figures.
func (t *trial) warn(o evaluation.Options) {
	r := t.systems[0].report
	add := func(is bool, n phrase.Notice, parts ...any) {
		if is {
			t.notices = append(t.notices, retrieval.Worded(n, parts...))
		}
	}
	add(len(r.Unanswerable) > 0 && !o.AnswerableOnly, phrase.NoticeUnanswerable, countQueries(len(r.Unanswerable)), someOf(r.Unanswerable))
	var sparse []string
	for i := range t.systems {
		s := &t.systems[i]
		add(len(s.report.Missing) > 0 && !o.AnsweredOnly, phrase.NoticeMissingRuns, s.name, countQueries(len(s.report.Missing)), someOf(s.report.Missing))
		whole := 0
		for q := range s.results {
			if s.results[q].Mode == param.ModeFullContext {
				whole++
			}
		}
		add(whole > 0, phrase.NoticeReadingOrder, s.name, whole, len(s.results))
		if m, rate := s.leastJudged(); rate < evaluation.LeastJudged {
			sparse = append(sparse, fmt.Sprintf("%s %s of %s", m, figure(rate, 2), s.name))
		}
	}
	add(len(sparse) > 0, phrase.NoticeSparse, figure(evaluation.LeastJudged, 1), someOf(sparse))
	for _, x := range t.pairs {
		at := slices.IndexFunc(x.paired, func(c *evaluation.Paired) bool {
			return evaluation.CoverageOf(c.JudgedA, c.JudgedB) == evaluation.CoverageUneven
		})
		if at >= 0 {
			c := x.paired[at]
			add(true, phrase.NoticeUneven, c.Measure.Judged(), figure(c.JudgedB, 2), x.against, figure(c.JudgedA, 2), x.name)
		}
	}
	add(len(r.Queries) < evaluation.LeastQueries, phrase.NoticeFewQueries, queriesWere(len(r.Queries)), evaluation.LeastQueries)
}

// leastJudged is the lowest judged rate of the system with the name of its measure.
func (s *system) leastJudged() (name string, rate float64) {
	rate = 1
	for i, judged := range s.report.Set.Judged {
		if judged < rate {
			name, rate = s.report.Measures[i].Judged().String(), judged
		}
	}
	return name, rate
}

// someOf names the first few of a list.
func someOf(ids []string) string {
	const few = 5
	words := strings.Join(ids[:min(few, len(ids))], ", ")
	if n := len(ids) - few; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
}

// score is what the first measure says of a query; ok is false where the system has none.
func (t *trial) score(system int, id string) (score float64, ok bool) {
	queries := t.systems[system].report.Queries
	at, ok := slices.BinarySearchFunc(queries, id, func(q evaluation.QueryScores, id string) int { return strings.Compare(q.ID, id) })
	if !ok {
		return 0, false
	}
	return queries[at].Scores[0], true
}

// ordered are the ids of all queries: with several systems those first for which the
// others gain most on the first one, with one those first that it ranks worst.
func (t *trial) ordered() []string {
	gain := map[string]float64{}
	for i := range t.systems {
		for _, q := range t.systems[i].report.Queries {
			first, _ := t.score(0, q.ID)
			if len(t.systems) == 1 {
				first = 2 * q.Scores[0]
			}
			gain[q.ID] += q.Scores[0] - first
		}
	}
	ids := slices.Sorted(maps.Keys(gain))
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(gain[b], gain[a]) })
	return ids
}

// register adds the flags of what is measured.
func (m *measuring) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&m.measures, "measure", nil, "a `measure`, as in nDCG@10, P(rel=2)@5 or expr:NAME=... (repeatable; default: nDCG@10, RR@10, R@60, P@5, Judged@10)")
	m.counting.register(fs)
}

// options are those of a report.
func (m *measuring) options() (o evaluation.Options, err error) {
	for _, text := range m.measures {
		measure, err := evaluation.ParseMeasure(text)
		if err != nil {
			return o, fmt.Errorf("--measure: %w", err)
		}
		o.Measures = append(o.Measures, measure)
	}
	if len(o.Measures) == 0 {
		o.Measures = evaluation.DefaultMeasures()
	}
	return o, nil
}

// register adds the flags of what counts.
func (c *counting) register(fs *pflag.FlagSet) {
	fs.StringVar(&c.judge, "judge", "", "count what this `name` judged; people, models or all (default: people, where any has judged)")
	fs.StringVar(&c.level, "level", "", "what is graded: a `level`, passages or pages, of which each ranks where its first result does (default: pages, if any was judged as a whole)")
}
