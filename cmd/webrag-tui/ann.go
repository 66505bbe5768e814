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
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

type annFlags struct {
	scopeFlags
	k         int
	ef        string
	iterative bool
	queries   string
	recall    float64
}

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

// ann prints the index, a line for each setting, and what they recommend.
func (p *printer) ann(m *annMeasured) {
	if m.exact != "" {
		fmt.Fprintf(p.w, "%s is searched exactly, so there is no recall to measure: %s\n", offset.Line(m.corpus), offset.Line(m.exact))
		return
	}
	p.vectorIndex(&m.index)
	to := "“" + offset.Line(m.queries[0]) + "”"
	if len(m.queries) > 1 {
		to = fmt.Sprintf("%d queries", len(m.queries))
	}
	in := ""
	if m.isScoped {
		in = " in scope"
	}
	fmt.Fprintf(p.w, "\nthe %d nearest of %s%s to %s, iterative scan %s\n\n", m.k, plural(m.rows, "row"), in, to, m.iterative)
	worst := ""
	if len(m.queries) > 1 {
		worst = "   worst"
	}
	fmt.Fprintf(p.w, "%s%9s  %6s%s  %7s  %10s  %s%s\n", faint, "ef_search", "recall", worst, "rows", "time", "by", plain)
	for i := range m.points {
		sum := &m.points[i]
		if worst != "" {
			worst = "  " + share(sum.Least)
		}
		fmt.Fprintf(p.w, "%9d  %s%s  %7d  %10s  %s\n", sum.EfSearch, share(sum.Mean), worst, sum.Returned, millis(sum.Took), usedBy(sum, len(m.queries)))
	}
	if worst != "" {
		worst = "        "
	}
	fmt.Fprintf(p.w, "%9s  %6s%s  %7d  %10s  scan\n\n", "exact", "1", worst, min(m.k, m.rows), millis(m.took))
	p.recommendation(m)
}

// recommendation says which ef_search to take.
func (p *printer) recommendation(m *annMeasured) {
	least, ok := evaluation.LeastEf(m.points, m.wanted)
	switch {
	case ok:
	case !slices.ContainsFunc(m.points, func(s evaluation.EfRecall) bool { return s.Scans < len(m.queries) }):
		fmt.Fprintln(p.w, "with every setting the planner compared all rows, as it does while they are few: each answer is exact, and there is no ef_search to recommend until it takes the index")
		return
	default:
		fmt.Fprintf(p.w, "no setting that was tried finds %.3g of the exact rows on average; try a larger --ef or --iterative, or build the index with a larger m and ef_construction\n", m.wanted)
		return
	}
	fmt.Fprintf(p.w, "ef_search %d is the least that finds %.3g of the exact rows (%.3f", least.EfSearch, m.wanted, least.Mean)
	if len(m.queries) > 1 {
		fmt.Fprintf(p.w, " on average, %.3f for “%s”", least.Least, offset.Line(m.queries[least.Worst]))
	}
	fmt.Fprintf(p.w, "): --set %s=%d\n", param.FieldHNSWEfSearch, least.EfSearch)
}

// vectorIndex prints what an index is and what stands in its way.
func (p *printer) vectorIndex(x *store.VectorIndex) {
	facts := []string{x.Method + " over " + x.Type}
	for _, o := range x.Options {
		facts = append(facts, o.Name+" "+o.Value)
	}
	facts = append(facts, plural(int(x.Rows), "vector"), "index "+byteSize(x.Bytes), "table "+byteSize(x.TableBytes+x.ToastBytes))
	fmt.Fprintf(p.w, "%s%s%s  %s\n", bold, offset.Line(x.Name), plain, offset.Line(strings.Join(facts, " · ")))
	if !x.Valid {
		fmt.Fprintln(p.w, "! it is invalid: its building failed, and no search uses it; drop it and build it anew")
	}
	if x.Dead > 0 {
		vacuumed := "never vacuumed"
		if !x.LastVacuum.IsZero() {
			vacuumed = "last vacuumed " + x.LastVacuum.Format(time.DateTime)
		}
		fmt.Fprintf(p.w, "! %d dead rows (%s) take places of rows that could be found; VACUUM (INDEX_CLEANUP ON) removes them\n", x.Dead, vacuumed)
	}
}

func usedBy(sum *evaluation.EfRecall, queries int) string {
	switch sum.Scans {
	case 0:
		return "index"
	case queries:
		return "scan: the planner did not use the index"
	}
	return fmt.Sprintf("index, but scan for %d of %d", sum.Scans, queries)
}

// share is a recall with three decimals, 1 as a whole.
func share(v float64) string {
	text := score(v)
	if v == 1 {
		text = "1"
	}
	return fmt.Sprintf("%6s", text)
}

// annReport is the JSON of ann.
type annReport struct {
	Corpus string `json:"corpus"`
	// Exact says that every search is exact, Why why; then there is nothing else.
	Exact     bool      `json:"exact"`
	Why       string    `json:"why,omitempty"`
	Index     *annIndex `json:"index,omitempty"`
	K         int       `json:"k,omitempty"`
	Iterative string    `json:"iterative,omitempty"`
	Queries   int       `json:"queries,omitempty"`
	// Rows is 0 where none is in scope; then nothing was measured.
	Rows    int     `json:"rows"`
	ExactMS float64 `json:"exact_ms,omitempty"`
	Points  []annEf `json:"points,omitempty"`
	Wanted  float64 `json:"wanted_recall,omitempty"`
	// Recommended is missing where no setting reaches the wanted recall.
	Recommended *annEf `json:"recommended,omitempty"`
}

type annIndex struct {
	Name       string            `json:"name"`
	Method     string            `json:"method"`
	Type       string            `json:"type"`
	Options    map[string]string `json:"options"`
	Valid      bool              `json:"valid"`
	Bytes      int64             `json:"bytes"`
	TableBytes int64             `json:"table_bytes"`
	Vectors    int64             `json:"vectors"`
	Dead       int64             `json:"dead"`
	LastVacuum *time.Time        `json:"last_vacuum"`
}

type annEf struct {
	EfSearch    int     `json:"ef_search"`
	Recall      float64 `json:"recall"`
	WorstRecall float64 `json:"worst_recall"`
	WorstQuery  string  `json:"worst_query"`
	Returned    int     `json:"returned"`
	TookMS      float64 `json:"took_ms"`
	// Scans counts the queries whose plan did not use the index.
	Scans int `json:"scans"`
}

func encodeAnn(m *annMeasured) annReport {
	if m.exact != "" {
		return annReport{Corpus: m.corpus, Exact: true, Why: m.exact}
	}
	x := &m.index
	out := annReport{
		Corpus: m.corpus, K: m.k, Iterative: string(m.iterative), Queries: len(m.queries), Rows: m.rows,
		ExactMS: milliseconds(m.took), Wanted: m.wanted,
		Index: &annIndex{
			Name: x.Name, Method: x.Method, Type: x.Type, Valid: x.Valid, Bytes: x.Bytes, TableBytes: x.TableBytes + x.ToastBytes,
			Vectors: x.Rows, Dead: x.Dead, Options: map[string]string{},
		},
	}
	for _, o := range x.Options {
		out.Index.Options[o.Name] = o.Value
	}
	if !x.LastVacuum.IsZero() {
		out.Index.LastVacuum = &x.LastVacuum
	}
	if m.rows == 0 {
		return out
	}
	out.Points = eachOf(m.points, m.encodeEf)
	if least, ok := evaluation.LeastEf(m.points, m.wanted); ok {
		at := slices.IndexFunc(out.Points, func(p annEf) bool { return p.EfSearch == least.EfSearch })
		out.Recommended = &out.Points[at]
	}
	return out
}

func (m *annMeasured) encodeEf(s evaluation.EfRecall) annEf {
	return annEf{
		EfSearch: s.EfSearch, Recall: s.Mean, WorstRecall: s.Least, WorstQuery: m.queries[s.Worst],
		Returned: s.Returned, TookMS: milliseconds(s.Took), Scans: s.Scans,
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
