package synthetic

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// Tag marks each query that was made from the corpus, beside a tag for its [Kind].
const Tag = "synthetic"

// Save makes a query set of questions: of each, its pages and the passages on them have
// the highest grade, so that it can be measured by pages as by passages. The judge is
// [judgment.Rule], and of questions that a model made that model. The set's origin
// is [judgment.Synthetic], and its notes say what it was made from.
func Save(ctx context.Context, sets, name string, about judgment.About, made []Question, at time.Time) (*judgment.Set, error) {
	about.Origin = judgment.Synthetic
	about.Notes = strings.TrimSpace(about.Notes + "\n" + notes(made))
	s, err := judgment.Create(sets, name, about)
	if err != nil {
		return nil, err
	}
	queries := make([]judgment.Query, len(made))
	for i, q := range made {
		queries[i] = judgment.Query{Text: q.Text, Tags: []string{Tag, string(q.Kind)}}
	}
	if queries, err = s.AddQueries(ctx, queries...); err != nil {
		return s, fmt.Errorf("save questions: %w", err)
	}
	var records []judgment.Record
	for i, q := range made {
		by := judgment.Rule
		if q.By != "" {
			by = judgment.ModelJudge(q.By)
		}
		for _, t := range q.Targets {
			r := judgment.Record{Grade: judgment.Grade(s.MaxGrade()), Judge: by, JudgedAt: at, Note: "made from it"}
			r.Key = judgment.PageKey(queries[i].ID, t.Page)
			records = append(records, r)
			if r.Key = judgment.KeyOf(queries[i].ID, t.Page, t.Quote, t.Start); !r.IsPage() {
				r.Quote = strings.TrimSpace(t.Quote)
				records = append(records, r)
			}
		}
	}
	return s, s.Append(ctx, records...)
}

// notes say what a set is made of.
func notes(made []Question) string {
	var r Report
	for _, kind := range append(Kinds(), Model) {
		r.Kinds = append(r.Kinds, KindCount{Kind: kind})
	}
	r.count(made)
	var parts []string
	for _, k := range r.Kinds {
		if k.Taken > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k.Kind, k.Taken))
		}
	}
	return fmt.Sprintf("Made from the corpus (%s); %d of %d stand verbatim in their page.", strings.Join(parts, ", "), r.Verbatim, len(made))
}
