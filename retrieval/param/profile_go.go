package param

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// inHybrid and inGraph are the columns of the hybrid and the graph retriever.
func inHybrid(s *Spec) *counterpart { return cmp.Or(s.hybrid, &counterpart{}) }
func inGraph(s *Spec) *counterpart  { return cmp.Or(s.graph, inHybrid(s)) }

// argument is the place of what a retriever is told with each query, behind its
// options.
const argument = 100

// WriteGoOptions writes the profile as Go code for the hybrid retriever under
// tuning, or for the graph retriever when edges are followed. What those have no
// option for becomes a comment that says what they do instead.
func (p Profile) WriteGoOptions(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, for the retriever under tuning.\n", p.oneLine())
	q, retriever, of := &p.Params, "Hybrid", ofSystem(inHybrid)
	if q.MaxHops > 0 {
		retriever, of = "Graph", inGraph
	}
	told := func(s *Spec) bool {
		there := of(s)
		return there.line > 0 && (there.takes == nil || there.takes(q))
	}
	fmt.Fprintf(&b, "retriever := oasis.New%sRetriever(store, embedding,\n", retriever)
	for _, s := range of.settings() {
		switch there := of(s); {
		case !told(s):
		case there.write != nil:
			there.write(&b, q)
		case there.option != "":
			fmt.Fprintf(&b, "\toasis.%s(%s),\n", there.option, s.Get(q))
		}
	}
	b.WriteString(")\n")
	topK := strconv.Itoa(q.TopK)
	if q.TopK == 0 {
		b.WriteString("// ! top_k is 0 here, no cap; the retriever needs a number.\n")
		topK = "topK"
	}
	fmt.Fprintf(&b, "results, err := retriever.Retrieve(ctx, query, %s)\n", topK)
	b.WriteString("// Filters belong to a query, not to a profile: pass those of --source, --doc and the like with WithFilters or WithGraphFilters.\n")
	p.writeRest(&b, "// ", of, told)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	return nil
}

func writeHopDecay(b *strings.Builder, p *Params) {
	fmt.Fprintf(b, "\toasis.WithHopDecay([]float32{%s}),\n", strings.ReplaceAll(p.HopDecay.String(), ",", ", "))
}

func writeRelations(b *strings.Builder, p *Params) {
	if p.Relations == 0 {
		b.WriteString("\t// relations=all: no WithRelationFilter\n")
		return
	}
	// Words fit a type of strings whatever its constants are called.
	var names []string
	for _, r := range p.Relations.List() {
		names = append(names, strconv.Quote(string(r)))
	}
	fmt.Fprintf(b, "\toasis.WithRelationFilter(%s),\n", strings.Join(names, ", "))
}

func writeSeeds(b *strings.Builder, p *Params) {
	if p.SeedTopK > 0 {
		fmt.Fprintf(b, "\toasis.WithSeedTopK(%d),\n", p.SeedTopK)
		return
	}
	fmt.Fprintf(b, "\toasis.WithSeedTopK(%d), // seed_top_k is 0 here: the arms' own limit\n", p.ArmRows())
}

func writeMinScore(b *strings.Builder, p *Params) {
	writeLeast(b, p, FieldMinScore, p.MinScore, "oasis.WithMinRetrievalScore(%s),", p.Reranker == RerankerLLM || p.Reranker == RerankerHTTP)
}

func writeRerankMinScore(b *strings.Builder, p *Params) {
	writeLeast(b, p, FieldRerankMinScore, p.RerankMinScore, "oasis.WithReranker(oasis.NewScoreReranker(%s)),", false)
}

func writeReranker(b *strings.Builder, p *Params) {
	switch p.Reranker {
	case RerankerScore: // is told with its least score
	case RerankerLLM:
		b.WriteString("\toasis.WithReranker(oasis.NewLLMReranker(llmProvider)),\n")
	case RerankerHTTP:
		b.WriteString("\t// reranker=http: write an oasis.Reranker that asks your /rerank server, and pass it with WithReranker\n")
	case RerankerNone:
		b.WriteString("\t// reranker=none: no WithReranker\n")
	}
}

// writeLeast writes an option with a least score of the hybrid retriever. Its fused
// scores are sums of weight / (60 + rank + 1), so that a score of ours, of which the
// best is 1, is divided by 61; one on another scale means nothing there. isReranked
// says that the score is a reranker's.
func writeLeast(b *strings.Builder, p *Params, field string, least float64, option string, isReranked bool) {
	value := phrase.Number(least)
	switch {
	case least == 0 || isReranked:
	case p.KeywordWeight == 0 || p.Fusion != FusionRRF:
		fmt.Fprintf(b, "\t// ! %s=%s is no score of fused ranks in this profile, as the retriever's scores are: choose one of at most 1/%d\n", field, value, theirK+1)
		return
	case p.RRFScale == RRFNormalized:
		fmt.Fprintf(b, "\t// %s=%s, divided by %d: the retriever does not scale its fused scores\n", field, value, theirK+1)
		value = strconv.FormatFloat(least/(theirK+1), 'g', 6, 64)
	}
	fmt.Fprintf(b, "\t"+option+"\n", value)
}

// theirK is the constant of reciprocal ranks of the hybrid retriever.
const theirK = 60
