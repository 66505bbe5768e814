package trials

import (
	"maps"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval"
)

// encoded is a trial as JSON, and so a baseline.
type encoded struct {
	Format    string             `json:"format"`
	Set       string             `json:"set"`
	Synthetic bool               `json:"synthetic,omitempty"`
	Level     string             `json:"level,omitempty"`
	Corpus    *encodedCorpus     `json:"corpus,omitempty"`
	Scope     []string           `json:"scope,omitempty"`
	Judgments *encodedJudgments  `json:"judgments,omitempty"`
	TookMS    float64            `json:"took_ms,omitempty"`
	Systems   []encodedSystem    `json:"profiles"`
	Pairs     []encodedPair      `json:"comparisons,omitempty"`
	Moved     []encodedMovement  `json:"movements,omitempty"`
	Notices   []retrieval.Notice `json:"notices,omitempty"`
	Failed    []failure          `json:"failed,omitempty"`
}

// baselineFormat is what says that a file is of this program and this version.
const baselineFormat = "webrag-tui evaluation 1"

type encodedCorpus struct {
	Name      string     `json:"name"`
	Documents int        `json:"documents"`
	Newest    *time.Time `json:"newest_fetched_at,omitempty"`
	Hash      string     `json:"hash"`
}

func encodeCorpus(c judgment.Corpus) *encodedCorpus {
	e := &encodedCorpus{Name: c.Name, Documents: c.Documents, Hash: c.Hash}
	if !c.Newest.IsZero() {
		e.Newest = &c.Newest
	}
	return e
}

type encodedJudgments struct {
	Total     int `json:"total"`
	Exact     int `json:"exact"`
	Moved     int `json:"moved"`
	Ambiguous int `json:"ambiguous"`
	Orphaned  int `json:"orphaned"`
	PageGone  int `json:"page_gone"`
	// Hash tells the queries and judgments of a set from those of any other version of it;
	// empty in files of versions that did not keep it.
	Hash string `json:"hash,omitempty"`
}

func encodeJudgments(a *asked) *encodedJudgments {
	s := &a.anchors.Summary
	return &encodedJudgments{s.Total(), s.Exact, s.Moved, s.Ambiguous, s.Orphaned, s.PageGone, sweep.Fingerprint(a.set)}
}

type encodedSystem struct {
	Name         string            `json:"name"`
	Params       map[string]string `json:"params,omitempty"`
	Queries      int               `json:"queries"`
	Returned     int               `json:"returned"`
	Measures     []encodedMean     `json:"measures"`
	Tags         []encodedTag      `json:"tags,omitempty"`
	Missing      []string          `json:"missing,omitempty"`
	Unanswerable []string          `json:"unanswerable,omitempty"`
	PerQuery     []encodedQuery    `json:"per_query,omitempty"`
}

type encodedMean struct {
	Measure       string  `json:"measure"`
	Mean          float64 `json:"mean"`
	Low           float64 `json:"low"`
	High          float64 `json:"high"`
	JudgedMeasure string  `json:"judged_measure"`
	Judged        float64 `json:"judged"`
}

type encodedTag struct {
	Tag      string        `json:"tag"`
	Queries  int           `json:"queries"`
	Measures []encodedMean `json:"measures"`
}

type encodedQuery struct {
	ID       string             `json:"id"`
	Text     string             `json:"text,omitempty"`
	Returned int                `json:"returned"`
	Scores   map[string]float64 `json:"scores"`
	// Pages are the pages that hold something relevant, with their best rank, 0 for none.
	Pages map[string]int `json:"relevant_pages,omitempty"`
}

// encodedMovement is how differently a profile ranks than the first one.
type encodedMovement struct {
	Name    string  `json:"name"`
	Against string  `json:"against"`
	Queries int     `json:"queries"`
	Changed int     `json:"changed"`
	Depth   int     `json:"depth"`
	Churn   float64 `json:"churn"`
	RBO     float64 `json:"rbo"`
}

type encodedPair struct {
	Name       string  `json:"name"`
	Against    string  `json:"against"`
	Measure    string  `json:"measure"`
	Queries    int     `json:"queries"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Won        int     `json:"won"`
	Tied       int     `json:"tied"`
	Lost       int     `json:"lost"`
	P          float64 `json:"p"`
	Adjusted   float64 `json:"p_adjusted"`
	StudentP   float64 `json:"p_student"`
	Verdict    string  `json:"verdict"`
}

// encode makes data of a trial, with every query if they are wanted.
func (t *trial) encode(perQuery bool) *encoded {
	e := &encoded{Format: baselineFormat, Set: t.name, Notices: t.notices, TookMS: float64(t.took.Microseconds()) / 1000}
	if t.on != nil {
		e.Level, e.Corpus, e.Judgments = levelPassages, encodeCorpus(t.on.identity), encodeJudgments(t.on)
		e.Scope, e.Synthetic = t.on.within, t.on.set.Origin == judgment.Synthetic
		if t.on.experiment.Level == judgment.WholePages {
			e.Level = levelPages
		}
	}
	for i := range t.systems {
		e.Systems = append(e.Systems, t.encodeSystem(&t.systems[i], perQuery))
	}
	for _, x := range t.pairs {
		if m := x.moved; m != nil {
			e.Moved = append(e.Moved, encodedMovement{x.name, x.against, m.Queries, m.Changed, x.depth, m.Churn, m.RBO})
		}
		for _, c := range x.paired {
			e.Pairs = append(e.Pairs, encodedPair{
				Name: x.name, Against: x.against, Measure: c.Measure.String(), Queries: len(c.Queries),
				Difference: c.Difference.Mean, Low: c.Difference.Low, High: c.Difference.High, Won: c.Wins, Tied: c.Ties, Lost: c.Losses,
				P: c.Randomisation, Adjusted: c.Adjusted, StudentP: c.StudentP, Verdict: string(c.Verdict()),
			})
		}
	}
	return e
}

func (t *trial) encodeSystem(s *system, perQuery bool) encodedSystem {
	r := s.report
	e := encodedSystem{
		Name: s.name, Queries: r.Set.Queries, Returned: r.Set.Returned, Measures: encodeMeans(r, &r.Set),
		Missing: r.Missing, Unanswerable: r.Unanswerable,
	}
	if s.params != nil {
		e.Params = s.params.All()
	}
	for i := range r.Tags {
		e.Tags = append(e.Tags, encodedTag{r.Tags[i].Tag, r.Tags[i].Queries, encodeMeans(r, &r.Tags[i])})
	}
	if !perQuery {
		return e
	}
	pages := t.relevantPages(s)
	for i := range r.Queries {
		q := &r.Queries[i]
		scores := map[string]float64{}
		for m, v := range q.Scores {
			scores[r.Measures[m].String()] = v
		}
		e.PerQuery = append(e.PerQuery, encodedQuery{q.ID, t.texts[q.ID], q.Returned, scores, pages[q.ID]})
	}
	return e
}

func encodeMeans(r *evaluation.Report, s *evaluation.Summary) []encodedMean {
	list := make([]encodedMean, len(r.Measures))
	for i, m := range r.Measures {
		list[i] = encodedMean{m.String(), s.Scores[i].Mean, s.Scores[i].Low, s.Scores[i].High, m.Judged().String(), s.Judged[i]}
	}
	return list
}

// relevantPages are the pages of each query that hold something relevant, with the best
// rank that a system gives them, 0 where it does not return them.
func (t *trial) relevantPages(s *system) map[string]map[string]int {
	if t.on == nil {
		return nil
	}
	all := map[string]map[string]int{}
	judged := slices.Concat(t.on.anchors.Judgments, t.on.anchors.Lost)
	for i := range judged {
		j := &judged[i]
		if grade, ok := j.Grade(t.on.keep); ok && grade > 0 {
			if all[j.QueryID] == nil {
				all[j.QueryID] = map[string]int{}
			}
			page := j.Page
			if page == "" {
				page = j.SourceURL
			}
			all[j.QueryID][page] = 0
		}
	}
	for i, q := range t.on.experiment.Questions {
		pages := all[q.ID]
		for _, it := range s.results[i].Items {
			if best, ok := pages[it.SourceURL]; ok && (best == 0 || it.Rank < best) {
				pages[it.SourceURL] = it.Rank
			}
		}
	}
	return all
}

// withoutQueries is the same without a list of all queries.
func (e *encoded) withoutQueries() *encoded {
	short := *e
	short.Systems = slices.Clone(e.Systems)
	for i := range short.Systems {
		short.Systems[i].PerQuery = nil
	}
	return &short
}

// system is the system of a name, nil for none.
func (e *encoded) system(name string) *encodedSystem {
	for i := range e.Systems {
		if e.Systems[i].Name == name {
			return &e.Systems[i]
		}
	}
	return nil
}

// names are those of the systems.
func (e *encoded) names() []string {
	names := map[string]bool{}
	for i := range e.Systems {
		names[e.Systems[i].Name] = true
	}
	return slices.Sorted(maps.Keys(names))
}
