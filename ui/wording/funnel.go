package wording

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Funnel says how many passages the searches found, what both did counted once, how many
// were kept, and what was returned of them, with fewer and fewer words: numbers that the
// pipeline's stages have. Those that the graph has added to are left out.
func Funnel(r *retrieval.Result) []string {
	what := "section"
	if len(r.Items) > 0 && r.Items[0].Level == store.Child {
		what = "passage"
	}
	out := Plural(len(r.Items), what)
	if r.Mode == param.ModeFullContext {
		return []string{"all " + out}
	}
	found, kept := 0, 0
	if r.Trace != nil {
		for i := range r.Trace.Stages {
			switch s := &r.Trace.Stages[i]; {
			case s.Name == param.StageFusion:
				found, kept = s.Out, s.Out
			case retrieval.StageOf(s.Name).Phase == retrieval.PhaseFind:
				found, kept = max(found, s.Out), s.Out
			case s.Name == param.StageParents:
				kept = s.In
			}
		}
	}
	switch {
	case found < max(1, len(r.Items)):
		return []string{out}
	case kept >= found, kept < len(r.Items):
		return []string{Plural(found, "passage") + " → " + out, Count(found) + " → " + out, out}
	}
	return []string{
		Plural(found, "passage") + " → " + Count(kept) + " kept → " + out,
		Count(found) + " → " + Count(kept) + " → " + out, out,
	}
}
