package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

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

func (m *annMeasured) encodeEf(s *evaluation.EfRecall) annEf {
	return annEf{
		EfSearch: s.EfSearch, Recall: s.Mean, WorstRecall: s.Least, WorstQuery: m.queries[s.Worst],
		Returned: s.Returned, TookMS: milliseconds(s.Took), Scans: s.Scans,
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
