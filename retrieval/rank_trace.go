package retrieval

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// traceMode records how the mode was decided.
func (r *ranking) traceMode(threshold int) {
	s := Stage{
		Name: param.StageMode, Duration: r.ev.timing.mode,
		Params: map[string]string{
			param.FieldMode:                 string(r.p.Mode),
			param.FieldFullContextThreshold: strconv.Itoa(r.p.FullContextThreshold),
			param.FieldContextBudget:        budgetText(r.p.ContextBudget),
		},
	}
	if !r.ev.blank {
		s.Notes = []string{
			strconv.Itoa(r.ev.stats.Documents) + " pages, " + strconv.Itoa(r.ev.stats.Parents) + " sections, " + strconv.Itoa(r.ev.stats.Tokens) + " tokens in scope",
			string(r.res.Mode) + ": " + r.whyMode(threshold),
		}
	}
	if note := hiddenNote(r.ev.hidden.Deleted, r.ev.hidden.Unfinished, r.ev.hidden.Stale); note != "" {
		s.Notes = append(s.Notes, note)
	}
	r.res.Trace.Stages = append(r.res.Trace.Stages, s)
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

// notePending marks a stage that waits for something to be fetched.
const notePending = "pending: not everything was fetched yet"

// traceArms records the embedding and the search of each arm, which Gather did.
// In full context they add no candidates: they only find what to mark.
func (r *ranking) traceArms() {
	embed := Stage{Name: param.StageEmbed, Duration: r.ev.timing.embed, Notes: []string{strconv.Itoa(len(r.ev.vector)) + " dimensions"}}
	if r.ev.embedErr != "" {
		embed.Notes = []string{"failed: " + r.ev.embedErr}
	}
	full := r.res.Mode == param.ModeFullContext
	vector := r.traceVector()
	if !full {
		vector.Added, vector.Out = len(r.ev.nearest), len(r.ev.nearest)
	} else {
		vector.Notes = append(vector.Notes, "not used in full context")
	}
	r.res.Trace.Stages = append(r.res.Trace.Stages, embed, vector)
	if r.p.KeywordWeight == 0 || full {
		return
	}
	keyword := r.traceKeyword()
	keyword.In = vector.Out
	keyword.Added = len(r.ev.keyword.rows)
	keyword.Out = keyword.In + keyword.Added
	r.res.Trace.Stages = append(r.res.Trace.Stages, keyword)
}

func (r *ranking) traceVector() Stage {
	reach := &r.ev.reach
	// An index does not say how many vectors it compared.
	how := " of " + strconv.Itoa(reach.scanned) + " compared, exact"
	if !reach.exact {
		how = ", approximate, ef_search " + strconv.Itoa(reach.usedEf)
	}
	s := Stage{
		Name: param.StageVector, Duration: r.ev.timing.search + r.ev.timing.rows,
		Params: r.p.Values(param.FieldSearch, param.FieldSearchPolicy, param.FieldHNSWEfSearch, param.FieldReach),
		Notes: []string{
			strconv.Itoa(reach.rows) + " rows asked, " + strconv.Itoa(reach.returned) + " returned" + how,
		},
	}
	if reach.missed > 0 {
		s.Notes = append(s.Notes, strconv.Itoa(reach.missed)+" near misses of the index beside them")
	}
	s.Notes = append(s.Notes, reach.asked...)
	return s
}

func (r *ranking) traceKeyword() Stage {
	kw := &r.ev.keyword
	fields := []string{param.FieldKeywordMatch, param.FieldTitleWeight, param.FieldHeadingWeight}
	if r.p.UsesFeedback() {
		fields = append(fields, param.FieldFeedbackTerms, param.FieldFeedbackChunks, param.FieldFeedbackWeight)
	}
	s := Stage{Name: param.StageKeyword, Params: r.p.Values(fields...)}
	switch {
	case kw.missing != "":
		s.Notes = []string{"missing: " + kw.missing}
	case kw.err != "":
		s.Notes = []string{"failed: " + kw.err}
	default:
		s.Notes = []string{
			strconv.Itoa(r.ev.reach.rows) + " rows asked, " + strconv.Itoa(len(kw.rows)) + " returned of " + strconv.Itoa(kw.matches) + " that match",
			"terms: " + termList(kw),
		}
		if note := feedbackList(kw); note != "" {
			s.Notes = append(s.Notes, note)
		}
	}
	if kw.run != "" {
		s.Notes = append(s.Notes, "searched "+kw.run)
	}
	return s
}

// feedbackList shows the words that feedback added with their weights, the heaviest
// first, empty for none.
func feedbackList(kw *keywordArm) string {
	if kw.own >= len(kw.terms) {
		return ""
	}
	list := make([]string, 0, len(kw.terms)-kw.own)
	for _, t := range kw.terms[kw.own:] {
		list = append(list, t.Term+" "+phrase.Decimals(t.Weight, 2))
	}
	return "added by feedback, with weights: " + strings.Join(list, ", ")
}

// termList shows each term with the number of chunks that hold it; those that
// were not searched for are in brackets.
func termList(kw *keywordArm) string {
	if len(kw.terms) == 0 {
		return "none"
	}
	const most = 12
	list := make([]string, 0, most+1)
	for i := range kw.terms {
		if i == most {
			list = append(list, "and "+strconv.Itoa(len(kw.terms)-most)+" more")
			break
		}
		t := kw.terms[i].Term + " " + strconv.Itoa(kw.terms[i].DF)
		if !kw.terms[i].Used {
			t = "(" + t + ")"
		}
		list = append(list, t)
	}
	return strings.Join(list, ", ")
}
