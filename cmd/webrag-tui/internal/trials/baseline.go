package trials

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// limit is what a mean must reach.
type limit struct {
	measure int
	least   float64
}

// parseLimits reads measure=value. A measure that is not asked for otherwise is added.
func parseLimits(texts []string, measures *[]evaluation.Measure) ([]limit, error) {
	var list []limit
	for _, text := range texts {
		at := strings.LastIndexByte(text, '=') // a measure may have one of its own
		if at < 0 {
			return nil, fmt.Errorf("--fail-under %s: give it as measure=value, for example 'nDCG@10=.70'", text)
		}
		m, err := evaluation.ParseMeasure(text[:at])
		if err != nil {
			return nil, fmt.Errorf("--fail-under: %w", err)
		}
		least, err := strconv.ParseFloat(strings.TrimSpace(text[at+1:]), 64)
		if err != nil || least != least {
			return nil, fmt.Errorf("--fail-under %s: %q is no number, as .70 is", text, text[at+1:])
		}
		i := slices.IndexFunc(*measures, func(o evaluation.Measure) bool { return o.String() == m.String() })
		if i < 0 {
			i = len(*measures)
			*measures = append(*measures, m)
		}
		list = append(list, limit{i, least})
	}
	return list, nil
}

// failure is a mean that fell short, of a limit or of a baseline.
type failure struct {
	Name    string  `json:"name"`
	Measure string  `json:"measure"`
	Mean    float64 `json:"mean"`
	// Least is what the mean had to reach, Was what it was in the baseline, if it is one.
	Least float64  `json:"least"`
	Was   *float64 `json:"was,omitempty"`
	// Fell are the queries that have a lower score than then, those first that fell most.
	Fell []fall `json:"fell,omitempty"`
}

// fall is a query that has a lower score than in the baseline.
type fall struct {
	ID    string     `json:"id"`
	Text  string     `json:"text"`
	Was   float64    `json:"was"`
	Now   float64    `json:"now"`
	Pages []pageFall `json:"pages,omitempty"`
}

// pageFall is a page with something relevant that ranks lower, or is gone.
type pageFall struct {
	Page string `json:"page"`
	// Was and Now are ranks, 0 where it is not returned.
	Was int `json:"was"`
	Now int `json:"now"`
	// Unjudged says that nothing on it is judged to be relevant any more: then it may well be
	// returned as before, and Now says nothing.
	Unjudged bool `json:"not_relevant_any_more,omitempty"`
	// Cause says what dropped it; empty where it only ranks lower.
	Cause string `json:"cause,omitempty"`
}

// short are the means that are below their limits.
func (t *trial) short(limits []limit) (list []failure) {
	for _, l := range limits {
		for i := range t.systems {
			s := &t.systems[i]
			if mean := s.report.Set.Scores[l.measure].Mean; mean < l.least {
				list = append(list, failure{Name: s.name, Measure: s.report.Measures[l.measure].String(), Mean: mean, Least: l.least})
			}
		}
	}
	return list
}

// mostBaseline is the most bytes of a baseline: 100,000 queries have a quarter.
const mostBaseline = 256 << 20

func saveBaseline(path string, e *encoded) error {
	raw, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return fmt.Errorf("--save-baseline: %w", err)
	}
	if err := file.Replace(path, append(raw, '\n')); err != nil {
		return fmt.Errorf("--save-baseline: %w", err)
	}
	return nil
}

// readBaseline reads what saveBaseline wrote; nil without a path.
func readBaseline(path string) (*encoded, error) {
	if path == "" {
		return nil, nil
	}
	raw, err := file.Read(path, mostBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--baseline %s: there is no such file; --save-baseline %s makes one", path, file.ShellWord(path))
	}
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	var e encoded
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("--baseline %s: it cannot be read (%w); make it anew with --save-baseline", path, err)
	}
	if e.Format != baselineFormat {
		return nil, fmt.Errorf("--baseline %s: its format is %q, and this program knows %q; make it anew with --save-baseline", path, offset.Line(e.Format), baselineFormat)
	}
	return &e, nil
}

// noFall is by how much a mean may differ by rounding.
const noFall = 1e-9

// fallen are the means that are lower than in a baseline by more than drop.
func (t *trial) fallen(ctx context.Context, now, then *encoded, drop float64) ([]failure, error) {
	if then == nil {
		return nil, nil
	}
	if then.Set != now.Set {
		return nil, fmt.Errorf("--baseline: it is of the query set %q, not %q; make one with --save-baseline", offset.Line(then.Set), now.Set)
	}
	if then.Level != now.Level && then.Level != "" && now.Level != "" {
		return nil, fmt.Errorf("--baseline: it was measured by %s, and this by %s; --level %s measures as it was, --save-baseline makes one anew", offset.Line(then.Level), now.Level, offset.Line(then.Level))
	}
	if !slices.Equal(then.Scope, now.Scope) {
		return nil, fmt.Errorf("--baseline: it was measured where a page must %s, and this where it must %s; make one with --save-baseline", scopeWords(then.Scope), scopeWords(now.Scope))
	}
	if then.Corpus != nil && now.Corpus != nil && then.Corpus.Hash != now.Corpus.Hash {
		t.notices = append(t.notices, retrieval.Worded(phrase.NoticeBaselinePages))
		now.Notices = t.notices
	}
	if then.Judgments != nil && now.Judgments != nil && then.Judgments.Hash != "" && then.Judgments.Hash != now.Judgments.Hash {
		t.notices = append(t.notices, retrieval.Worded(phrase.NoticeOtherJudgments))
		now.Notices = t.notices
	}
	var list []failure
	for i := range now.Systems {
		s := &now.Systems[i]
		was := then.system(s.Name)
		if was == nil {
			return nil, fmt.Errorf("--baseline: it has no figures of %s, but of %s; make one with --save-baseline", s.Name, offset.Line(strings.Join(then.names(), ", ")))
		}
		for _, mean := range s.Measures {
			at := slices.IndexFunc(was.Measures, func(o encodedMean) bool { return o.Measure == mean.Measure })
			if at < 0 || strings.HasPrefix(mean.Measure, "Judged") || mean.Mean >= was.Measures[at].Mean-drop-noFall {
				continue
			}
			old := was.Measures[at].Mean
			f := failure{Name: s.Name, Measure: mean.Measure, Mean: mean.Mean, Least: old - drop, Was: &old, Fell: falls(s, was, mean.Measure)}
			if err := t.explain(ctx, &t.systems[i], f.Fell); err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// scopeWords are the conditions of a scope.
func scopeWords(within []string) string {
	return cmp.Or(offset.Line(strings.Join(within, " and ")), "be in the corpus")
}

// falls are the queries whose score fell, with their pages that did.
func falls(now, was *encodedSystem, measure string) (list []fall) {
	before := map[string]*encodedQuery{}
	for i := range was.PerQuery {
		before[was.PerQuery[i].ID] = &was.PerQuery[i]
	}
	for i := range now.PerQuery {
		q := &now.PerQuery[i]
		old := before[q.ID]
		if old == nil || q.Scores[measure] >= old.Scores[measure]-noFall {
			continue
		}
		f := fall{ID: q.ID, Text: q.Text, Was: old.Scores[measure], Now: q.Scores[measure]}
		for _, page := range slices.Sorted(maps.Keys(old.Pages)) {
			rank, isRelevant := q.Pages[page]
			if then := old.Pages[page]; then > 0 && (rank == 0 || rank > then) {
				f.Pages = append(f.Pages, pageFall{Page: page, Was: then, Now: rank, Unjudged: !isRelevant})
			}
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b fall) int { return cmp.Compare(a.Now-a.Was, b.Now-b.Was) })
	return list
}

// mostExplained is for how many pages that are gone the cause is looked for, which takes
// some thousand rankings each.
const mostExplained = 20

// explain asks why pages that were returned are not any more.
func (t *trial) explain(ctx context.Context, s *system, list []fall) error {
	if t.on == nil {
		return nil
	}
	asked := 0
	for i := range list {
		for k := range list[i].Pages {
			page := &list[i].Pages[k]
			if page.Now > 0 || page.Unjudged || asked == mostExplained {
				continue
			}
			asked++
			report, err := whynot.Ask(ctx, t.on.corpus.Deps, retrieval.Query{Text: list[i].Text, Scope: t.on.scope}, *s.params, whynot.Target{SourceURL: page.Page})
			if err != nil {
				return err
			}
			page.Cause = report.Verdict
		}
	}
	return nil
}
