package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
)

// seed is that of the intervals, so that the same runs give the same.
const seed = 1

// print writes the tables: by preset and corpus, nDCG by kind of question, and
// the differences if something is compared.
func (b *bench) print(out io.Writer, rows []*row) error {
	split := "may be tuned with"
	if b.held {
		split = "are held out"
	}
	fmt.Fprintf(out, "%d questions that %s; success, MRR: sections of grade 2 and 3; each preset as it is, but for at least ten results\n\n", len(rows[0].scores), split)

	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "preset\tcorpus\tquestions\tsuccess@1\tsuccess@5\tMRR\tnDCG@10\tempty\t")
	for _, r := range rows {
		corpora := judged.By(r.scores, func(s judged.Score) string { return s.Corpus })
		for _, group := range append(corpora, judged.Group{Name: "all", Scores: r.scores}) {
			m := judged.MeanOf(group.Scores)
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\t\n", r.name, group.Name, m.Questions,
				judged.Figure(m.Success1), judged.Figure(m.Success5), judged.Figure(m.MRR), judged.Figure(m.NDCG), m.Empty)
		}
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}

	kinds := judged.By(rows[0].scores, func(s judged.Score) string { return s.Kind })
	fmt.Fprint(w, "nDCG@10 by kind\t")
	for _, k := range kinds {
		fmt.Fprintf(w, "%s (%d)\t", k.Name, len(k.Scores))
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t", r.name)
		for _, k := range judged.By(r.scores, func(s judged.Score) string { return s.Kind }) {
			fmt.Fprintf(w, "%s\t", judged.Figure(judged.MeanOf(k.Scores).NDCG))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := compare(out, rows); err != nil {
		return err
	}
	if b.each {
		each(out, rows)
	}
	return nil
}

// printReadme writes a table in markdown: a row for each preset, each figure of the
// questions that parameters may be tuned with and of those held out.
func printReadme(out io.Writer, rows []*row) {
	fmt.Fprintln(out, "| preset | success@1 | success@5 | MRR | nDCG@10 | nothing found |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- |")
	for _, r := range rows {
		var tuned, held []judged.Score
		for _, s := range r.scores {
			if s.Held {
				held = append(held, s)
			} else {
				tuned = append(tuned, s)
			}
		}
		t, h := judged.MeanOf(tuned), judged.MeanOf(held)
		fmt.Fprintf(out, "| `%s` | %s · %s | %s · %s | %s · %s | %s · %s | %d · %d |\n", r.name,
			judged.Figure(t.Success1), judged.Figure(h.Success1), judged.Figure(t.Success5), judged.Figure(h.Success5),
			judged.Figure(t.MRR), judged.Figure(h.MRR), judged.Figure(t.NDCG), judged.Figure(h.NDCG), t.Empty, h.Empty)
	}
}

// compare writes the differences of rows with those that they are compared with.
func compare(out io.Writer, rows []*row) error {
	if !slices.ContainsFunc(rows, func(r *row) bool { return r.against != nil }) {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\ncompared\twith\tMRR\tnDCG@10\tbetter, worse\t")
	for _, r := range rows {
		if r.against == nil {
			continue
		}
		mrr, ndcg := make([]float64, len(r.scores)), make([]float64, len(r.scores))
		better, worse := 0, 0
		for i, s := range r.scores {
			was := r.against.scores[i]
			mrr[i], ndcg[i] = s.Reciprocal()-was.Reciprocal(), s.NDCG-was.NDCG
			switch {
			case ndcg[i] > 0:
				better++
			case ndcg[i] < 0:
				worse++
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d, %d\t\n", r.name, r.against.name,
			evaluation.Bootstrap(mrr, seed), evaluation.Bootstrap(ndcg, seed), better, worse)
	}
	return w.Flush()
}

// each writes the nDCG of each question in each row.
func each(out io.Writer, rows []*row) {
	for i, s := range rows[0].scores {
		var values []string
		for _, r := range rows {
			values = append(values, judged.Figure(r.scores[i].NDCG))
		}
		if i == 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s  %-22s %s\n", strings.Join(values, " "), s.ID, s.Text)
	}
}
