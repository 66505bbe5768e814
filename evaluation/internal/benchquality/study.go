package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/evaluation"
)

// subject is a collection with what was gathered for its queries.
type subject struct {
	*corpus
	// byDepth are the candidates of each query.
	byDepth map[int][]*gathered
	// keyword is how well BM25 alone ranks for each query.
	keyword []score
}

// study compares fusions: the setting of each is chosen on one collection, by the
// greatest mean nDCG@10, and what it gives on the others is compared with BM25
// alone, query by query.
func study(ctx context.Context, all []*corpus, out io.Writer) error {
	subjects := make([]*subject, len(all))
	for i, k := range all {
		s, err := newSubject(ctx, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		subjects[i] = s
		fmt.Fprintf(out, "%s: %d queries; BM25 alone %s; vectors alone %s\n", k.name, len(s.keyword), mean(s.keyword), mean(s.scores(setting{depth: deepest, fuse: vectorAlone})))
	}
	fmt.Fprintf(out, "%s\n\n", howIndexed)
	fmt.Fprintln(out, "nDCG@10 and Recall@60; differences to BM25 alone with their 95 % bootstrap intervals.")
	fmt.Fprintln(out, "w is the weight of the keyword arm. Differences below .01 are noise.")
	for _, chosenOn := range subjects {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := chosenOn.report(out, subjects); err != nil {
			return err
		}
	}
	return curves(out, subjects)
}

// vectorAlone ranks by cosine; what only the keyword arm returned comes last.
func vectorAlone(g *gathered) []float64 {
	return each(g.vector.scores, -2, func(s float64) float64 { return s })
}

func newSubject(ctx context.Context, k *corpus) (*subject, error) {
	all, err := k.ask(ctx, deepest)
	if err != nil {
		return nil, err
	}
	s := &subject{corpus: k, byDepth: map[int][]*gathered{}}
	for _, a := range all {
		for _, depth := range depths() {
			s.byDepth[depth] = append(s.byDepth[depth], k.gather(a, depth))
		}
		s.keyword = append(s.keyword, a.measure(a.byKeyword))
	}
	return s, nil
}

// scores measures a setting on each query.
func (s *subject) scores(set setting) []score {
	out := make([]score, len(s.keyword))
	for i, g := range s.byDepth[set.depth] {
		out[i] = g.measure(g.rank(set.fuse))
	}
	return out
}

// means measures many settings, on all cores.
func (s *subject) means(settings []setting) []score {
	out := make([]score, len(settings))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range settings {
		g.Go(func() error {
			out[i] = mean(s.scores(settings[i]))
			return nil
		})
	}
	_ = g.Wait()
	return out
}

// choose returns the setting with the greatest mean nDCG@10, of equal ones the
// first.
func (s *subject) choose(settings []setting) setting {
	best := 0
	means := s.means(settings)
	for i := range means {
		if means[i].ndcg > means[best].ndcg {
			best = i
		}
	}
	return settings[best]
}

// report chooses a setting of each family on s and measures it on all others.
func (s *subject) report(out io.Writer, all []*subject) error {
	fmt.Fprintf(out, "\nchosen on %s by nDCG@10\n", s.name)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "fusion\tchosen\tthere")
	for _, other := range all {
		if other != s {
			fmt.Fprintf(w, "\ton %s\tΔ nDCG@10\tΔ Recall@60", other.name)
		}
	}
	fmt.Fprintln(w)
	line := func(name, chosen string, set setting) {
		fmt.Fprintf(w, "%s\t%s\t%s", name, chosen, mean(s.scores(set)))
		for _, other := range all {
			if other == s {
				continue
			}
			scores := other.scores(set)
			ndcg, recall := against(scores, other.keyword)
			fmt.Fprintf(w, "\t%s\t%s\t%s", mean(scores), ndcg, recall)
		}
		fmt.Fprintln(w)
	}
	equal := setting{.5, 60, 100, rrf(.5, 60)}
	line("rrf, not chosen", equal.String(), equal)
	for _, f := range families() {
		set := s.choose(f.settings)
		line(f.name, set.String(), set)
	}
	return w.Flush()
}

// against compares scores with others of the same queries, query by query.
func against(scores, others []score) (ndcg, recall evaluation.Interval) {
	const seed = 1
	n, r := make([]float64, len(scores)), make([]float64, len(scores))
	for i := range scores {
		n[i], r[i] = scores[i].ndcg-others[i].ndcg, scores[i].recall-others[i].recall
	}
	return evaluation.Bootstrap(n, seed), evaluation.Bootstrap(r, seed)
}

// curves shows how the recommended fusion depends on its weight, next to RRF.
func curves(out io.Writer, all []*subject) error {
	fmt.Fprintf(out, "\nby weight, depth 100: rrf with k 60, then %s\n", recommended)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "w")
	for _, s := range all {
		fmt.Fprintf(w, "\t%s rrf\tconvex\tΔ nDCG@10\tΔ Recall@60", s.name)
	}
	fmt.Fprintln(w)
	for step := range weightSteps + 1 {
		x := weight(step)
		fmt.Fprintf(w, "%.2f", x)
		for _, s := range all {
			scores := s.scores(setting{x, 0, 100, convex(x, calibrated, byMax)})
			ndcg, recall := against(scores, s.keyword)
			fmt.Fprintf(w, "\t%s\t%s\t%s\t%s", mean(s.scores(setting{x, 60, 100, rrf(x, 60)})), mean(scores), ndcg, recall)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
