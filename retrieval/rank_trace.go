package retrieval

import "strconv"

// traceMode records how the mode was decided.
func (r *ranking) traceMode(threshold int) {
	s := Stage{
		Name: "mode", Duration: r.ev.timing.mode,
		Params: map[string]string{
			"mode":                   string(r.p.Mode),
			"full_context_threshold": strconv.Itoa(r.p.FullContextThreshold),
			"context_budget":         strconv.Itoa(r.p.ContextBudget),
		},
	}
	if !r.ev.blank {
		s.Notes = []string{
			strconv.Itoa(r.ev.stats.Documents) + " pages, " + strconv.Itoa(r.ev.stats.Parents) + " sections, " + strconv.Itoa(r.ev.stats.Tokens) + " tokens in scope",
			string(r.res.Mode) + ": " + r.whyMode(threshold),
		}
	}
	r.res.Trace.Stages = append(r.res.Trace.Stages, s)
}

func (r *ranking) whyMode(threshold int) string {
	tokens, limit := strconv.Itoa(r.ev.stats.Tokens), strconv.Itoa(threshold)
	switch {
	case r.p.Mode != ModeAuto:
		return "forced"
	case r.ev.stats.Tokens <= threshold:
		return tokens + " tokens are within the threshold of " + limit
	default:
		return tokens + " tokens exceed the threshold of " + limit
	}
}

// traceSearch records the embedding and the search, which Gather did. In full
// context the search adds no candidates: it only finds what to mark.
func (r *ranking) traceSearch() {
	r.res.Trace.Stages = append(r.res.Trace.Stages, Stage{
		Name: "embed", Duration: r.ev.timing.embed,
		Notes: []string{strconv.Itoa(len(r.ev.vector)) + " dimensions"},
	})
	reach := &r.ev.reach
	s := Stage{Name: "vector", Duration: r.ev.timing.vector + r.ev.timing.rows}
	if r.res.Mode == ModeChunk {
		s.Added, s.Out = len(r.ev.children), len(r.ev.children)
	}
	how := "exact"
	if !reach.exact {
		how = "approximate, ef_search " + strconv.Itoa(reach.efSearch)
	}
	s.Notes = []string{
		strconv.Itoa(reach.vectorRows) + " rows asked, " + strconv.Itoa(reach.returned) + " returned of " + strconv.Itoa(reach.scanned) + " compared, " + how,
	}
	if r.res.Mode == ModeFullContext {
		s.Notes = append(s.Notes, "not used in full context")
	}
	s.Params = map[string]string{"hnsw_ef_search": strconv.Itoa(r.p.HNSWEfSearch)}
	r.res.Trace.Stages = append(r.res.Trace.Stages, s)
}
