package judged

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// depth is how many results are looked at.
const depth = 10

// atDepth is nDCG at that.
var atDepth = evaluation.MustMeasure(fmt.Sprintf("nDCG@%d", depth))

// good is the least grade of a section that answers, at least in part.
const good = 2

// Score says how well one question was answered.
type Score struct {
	Asked
	// NDCG is the nDCG of the first ten sections with the grades as gains.
	NDCG float64
	// Rank is that of the first section with a grade of at least 2 among these, 0
	// for none.
	Rank int
	// Results is how many sections came back.
	Results int
}

// Reciprocal is 1 over the rank, 0 for none. Its mean is the MRR.
func (s Score) Reciprocal() float64 {
	if s.Rank == 0 {
		return 0
	}
	return 1 / float64(s.Rank)
}

// Within is 1 if a good section is among the first k, else 0. Its mean is
// success@k.
func (s Score) Within(k int) float64 {
	if s.Rank == 0 || s.Rank > k {
		return 0
	}
	return 1
}

// Preset are the parameters of a preset with changes, each field=value.
func Preset(name string, changes []string) (param.Params, error) {
	p, ok := param.Preset(name)
	if !ok {
		return p, fmt.Errorf("there is no preset %q; there are %s", name, strings.Join(param.Presets(), ", "))
	}
	for _, change := range changes {
		field, value, ok := strings.Cut(change, "=")
		if !ok {
			return p, fmt.Errorf("-set %s: want field=value", change)
		}
		if err := p.Set(field, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Params are those of a preset, or of another, as they are measured: searching,
// whatever the size of the corpus, and at least ten results. Floors and budgets
// stay as they are.
func Params(p param.Params) param.Params {
	p.Mode = param.ModeChunk
	if p.TopK > 0 {
		p.TopK = max(p.TopK, depth)
	}
	return p
}

// Ask asks all questions and returns their scores in the same order.
func (l *Library) Ask(ctx context.Context, all []Asked, p param.Params) ([]Score, error) {
	p = Params(p)
	scores := make([]Score, len(all))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		g.Go(func() error {
			res, err := retrieval.Retrieve(ctx, l.Deps, retrieval.Query{Text: all[i].Text}, p, retrieval.Options{})
			if err != nil {
				return fmt.Errorf("%s: %w", all[i].ID, err)
			}
			scores[i] = all[i].score(Ranking(res.Items, section))
			return nil
		})
	}
	return scores, g.Wait()
}

// section is the id of the section that an item is or that it is a passage of.
func section(it *retrieval.Item) string { return cmp.Or(it.ParentID, it.ChunkID) }

// Ranking is what items belong to, by rank and each once: the first item of several
// stands for it.
func Ranking[T comparable](items []retrieval.Item, of func(*retrieval.Item) T) []T {
	byRank := make([]*retrieval.Item, len(items))
	for i := range items {
		byRank[i] = &items[i]
	}
	slices.SortFunc(byRank, func(a, b *retrieval.Item) int { return a.Rank - b.Rank })
	var ranking []T
	for _, it := range byRank {
		if one := of(it); !slices.Contains(ranking, one) {
			ranking = append(ranking, one)
		}
	}
	return ranking
}

// score measures a ranking of sections.
func (a Asked) score(ranking []string) Score {
	grades := evaluation.Grades(ranking, a.Grades)
	return Score{
		Asked: a, Results: len(ranking),
		NDCG: atDepth.Of(evaluation.Judged{Grades: grades, Pool: evaluation.NewPool(slices.Collect(maps.Values(a.Grades)))}),
		Rank: slices.IndexFunc(grades[:min(depth, len(grades))], func(g int) bool { return g >= good }) + 1,
	}
}

// Figure writes a share with three decimals and without its zero: .685.
func Figure(x float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", x), "0") }

// Mean is the summary of some scores.
type Mean struct {
	// Success1 and Success5 are the shares of questions with a good section first
	// and among the first five; MRR and NDCG are means, NDCG at ten.
	Success1, Success5, MRR, NDCG float64
	// Questions were asked; Empty of them got nothing back.
	Questions, Empty int
}

// MeanOf is the summary of scores; all is 0 without any.
func MeanOf(scores []Score) Mean {
	m := Mean{Questions: len(scores)}
	if len(scores) == 0 {
		return m
	}
	for _, s := range scores {
		m.Success1 += s.Within(1)
		m.Success5 += s.Within(5)
		m.MRR += s.Reciprocal()
		m.NDCG += s.NDCG
		if s.Results == 0 {
			m.Empty++
		}
	}
	n := float64(len(scores))
	m.Success1, m.Success5, m.MRR, m.NDCG = m.Success1/n, m.Success5/n, m.MRR/n, m.NDCG/n
	return m
}

// Group are the scores that have something in common.
type Group struct {
	Name   string
	Scores []Score
}

// By groups scores, in the order in which the groups first occur.
func By(scores []Score, name func(Score) string) []Group {
	var groups []Group
	for _, s := range scores {
		at := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name(s) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, Group{Name: name(s)})
		}
		groups[at].Scores = append(groups[at].Scores, s)
	}
	return groups
}
