package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// way is a preset as it is measured over chunked documents. changes are of its
// parameters, field=value; ten asks for ten results where the preset returns fewer.
type way struct {
	preset  string
	changes []string
	ten     bool
}

func (y way) params() (retrieval.Params, error) {
	p, ok := retrieval.Preset(y.preset)
	if !ok {
		return p, fmt.Errorf("there is no preset %q", y.preset)
	}
	p.Mode = retrieval.ModeChunk
	if y.ten {
		p = judged.Params(p)
	}
	for _, change := range y.changes {
		field, value, _ := strings.Cut(change, "=")
		if err := p.Set(field, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (y way) String() string {
	name := strings.Join(append([]string{y.preset}, y.changes...), " ")
	if y.ten {
		name += ", with ten results"
	}
	return name
}

// ways are the presets as they are, those that return less than ten results also
// with ten, and what the preset blend is without one of its parts or with one more.
// All are compared with the first, which is blend.
func ways() []way {
	var all []way
	for _, name := range retrieval.Presets() {
		all = append(all, way{preset: name})
		p, _ := retrieval.Preset(name)
		if judged.Params(p).TopK > p.TopK {
			all = append(all, way{preset: name, ten: true})
		}
	}
	for _, changes := range [][]string{
		{"title_weight=0", "heading_weight=0"},
		{"keyword_weight=1"},
		{"keyword_weight=0"},
		{"fusion=rrf"},
		{"feedback_terms=10"},
	} {
		all = append(all, way{preset: retrieval.PresetBlend, changes: changes})
	}
	return all
}

// answers are what one way returned: how good each ranking of documents is, how
// many queries got nothing, and how many results there were in all.
type answers struct {
	scores         []score
	empty, results int
}

// chunk indexes the collection as the program indexes a file of its documents, one
// a line of JSON.
func (k *corpus) chunk(ctx context.Context) (_ *sqlite.Store, report indexing.Report, err error) {
	pages, err := k.pages(ctx)
	if err != nil {
		return nil, report, err
	}
	tokens, err := embedder.NewTokenizer(k.model.Info().Tokenizer)
	if err != nil {
		return nil, report, err
	}
	st, err := sqlite.Open(ctx, k.file+"-chunked", sqlite.Options{Create: true})
	if err != nil {
		return nil, report, err
	}
	report, err = indexing.Run(ctx, st, pages.All(ctx), indexing.Options{Embedder: k.model, Tokenizer: tokens})
	if err != nil {
		return nil, report, errors.Join(err, st.Close())
	}
	return st, report, nil
}

// pages writes the documents to a file and finds them there.
func (k *corpus) pages(ctx context.Context) (_ *source.Set, err error) {
	name := k.file + ".jsonl"
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	out := json.NewEncoder(file)
	for i := range k.Documents {
		page := source.NormalizedDocument{URL: address(i), Title: k.Documents[i].Title, Markdown: k.Documents[i].Text}
		if err := out.Encode(page); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return source.Scan(ctx, []string{name}, source.Options{})
}

// chunkedTable prints how well the presets answer from the chunked documents.
func (k *corpus) chunkedTable(ctx context.Context, out io.Writer) (err error) {
	st, report, err := k.chunk(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	fmt.Fprintf(out, "%s as the program indexes and answers it: %d documents, %d sections, %d chunks", k.name, report.Added, report.Parents, report.Children)
	if n := len(report.Failed); n > 0 {
		fmt.Fprintf(out, "; %d are refused, such as those without text", n)
	}
	fmt.Fprintln(out, "\n  a document ranks where its best result does; recall is that of what is returned; differences from the first row, with 95 % intervals")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "preset\tnDCG@10\tRecall@60\twithout an answer\tresults\tΔ nDCG@10\tΔ Recall@60\t")
	deps := retrieval.Deps{Store: st, Embedder: k.model}
	questions := k.questions()
	var first []score
	for _, y := range ways() {
		p, err := y.params()
		if err != nil {
			return err
		}
		got, err := k.retrieveAll(ctx, deps, questions, p)
		if err != nil {
			return fmt.Errorf("%s: %w", y, err)
		}
		m, difference := mean(got.scores), "-\t-"
		if first == nil {
			first = got.scores
		} else {
			ndcg, recall := against(got.scores, first)
			difference = interval(ndcg) + "\t" + interval(recall)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\t%s\t\n", y, figure(m.ndcg), figure(m.recall), got.empty, float64(got.results)/float64(len(questions)), difference)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return nil
}

// retrieveAll asks all questions as the program does.
func (k *corpus) retrieveAll(ctx context.Context, deps retrieval.Deps, all []*asked, p retrieval.Params) (answers, error) {
	got := answers{scores: make([]score, len(all))}
	for i, a := range all {
		res, err := retrieval.Retrieve(ctx, deps, retrieval.Query{Text: a.query.Text}, p, retrieval.Options{})
		if err != nil {
			return got, fmt.Errorf("query %q: %w", a.query.ID, err)
		}
		got.scores[i] = a.measure(k.documents(res.Items))
		got.results += len(res.Items)
		if res.IsEmpty() {
			got.empty++
		}
	}
	return got, nil
}

// documents are the places of the documents of items by rank, each once.
func (k *corpus) documents(items []retrieval.Item) []int {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
	var ranking []int
	for i := range items {
		if at := k.at[items[i].SourceURL]; !slices.Contains(ranking, at) {
			ranking = append(ranking, at)
		}
	}
	return ranking
}
