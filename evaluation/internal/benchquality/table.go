package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// depth is how many rows each arm contributes to a fusion.
const depth = 100

// row is one way to rank.
type row struct {
	name string
	// weight and k are those of the fusion, in words; a dash where there is none.
	weight, k string
	rank      func(a *asked) ([]int, error)
}

// rows are the ways that are measured. The fusions are the program's own.
func (k *corpus) rows() []row {
	fused := func(name string, w float64, constant int, fusion param.Fusion) row {
		p := hybrid(w, constant, fusion)
		r := row{name, strings.TrimPrefix(fmt.Sprint(w), "0"), fmt.Sprint(constant), func(a *asked) ([]int, error) { return k.retrieved(a, p) }}
		if fusion == param.FusionConvex {
			r.k = "-"
		}
		return r
	}
	preset, _ := param.Preset(param.PresetHybrid)
	return []row{
		{rowVector, "-", "-", func(a *asked) ([]int, error) { return a.byVector, nil }},
		{rowKeyword, "-", "-", func(a *asked) ([]int, error) { return a.byKeyword, nil }},
		fused(rowRRF, .5, 60, param.FusionRRF),
		fused("rrf, preset hybrid", preset.KeywordWeight, preset.RRFK, param.FusionRRF),
		fused("rrf, sharper", .75, 2, param.FusionRRF),
		fused("convex", .5, 60, param.FusionConvex),
	}
}

// measureAll prints two tables for each collection.
func measureAll(ctx context.Context, all []*corpus, out io.Writer) error {
	missed := 0
	for _, k := range all {
		n, err := k.tables(ctx, out)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		missed += n
	}
	if missed > 0 {
		return fmt.Errorf("%w: %d rows say MISSED", errMissed, missed)
	}
	return nil
}

// tables prints how well whole documents are ranked, then how well the presets
// answer from chunked ones. It returns how many rows miss their target.
func (k *corpus) tables(ctx context.Context, out io.Writer) (missed int, err error) {
	all, err := k.ask(ctx, depth)
	if err != nil {
		return 0, err
	}
	if err := k.gatherEvidence(ctx, all); err != nil {
		return 0, err
	}
	missed, err = k.table(out, all)
	if err != nil {
		return missed, err
	}
	more, err := k.chunkedTable(ctx, out, all)
	return missed + more, err
}

// table prints how well each row ranks and returns how many miss their target.
func (k *corpus) table(out io.Writer, all []*asked) (missed int, err error) {
	k.heading(out, all)
	known := knownCollections()[k.name]
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "row\tkeyword weight\tk\tdepth\tqueries\tnDCG@10\tRecall@60\ttarget\t")
	for _, r := range k.rows() {
		scores := make([]score, len(all))
		for i, a := range all {
			ranking, err := r.rank(a)
			if err != nil {
				return missed, err
			}
			scores[i] = a.measure(ranking)
		}
		got := mean(scores)
		target, n := known.verdict(r.name, got)
		missed += n
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\n", r.name, r.weight, r.k, depth, len(all), judged.Figure(got.ndcg), judged.Figure(got.recall), target)
	}
	if err := w.Flush(); err != nil {
		return missed, err
	}
	if known.published != "" {
		fmt.Fprintf(out, "published nDCG@10 of BM25: %s\n", known.published)
	}
	fmt.Fprintln(out)
	return missed, nil
}

// heading says what was measured and how.
func (k *corpus) heading(out io.Writer, all []*asked) {
	pairs, unused := 0, 0
	for _, a := range all {
		pairs += a.pool.Relevant(1)
		if a.unused {
			unused++
		}
	}
	fmt.Fprintf(out, "%s: %d documents, %d queries with %d relevant pairs\n", k.name, len(k.Documents), len(all), pairs)
	fmt.Fprintf(out, "  %s", howIndexed)
	if k.blank > 0 {
		fmt.Fprintf(out, "; %d are blank", k.blank)
	}
	fmt.Fprintf(out, "\n  vector: %s, exact; unrelated cosines: median %.3f, 99.5th percentile %.3f\n", k.model.Info().Model, k.scale.P50, k.scale.P995)
	fmt.Fprintf(out, "  keyword: BM25, k1 1.2, b .75, stemmed, match %s", match)
	if unused > 0 {
		fmt.Fprintf(out, "; %d queries have words too common to find rows", unused)
	}
	fmt.Fprintln(out)
	if queries, documents := k.Unknown(); queries+documents > 0 {
		fmt.Fprintf(out, "  judged but not there: %d queries, left out; %d documents, never found\n", queries, documents)
	}
}
