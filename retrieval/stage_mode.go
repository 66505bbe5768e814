package retrieval

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// modeStage is the first of all. modes is empty: [ranking.decide] runs it before the
// mode is known.
var modeStage = StageSpec{
	Name: param.StageMode, Phase: PhasePrepare,
	About: "A corpus within the threshold is sent whole; a larger one is searched.",
	apply: applyMode,
	brief: func(s *Stage) string {
		if len(s.Notes) == 1 {
			return s.Notes[0]
		}
		mode, _, _ := strings.Cut(s.Notes[1], ":")
		return strings.ReplaceAll(mode, "_", " ")
	},
}

// applyMode decides the mode.
func applyMode(r *ranking, s *Stage) {
	mode, threshold, clamped := decideMode(r.p, r.ev.stats)
	if r.ev.blank && r.p.Mode == param.ModeAuto {
		mode = param.ModeFullContext
	}
	r.res.Mode = mode
	if clamped && r.p.Mode == param.ModeAuto && !r.ev.blank {
		r.note(phrase.NoticeThresholdClamped, r.p.FullContextThreshold, r.p.ContextBudget, r.p.ContextBudget)
	}
	if s == nil {
		return
	}
	s.Duration = r.ev.timing.mode
	s.show(&r.p, param.FieldMode, param.FieldFullContextThreshold)
	s.Params[param.FieldContextBudget] = budgetText(r.p.ContextBudget)
	if !r.ev.blank {
		s.Notes = []string{
			strconv.Itoa(r.ev.stats.Documents) + " pages, " + strconv.Itoa(r.ev.stats.Parents) + " sections, " + strconv.Itoa(r.ev.stats.Tokens) + " tokens in scope",
			string(r.res.Mode) + ": " + r.whyMode(threshold),
		}
	}
	if note := hiddenNote(r.ev.hidden.Deleted, r.ev.hidden.Unfinished, r.ev.hidden.Stale); note != "" {
		s.Notes = append(s.Notes, note)
	}
}

// decideMode chooses between the whole corpus and a search: full context up to
// the threshold, which the budget clamps. A forced mode is taken as it is, but
// the threshold is worked out all the same, to be shown.
func decideMode(p param.Params, stats store.Stats) (mode param.Mode, threshold int, clamped bool) {
	threshold = p.FullContextThreshold
	if threshold > p.ContextBudget {
		threshold, clamped = p.ContextBudget, true
	}
	switch {
	case p.Mode == param.ModeFullContext || p.Mode == param.ModeChunk:
		return p.Mode, threshold, clamped
	case p.SendsWhole(stats.Tokens):
		return param.ModeFullContext, threshold, clamped
	default:
		return param.ModeChunk, threshold, clamped
	}
}

func (r *ranking) whyMode(threshold int) string {
	tokens, limit := strconv.Itoa(r.ev.stats.Tokens), strconv.Itoa(threshold)
	switch {
	case r.p.Mode != param.ModeAuto:
		return "forced"
	case r.ev.stats.Tokens <= threshold:
		return tokens + " tokens are within the threshold of " + limit
	default:
		return tokens + " tokens exceed the threshold of " + limit
	}
}

// hiddenNote says what the guard kept from the search, empty when nothing.
func hiddenNote(deleted, unfinished, stale int) string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{deleted, "deleted page", "deleted pages"},
		{unfinished, "page that was never indexed to its end", "pages that were never indexed to their end"},
		{stale, "chunk of an earlier ingestion", "chunks of earlier ingestions"},
	} {
		switch {
		case part.n == 1:
			parts = append(parts, "1 "+part.one)
		case part.n > 1:
			parts = append(parts, strconv.Itoa(part.n)+" "+part.many)
		}
	}
	if parts == nil {
		return ""
	}
	return "hidden: " + strings.Join(parts, ", ")
}
