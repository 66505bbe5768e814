package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/store"
)

// annFlags are the flags of ann.
type annFlags struct {
	scopeFlags
	k         int
	ef        string
	iterative bool
	queries   string
	recall    float64
}

// newAnn measures the recall of an approximate index.
func newAnn(a *app) *cobra.Command {
	var f annFlags
	cmd := &cobra.Command{
		Use:   "ann TEXT",
		Short: "Measure how much of the exact answer a database's vector index finds",
		Long: "ann searches an HNSW index with several settings of ef_search, compares each answer with\n" +
			"an exact search of the same rows, and describes the index. With --queries it does so for\n" +
			"each line of a file and recommends the smallest ef_search that reaches --recall on average.\n" +
			"A corpus in a file is always searched exactly: there is nothing to measure. It exits with 1\n" +
			"when no row is in scope.",
		Example: "webrag-tui ann --corpus postgres://app@db.example.com/rag 'gradient boosting'\n" +
			"webrag-tui ann --corpus postgres://app@db.example.com/rag --queries questions.txt --recall 0.98",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ann(cmd.Context(), strings.Join(args, " "), &f)
		},
	}
	fs := cmd.Flags()
	f.register(fs)
	fs.IntVar(&f.k, "k", 60, "compare the `n` nearest rows, at most 1000 (default 60)")
	fs.StringVar(&f.ef, "ef", "10,20,40,80,100,200,400,800", "try these `values` of ef_search, each 1 to 1000 (default 10,20,40,80,100,200,400,800)")
	fs.BoolVar(&f.iterative, "iterative", false, "let the index search on when a filter leaves too few rows (relaxed_order)")
	fs.StringVar(&f.queries, "queries", "", "measure the queries of a `FILE`, one a line; - reads standard input")
	fs.Float64Var(&f.recall, "recall", 0.95, "recommend the least ef_search with this mean `share`, 0 to 1 (default 0.95)")
	return cmd
}

// mostRows and mostEf are the limits of a probe and of the setting.
const mostRows, mostEf = 1000, 1000

// parseEf reads a list of values of ef_search, in ascending order, each once.
func parseEf(text string) ([]int, error) {
	var values []int
	for word := range strings.SplitSeq(text, ",") {
		ef, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || ef < 1 || ef > mostEf {
			return nil, fmt.Errorf("--ef: %q is no value of ef_search; give whole numbers from 1 to %d, as in 40,100,200", strings.TrimSpace(word), mostEf)
		}
		values = append(values, ef)
	}
	slices.Sort(values)
	return slices.Compact(values), nil
}

// check reads the flags that have a range.
func (f *annFlags) check(text string) (ef []int, err error) {
	switch {
	case text == "" && f.queries == "":
		return nil, errors.New("ann needs a query: webrag-tui ann 'gradient boosting', or --queries FILE")
	case text != "" && f.queries != "":
		return nil, errors.New("give a query or --queries, not both")
	case f.k < 1 || f.k > mostRows:
		return nil, fmt.Errorf("--k %d: must be between 1 and %d", f.k, mostRows)
	case !(f.recall > 0 && f.recall <= 1):
		return nil, fmt.Errorf("--recall %v: must be above 0 and at most 1", f.recall)
	}
	return parseEf(f.ef)
}

// annMeasured is what ann found out.
type annMeasured struct {
	corpus string
	// exact is why there is nothing to measure, empty if there is.
	exact   string
	index   store.VectorIndex
	k       int
	queries []string
	// points are what each setting found, rows how many were compared, and took the
	// mean time that this was in.
	points []evaluation.EfRecall
	rows   int
	took   time.Duration
	// iterative says how the index was searched, wanted is the recall aimed at.
	iterative store.Iterative
	wanted    float64
	isScoped  bool
}

func (a *app) ann(ctx context.Context, text string, f *annFlags) error {
	text = strings.TrimSpace(text)
	ef, err := f.check(text)
	if err != nil {
		return err
	}
	scope, err := f.scope()
	if err != nil {
		return err
	}
	m := annMeasured{k: f.k, wanted: f.recall, iterative: store.IterativeOff, queries: []string{text}, isScoped: !scope.IsZero()}
	if f.iterative {
		m.iterative = store.IterativeRelaxed
	}
	if f.queries != "" {
		if m.queries, err = a.readQueries(ctx, f.queries); err != nil {
			return err
		}
	}
	if err := a.measure(ctx, &m, store.Probe{Scope: scope, K: f.k, EfSearch: ef, Iterative: m.iterative}); err != nil {
		return err
	}
	isEmpty := m.exact == "" && m.rows == 0
	switch {
	case a.json:
		err = a.printJSON(encodeAnn(&m))
	case isEmpty && m.isScoped:
		fmt.Fprintln(a.err, "no rows in scope, so there is no recall to measure")
	case isEmpty:
		fmt.Fprintln(a.err, "the corpus has no vectors, so there is no recall to measure")
	default:
		p := printer{w: a.output()}
		p.ann(&m)
	}
	return orNothing(err, isEmpty)
}

// measure opens the corpus and probes it with each query.
func (a *app) measure(ctx context.Context, m *annMeasured, p store.Probe) (err error) {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	a.narrate(sendNotices(c))
	emb, err := newEmbedder(c)
	if err != nil {
		return err
	}
	st, err := openCorpus(ctx, c)
	if err != nil {
		return err
	}
	defer st.Close()
	m.corpus = st.Info().Name
	view, err := st.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	health, ok := view.(store.IndexHealth)
	if !ok {
		m.exact = "every vector is compared with the query"
		return nil
	}
	if m.index, err = health.VectorIndex(ctx); err != nil {
		return err
	}
	if m.index.Name == "" {
		m.exact = m.index.Why
		return nil
	}
	emb, notices, err := forQueries(ctx, emb, st)
	if err != nil {
		return err
	}
	a.narrate(notices)
	var probes []store.Probed
	for _, query := range m.queries {
		if p.Vector, err = emb.EmbedOne(ctx, query, embedder.RoleQuery); err != nil {
			return fmt.Errorf("embed the query %q: %w", query, err)
		}
		probed, err := health.Probe(ctx, p)
		if err != nil {
			return err
		}
		probes = append(probes, probed)
		m.rows = max(m.rows, probed.Rows)
		m.took += probed.Exact
	}
	m.took /= time.Duration(len(probes))
	m.points = evaluation.SumProbes(probes)
	return nil
}

// mostQueries is the most bytes of a file of queries that are all to be measured.
const mostQueries = 64 << 20

// readQueries reads a query a line; blank lines are none.
func (a *app) readQueries(ctx context.Context, name string) (queries []string, err error) {
	in, err := a.openInput(ctx, name, mostQueries)
	if err != nil {
		return nil, fmt.Errorf("--queries: %w", err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestQuery)
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" {
			queries = append(queries, text)
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, fmt.Errorf("--queries: read %s: %w", nameOfInput(name), err)
	case len(queries) == 0:
		return nil, fmt.Errorf("--queries: %s has no query; write one a line", nameOfInput(name))
	}
	return queries, nil
}
