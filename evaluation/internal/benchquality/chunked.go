package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// way is a preset as it is measured over chunked documents. changes are of its
// parameters, field=value; ten asks for ten results where the preset returns fewer.
type way struct {
	preset  string
	changes []string
	ten     bool
}

func (y way) params() (param.Params, error) {
	p, err := judged.Preset(y.preset, y.changes)
	p.Mode = param.ModeChunk
	if y.ten {
		p = judged.Params(p)
	}
	return p, err
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
// All are compared with the first, blend.
func ways() []way {
	var all []way
	for _, name := range param.Presets() {
		all = append(all, way{preset: name})
		p, _ := param.Preset(name)
		if judged.Params(p).TopK > p.TopK {
			all = append(all, way{preset: name, ten: true})
		}
	}
	for _, changes := range [][]string{
		{param.FieldTitleWeight + "=0", param.FieldHeadingWeight + "=0"},
		{param.FieldKeywordWeight + "=1"},
		{param.FieldKeywordWeight + "=0"},
		{param.FieldFusion + "=rrf"},
		{param.FieldFeedbackTerms + "=10"},
	} {
		all = append(all, way{preset: param.PresetBlend, changes: changes})
	}
	return all
}

// answered is what one way returned: how good each ranking of documents is, how
// many queries got nothing, and how many results there were in all.
type answered struct {
	name           string
	scores         []score
	empty, results int
}

func (r *answered) add(a *asked, ranking []int, results int) {
	r.scores = append(r.scores, a.measure(ranking))
	r.results += results
	if results == 0 {
		r.empty++
	}
}

// chunk indexes the collection as the program indexes a file of its documents, one
// a line of JSON.
func (k *corpus) chunk(ctx context.Context) (*sqlite.Store, indexing.Report, error) {
	pages, err := k.pages(ctx)
	if err != nil {
		return nil, indexing.Report{}, err
	}
	return judged.Index(ctx, k.file+"-chunked", pages)
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

// chunkedTable prints how well the presets answer from the chunked documents, and
// returns how many rows miss their target. The first row is BM25 over the whole
// documents.
func (k *corpus) chunkedTable(ctx context.Context, out io.Writer, all []*asked) (missed int, err error) {
	st, report, err := k.chunk(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	fmt.Fprintf(out, "%s as the program indexes and answers it: %d documents, %d sections, %d chunks", k.name, report.Added, report.Parents, report.Children)
	if n := len(report.Failed); n > 0 {
		fmt.Fprintf(out, "; %d are refused, such as those without text", n)
	}
	fmt.Fprintf(out, "\n  a document ranks where its best result does; recall is that of what is returned; Δ: difference from %s as it is\n", ways()[0])
	rows := []answered{{name: rowKeyword + ", whole documents"}}
	for _, a := range all {
		rows[0].add(a, a.byKeyword, len(a.found.Keyword))
	}
	for _, y := range ways() {
		r, err := k.answer(ctx, retrieval.Deps{Store: st, Embedder: k.model}, all, y)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", y, err)
		}
		rows = append(rows, r)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "preset\tnDCG@10\tRecall@60\tempty\tresults\tΔ nDCG@10\tΔ Recall@60\ttarget\t")
	for i, r := range rows {
		got, difference := mean(r.scores), "-\t-"
		if i != 1 {
			ndcg, recall := against(r.scores, rows[1].scores)
			difference = ndcg.String() + "\t" + recall.String()
		}
		target, n := knownCollections()[k.name].verdict(r.name, got)
		missed += n
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\t%s\t%s\n", r.name, judged.Figure(got.ndcg), judged.Figure(got.recall),
			r.empty, float64(r.results)/float64(len(all)), difference, target)
	}
	if err := w.Flush(); err != nil {
		return missed, err
	}
	fmt.Fprintln(out)
	return missed, nil
}

// answer asks all queries as the program does.
func (k *corpus) answer(ctx context.Context, deps retrieval.Deps, all []*asked, y way) (answered, error) {
	r := answered{name: y.String()}
	p, err := y.params()
	if err != nil {
		return r, err
	}
	for _, a := range all {
		res, err := retrieval.Retrieve(ctx, deps, retrieval.Query{Text: a.query.Text}, p, retrieval.Options{})
		if err != nil {
			return r, fmt.Errorf("query %q: %w", a.query.ID, err)
		}
		r.add(a, k.documents(res.Items), len(res.Items))
	}
	return r, nil
}

// documents are the places of the documents of items by rank, each once.
func (k *corpus) documents(items []retrieval.Item) []int {
	return judged.Ranking(items, func(it *retrieval.Item) int { return k.at[it.SourceURL] })
}
