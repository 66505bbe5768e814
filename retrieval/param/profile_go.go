package param

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// fixedInOasis says what the hybrid and the graph retriever do about the
// parameters that they have no option for.
func fixedInOasis() map[string]fixedThere {
	return map[string]fixedThere{
		"mode":                   {"chunk", "searches whatever the corpus's size"},
		"full_context_threshold": {"0", "never returns a whole corpus"},
		"empty_query":            {"empty", "embeds a blank query like any other"},
		"require_owner":          {"false", "knows no owners"},
		"search":                 {"", "searches as its store does"},
		"search_policy":          {"system", "searches as its store does"},
		"iterative_scan":         {"off", "searches as its store does"},
		"hnsw_ef_search":         {"0", "searches as its store does"},
		"keyword_match":          {"and", "wants all words of a query in one chunk"},
		"keyword_unindexed":      {"false", "searches words as its store does"},
		"title_weight":           {"0", "searches the text of chunks only"},
		"heading_weight":         {"0", "searches the text of chunks only"},
		"feedback_terms":         {"0", "searches the query's own words only"},
		"feedback_chunks":        {"", "searches the query's own words only"},
		"feedback_weight":        {"", "searches the query's own words only"},
		"similarity_floor":       {"-1", "has no floor for cosines"},
		"floor_scale":            {"raw", "has no floor for cosines"},
		"top_k_children_limit":   {"0", "takes top_k times overfetch rows"},
		"fusion":                 {"rrf", "fuses ranks"},
		"rrf_k":                  {"60", "has the constant 60"},
		"rrf_scale":              {string(RRFRaw), "leaves fused scores as the sums of weight / (k + rank + 1), at most 1/61"},
		"single_arm":             {"", "is not documented on an arm that is alone"},
		"unit":                   {"parent", "returns the parents of what was found"},
		"missing_parent":         {"keep", "returns a chunk without a parent as it is"},
		"max_frontier":           {"0", "expands every node"},
		"graph_scoring":          {string(ScoringDocumented), "adds what similarity and what the edge brings"},
		"graph_filter_scope":     {"seeds", "holds filters against the seeds only"},
		"graph_top_k":            {"0", "has one pool of results"},
		"depth_decay_rate":       {"0", "takes no account of depth"},
		"depth_floor":            {"", "takes no account of depth"},
		"recency_half_life":      {"0", "takes no account of age"},
		"dedup_threshold":        {"0", "keeps near-duplicates"},
		"unscored":               {"keep", "leaves results without a reranker's score on their old one"},
		"merge_adjacent":         {"false", "returns the parents of what was found"},
		"context_budget":         {fmt.Sprint(Unlimited), "has no budget of tokens"},
		"budget_policy":          {"", "has no budget of tokens"},
		"budget_count":           {"", "has no budget of tokens"},
		"full_context_overflow":  {"", "never returns a whole corpus"},
		"group_by_source":        {"false", "lists results by score"},
		"surface_policy":         {"markdown", "returns the text of chunks"},
		"overfetch":              {"1", "takes as many seeds as it is told"},
		"min_score":              {"0", "has no least score"},
		"max_hops":               {"0", "follows no edges"},
	}
}

// fixedInGraph are those of the two on which the graph retriever differs from the
// hybrid one.
func fixedInGraph() map[string]fixedThere {
	there := fixedInOasis()
	there["top_k_children_limit"] = fixedThere{"0", "takes as many seeds as it is told"}
	there["reranker"] = fixedThere{string(RerankerNone), "has no option for a reranker; call one on its results"}
	there["rerank_min_score"] = fixedThere{"", "has no option for a reranker"}
	there["unscored"] = fixedThere{"", "has no option for a reranker"}
	return there
}

// WriteGoOptions writes the profile as Go code for the hybrid retriever under
// tuning, or for the graph retriever when edges are followed. What those have no
// option for becomes a comment that says what they do instead.
func (p Profile) WriteGoOptions(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, for the retriever under tuning.\n", p.oneLine())
	options, there := p.hybridOptions, fixedInOasis()
	if p.Params.MaxHops > 0 {
		options, there = p.graphOptions, fixedInGraph()
	}
	told := options(&b)
	topK := fmt.Sprint(p.Params.TopK)
	if p.Params.TopK == 0 {
		b.WriteString("// ! top_k is 0 here, no cap; the retriever needs a number.\n")
		topK = "topK"
	}
	fmt.Fprintf(&b, "results, err := retriever.Retrieve(ctx, query, %s)\n", topK)
	b.WriteString("// Filters belong to a query, not to a profile: pass those of --source, --doc and the like with WithFilters or WithGraphFilters.\n")
	p.writeRest(&b, "// ", append(told, "top_k"), there)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	return nil
}

// hybridOptions writes the hybrid retriever's constructor and returns the
// parameters in it.
func (p Profile) hybridOptions(b *strings.Builder) (told []string) {
	q := p.Params
	b.WriteString("retriever := oasis.NewHybridRetriever(store, embedding,\n")
	fmt.Fprintf(b, "\toasis.WithKeywordWeight(%s),\n", phrase.Number(q.KeywordWeight))
	fmt.Fprintf(b, "\toasis.WithOverfetchMultiplier(%d),\n", q.Overfetch)
	p.leastScore(b, "min_score", q.MinScore, "oasis.WithMinRetrievalScore(%s),", q.Reranker == RerankerLLM || q.Reranker == RerankerHTTP)
	told = append(p.rerankerOption(b), "keyword_weight", "overfetch", "min_score")
	b.WriteString(")\n")
	return told
}

// graphOptions writes the graph retriever's.
func (p Profile) graphOptions(b *strings.Builder) (told []string) {
	q := p.Params
	b.WriteString("retriever := oasis.NewGraphRetriever(store, embedding,\n")
	fmt.Fprintf(b, "\toasis.WithMaxHops(%d),\n", q.MaxHops)
	fmt.Fprintf(b, "\toasis.WithVectorWeight(%s),\n", phrase.Number(q.VectorWeight))
	fmt.Fprintf(b, "\toasis.WithGraphWeight(%s),\n", phrase.Number(q.GraphWeight))
	fmt.Fprintf(b, "\toasis.WithHopDecay([]float32{%s}),\n", strings.ReplaceAll(q.HopDecay.String(), ",", ", "))
	fmt.Fprintf(b, "\toasis.WithBidirectional(%t),\n", q.Bidirectional)
	if q.Relations == 0 {
		b.WriteString("\t// relations=all: no WithRelationFilter\n")
	} else {
		// Words fit a type of strings whatever its constants are called.
		var names []string
		for _, r := range q.Relations.List() {
			names = append(names, strconv.Quote(string(r)))
		}
		fmt.Fprintf(b, "\toasis.WithRelationFilter(%s),\n", strings.Join(names, ", "))
	}
	fmt.Fprintf(b, "\toasis.WithMinTraversalScore(%s),\n", phrase.Number(q.MinTraversalScore))
	if q.SeedTopK > 0 {
		fmt.Fprintf(b, "\toasis.WithSeedTopK(%d),\n", q.SeedTopK)
	} else {
		fmt.Fprintf(b, "\toasis.WithSeedTopK(%d), // seed_top_k is 0 here: the arms' own limit\n", q.ArmRows())
	}
	fmt.Fprintf(b, "\toasis.WithSeedKeywordWeight(%s),\n", phrase.Number(q.KeywordWeight))
	told = append(told, "max_hops", "vector_weight", "graph_weight", "hop_decay", "bidirectional", "relations",
		"min_traversal_score", "seed_top_k", "keyword_weight")
	b.WriteString(")\n")
	return told
}

// rerankerOption writes the hybrid retriever's option for the reranker, and returns
// the parameters in it.
func (p Profile) rerankerOption(b *strings.Builder) (told []string) {
	switch p.Params.Reranker {
	case RerankerScore:
		p.leastScore(b, "rerank_min_score", p.Params.RerankMinScore, "oasis.WithReranker(oasis.NewScoreReranker(%s)),", false)
		return []string{"reranker", "rerank_min_score"}
	case RerankerLLM:
		b.WriteString("\toasis.WithReranker(oasis.NewLLMReranker(llmProvider)),\n")
	case RerankerHTTP:
		b.WriteString("\t// reranker=http: write an oasis.Reranker that asks your /rerank server, and pass it with WithReranker\n")
	case RerankerNone:
		b.WriteString("\t// reranker=none: no WithReranker\n")
	}
	return []string{"reranker"}
}

// leastScore writes an option with a least score of the hybrid retriever. Its fused
// scores are sums of weight / (60 + rank + 1), so that a score of ours, of which the
// best is 1, is divided by 61; one on another scale means nothing there. isReranked
// says that the score is a reranker's.
func (p Profile) leastScore(b *strings.Builder, field string, least float64, option string, isReranked bool) {
	q := p.Params
	value := phrase.Number(least)
	switch {
	case least == 0 || isReranked:
	case q.KeywordWeight == 0 || q.Fusion != FusionRRF:
		fmt.Fprintf(b, "\t// ! %s=%s is no score of fused ranks in this profile, as the retriever's scores are: choose one of at most 1/%d\n", field, value, theirK+1)
		return
	case q.RRFScale == RRFNormalized:
		fmt.Fprintf(b, "\t// %s=%s, divided by %d: the retriever does not scale its fused scores\n", field, value, theirK+1)
		value = strconv.FormatFloat(least/(theirK+1), 'g', 6, 64)
	}
	fmt.Fprintf(b, "\t"+option+"\n", value)
}

// theirK is the constant of reciprocal ranks of the hybrid retriever.
const theirK = 60
