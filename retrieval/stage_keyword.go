package retrieval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

var keywordStage = StageSpec{
	Name: param.StageKeyword, Phase: PhaseFind, modes: inChunkMode,
	About:   "The passages that hold the query's words, by BM25.",
	on:      func(p *param.Params) bool { return p.KeywordWeight > 0 },
	apply:   applyKeyword,
	brief:   noBrief,
	notices: noticeKeyword,
}

// noticeKeyword tells of words that were not searched as usual.
func noticeKeyword(r *ranking) {
	kw := &r.ev.keyword
	so := phrase.SoOnlyVectors
	switch {
	case r.ev.directionless:
		so = "" // NoticeNoWords says it already
	case !r.ev.embedErr.isNone():
		so = phrase.SoNothing
	}
	switch {
	case !r.ev.embedErr.isNone() && (kw.missing != "" || !kw.err.isNone()):
		// That neither search could run was said.
	case kw.missing != "":
		var way phrase.Phrase
		if kw.possible {
			way = phrase.KeywordUnindexed.With(param.As(param.FieldKeywordUnindexed, "true"))
		}
		r.note(phrase.NoticeKeywordMissing, so, kw.missing, way)
	case !kw.err.isNone():
		r.note(phrase.NoticeKeywordFailed, so, kw.err)
	case len(kw.rows) == 0 && r.ev.directionless:
		// That there are no searchable words was said.
	case len(kw.rows) == 0 && len(kw.terms) == 0:
		r.note(phrase.NoticeNoQueryWords, so)
	case len(kw.rows) == 0:
		r.note(phrase.NoticeKeywordEmpty, param.As(param.FieldKeywordMatch, string(r.p.KeywordMatch)), so)
	}
	switch {
	case kw.unindexed && kw.sampled:
		r.note(phrase.NoticeUnindexedPart)
	case kw.unindexed:
		r.note(phrase.NoticeKeywordUnindexed)
	case kw.sampled:
		r.note(phrase.NoticeKeywordSampled, kw.matches)
	}
}

// applyKeyword takes the rows of the keyword arm, which Gather found.
func applyKeyword(r *ranking, s *Stage) {
	kw := &r.ev.keyword
	r.words = kw.rows
	if s == nil {
		return
	}
	s.Added = len(r.words)
	s.show(&r.p, param.FieldKeywordMatch, param.FieldTitleWeight, param.FieldHeadingWeight)
	if r.p.UsesFeedback() {
		s.show(&r.p, param.FieldFeedbackTerms, param.FieldFeedbackChunks, param.FieldFeedbackWeight)
	}
	switch {
	case kw.missing != "":
		s.Notes = []string{"missing: " + kw.missing}
	case !kw.err.isNone():
		s.Notes = []string{"failed: " + kw.err.said}
	default:
		s.Notes = []string{
			strconv.Itoa(r.ev.coverage.rows) + " rows asked, " + strconv.Itoa(len(kw.rows)) + " returned of " + strconv.Itoa(kw.matches) + " that match",
			"terms: " + termList(kw),
		}
		if note := feedbackList(kw); note != "" {
			s.Notes = append(s.Notes, note)
		}
	}
	if kw.run != "" {
		s.Notes = append(s.Notes, "searched "+kw.run)
	}
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

// termList shows each term with the number of chunks that hold it, those that were not
// searched for apart. The terms are quoted, as some of them are numbers, too.
func termList(kw *keywordArm) string {
	if len(kw.terms) == 0 {
		return "none"
	}
	const most = 12
	var used, not []string
	for i := range kw.terms[:min(most, len(kw.terms))] {
		t := &kw.terms[i]
		if said := strconv.Quote(t.Term) + " in " + strconv.Itoa(t.DF); t.Used {
			used = append(used, said)
		} else {
			not = append(not, said)
		}
	}
	list := strings.Join(used, ", ")
	if list != "" {
		list += " of " + phrase.Counted(kw.children, "passage")
	}
	if len(not) > 0 {
		list = strings.TrimPrefix(list+"; not searched for: "+strings.Join(not, ", "), "; ")
	}
	if more := len(kw.terms) - most; more > 0 {
		list += "; and " + strconv.Itoa(more) + " more"
	}
	return list
}

// explainWords is a BM25 score with a line for each word that it comes from.
func (r *ranking) explainWords(w *keywordRow, op Op) *Explanation {
	label := "BM25"
	if op == OpNote {
		label = "BM25, not in the score"
	}
	shares := r.ev.keyword.attribution(w)
	lines := make([]*Explanation, 0, len(shares))
	for i := range shares {
		if shares[i].TF.Sum() == 0 && op == OpNote {
			continue
		}
		lines = append(lines, r.node(Explanation{
			Op: OpLeaf, Value: shares[i].Share, Label: strconv.Quote(shares[i].Term),
			Formula: shares[i].counts(w.length.wide()) + fmt.Sprintf(", in %d of %d passages", shares[i].DF, r.ev.keyword.children),
			Scale:   scaleBM25,
		}))
	}
	return r.node(Explanation{Op: op, Value: w.score, Label: label, Scale: scaleBM25}, lines...)
}

// attribution is what each term adds to a row's score.
func (k *keywordArm) attribution(w *keywordRow) []WordShare {
	shares := make([]WordShare, len(k.terms))
	for i := range k.terms {
		var tf store.FieldCounts
		if i < len(w.counts) {
			tf = w.counts[i].wide()
		}
		shares[i] = WordShare{
			Term: k.terms[i].Term, TF: tf, DF: k.terms[i].DF, Weight: k.terms[i].Weight, Added: i >= k.own,
			Share: store.BM25F(k.terms[i], tf, w.length.wide(), k.children, k.meanLength, k.fields),
		}
	}
	return shares
}

// counts say in words where a term occurs in a chunk: "2× in 120 terms, 1× in the
// headings, weight 2".
func (s *WordShare) counts(length store.FieldCounts) string {
	text := fmt.Sprintf("%d× in %d terms", s.TF.Body, length.Body)
	if s.TF.Heading > 0 {
		text += fmt.Sprintf(", %d× in the headings", s.TF.Heading)
	}
	if s.TF.Title > 0 {
		text += fmt.Sprintf(", %d× in the title", s.TF.Title)
	}
	if s.Weight != 1 {
		text += ", weight " + phrase.Number(math.Round(s.Weight*100)/100)
	}
	if s.Added {
		text += ", added by feedback"
	}
	return text
}
