package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// runFlags say what is asked and how it is written.
type runFlags struct {
	scoping
	profile, format, level, out string
	k                           int
}

// The values of run's flags.
const (
	formatTREC  = "trec"
	levelChunks = "chunks"
)

func newRun(p *Program) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run SET",
		Short: "Write what a preset or profile returns for a query set as a run of TREC",
		Long: "run asks all queries of a set, judged or not, and writes the rankings for trec_eval,\n" +
			"ir_measures and other programs. A page is named by its address, percent-encoded, where its\n" +
			"first result ranks; --level chunks names every result, with a hash of its text. Scores are\n" +
			"made of ranks, so that every program sees the order that was returned; the JSON has the real\n" +
			"ones, the parameters, the corpus and the notices.",
		Example: "webrag-tui run docs --profile blend -o blend.run\n" +
			"webrag-tui judge export docs -o qrels.txt && trec_eval -c qrels.txt blend.run\n" +
			"webrag-tui run docs --profile tight --format json -o tight.json",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return fmt.Errorf("run needs one query set: webrag-tui run SET --profile blend; 'webrag-tui judge list' lists them")
			case f.format != formatTREC && f.format != formatJSON:
				return fmt.Errorf("--format %s: must be %s or %s", f.format, formatTREC, formatJSON)
			case f.level != levelPages && f.level != levelChunks:
				return fmt.Errorf("--level %s: must be %s or %s", f.level, levelPages, levelChunks)
			case f.k < 0:
				return fmt.Errorf("--k %d: must be at least 0", f.k)
			}
			return p.run(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.profile, "profile", "", "the preset or profile, by `name` or file (default: that of the settings)")
	fs.StringVar(&f.format, "format", formatTREC, "the `format`: trec or json (default trec)")
	fs.StringVar(&f.level, "level", levelPages, "what is named: a `level`, pages or chunks (default pages)")
	fs.IntVar(&f.k, "k", 0, "write only the best `n` of each query, 0 for all (default 0)")
	fs.StringVarP(&f.out, "output", "o", "", "write into this `FILE` (default: standard output)")
	p.SetsFlag(fs)
	p.Flags(fs)
	f.scoping.register(p, fs)
	return cmd
}

// encodedRun is a run as JSON.
type encodedRun struct {
	Set       string             `json:"set"`
	Synthetic bool               `json:"synthetic,omitempty"`
	Profile   string             `json:"profile"`
	Params    map[string]string  `json:"params"`
	Corpus    *encodedCorpus     `json:"corpus"`
	Scope     []string           `json:"scope,omitempty"`
	Level     string             `json:"level"`
	TookMS    float64            `json:"took_ms"`
	Queries   []encodedRanking   `json:"queries"`
	Notices   []retrieval.Notice `json:"notices,omitempty"`
}

type encodedRanking struct {
	ID      string             `json:"id"`
	Text    string             `json:"text"`
	Mode    string             `json:"mode"`
	Results []encodedPlace     `json:"results"`
	Notices []retrieval.Notice `json:"notices,omitempty"`
}

type encodedPlace struct {
	Rank   int     `json:"rank"`
	Docno  string  `json:"docno"`
	Source string  `json:"source_url"`
	Chunk  string  `json:"chunk_id"`
	Score  float64 `json:"score"`
	Scale  string  `json:"scale,omitempty"`
}

func (p *Program) run(ctx context.Context, name string, f *runFlags) error {
	configuration, err := p.Configuration("profile", f.profile)
	if err != nil {
		return err
	}
	a, err := p.ask(ctx, name, counting{level: levelPages, judge: "all", all: true, scoping: f.scoping})
	if err != nil {
		return err
	}
	defer a.corpus.Close()
	if len(a.set.Queries) == 0 {
		return fmt.Errorf("query set %s has no queries; 'webrag-tui judge add' and 'judge import' add some", a.set.Name)
	}
	outcomes, took, err := p.try(ctx, a, []Configuration{configuration})
	if err != nil {
		return err
	}
	out := encodedRun{
		Set: a.set.Name, Profile: configuration.Name, Params: configuration.Params.All(), Corpus: encodeCorpus(a.identity), Scope: a.within,
		Level: f.level, TookMS: float64(took.Microseconds()) / 1000,
	}
	if out.Synthetic = a.set.Origin == judgment.Synthetic; out.Synthetic {
		out.Notices = append(out.Notices, retrieval.Worded(phrase.NoticeSynthetic))
	}
	docno, err := docnos(ctx, a.corpus, outcomes[0].Results, f.level)
	if err != nil {
		return err
	}
	for i, q := range a.experiment.Questions {
		r := &outcomes[0].Results[i]
		out.Queries = append(out.Queries, encodedRanking{q.ID, q.Text, string(r.Mode), places(r, docno, f.k), r.Notices})
		for _, n := range r.Notices {
			if !slices.ContainsFunc(out.Notices, func(o retrieval.Notice) bool { return o.Code == n.Code }) {
				out.Notices = append(out.Notices, n)
			}
		}
	}
	p.Narrate(out.Notices)
	var b bytes.Buffer
	if f.format == formatJSON || p.IsJSON() {
		raw, err := json.MarshalIndent(out, "", " ")
		if err != nil {
			return err
		}
		b.Write(append(raw, '\n'))
	} else if err := exchange.WriteRun(&b, out.trec()); err != nil {
		return err
	}
	return p.write(f.out, b.Bytes())
}

// trec is the run without what TREC's format has no place for.
func (r *encodedRun) trec() *exchange.Run {
	run := &exchange.Run{Tag: strings.Join(strings.Fields(r.Profile), "_")}
	for _, q := range r.Queries {
		of := exchange.Ranking{Query: q.ID}
		for _, place := range q.Results {
			of.Documents = append(of.Documents, place.Docno)
		}
		run.Rankings = append(run.Rankings, of)
	}
	return run
}

// places are the results of a query by rank, each docno where it comes first.
func places(r *retrieval.Result, docno func(*retrieval.Item) string, k int) []encodedPlace {
	list := []encodedPlace{}
	seen := map[string]bool{}
	for _, it := range r.ByRank() {
		id := docno(it)
		if seen[id] || k > 0 && len(list) == k {
			continue
		}
		seen[id] = true
		list = append(list, encodedPlace{len(list) + 1, id, it.SourceURL, it.ChunkID, it.Score, it.Scale})
	}
	return list
}

// docnos names results, by their pages or by their texts, which it reads.
func docnos(ctx context.Context, corpus *Corpus, results []retrieval.Result, level string) (func(*retrieval.Item) string, error) {
	if level == levelPages {
		return func(it *retrieval.Item) string { return exchange.Docno(it.SourceURL) }, nil
	}
	var ids []string
	for i := range results {
		for k := range results[i].Items {
			ids = append(ids, results[i].Items[k].ChunkID)
		}
	}
	slices.Sort(ids)
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	texts := map[string]string{}
	for some := range slices.Chunk(slices.Compact(ids), 1000) {
		chunks, err := view.Chunks(ctx, some, store.FieldText)
		if err != nil {
			return nil, err
		}
		for i := range chunks {
			texts[chunks[i].ID] = chunks[i].ChunkText
		}
	}
	return func(it *retrieval.Item) string { return exchange.ChunkDocno(it.SourceURL, texts[it.ChunkID]) }, nil
}
