package sweep

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Note says in one line how the winner was chosen, on what, and what it is worth: what a
// profile keeps of it. set and from are the names of the query set and of what the
// base is called.
//
//	chosen by a sweep of top_k (20 settings, grid, seed 1) on the query set docs (60 queries):
//	nDCG@10 .640, and .612 on queries that did not choose it, against .571 of blend: better on both halves …
func (f *Finding) Note(set, from string) string {
	fields := make([]string, len(f.Plan.Axes))
	for i, a := range f.Plan.Axes {
		fields[i] = a.Field
	}
	within := phrase.Phrase{}
	if len(f.Plan.Constraints) > 0 {
		within = phrase.SweptWithin.With(f.Limits())
	}
	return phrase.SweptWinner.With(strings.Join(fields, ", "), phrase.Several(len(f.Settings), "setting"), string(f.Plan.Search), f.Plan.Seed,
		set, countQueries(len(f.IDs)), within, f.Plan.Measure.String(), f.OnAll.Mean, f.Held.Mean, f.OnAll.Base, from, f.VerdictWords()).String()
}

// NoteOf is what [Finding.Note] is for a setting that somebody took who saw the curve or the
// frontier: nothing was held back to say what it is worth.
func (f *Finding) NoteOf(setting int, set, from string) string {
	fields := make([]string, len(f.Plan.Axes))
	for i, a := range f.Plan.Axes {
		fields[i] = a.Field
	}
	own, was := f.Means(setting), f.Means(base)
	return phrase.SweptByHand.With(strings.Join(fields, ", "), phrase.Several(len(f.Settings), "setting"), string(f.Plan.Search), f.Plan.Seed,
		set, countQueries(len(f.IDs)), f.Plan.Measure.String(), own.Score, phrase.Decimals(own.Tokens, 0), was.Score, from, phrase.Decimals(was.Tokens, 0)).String()
}

// Limits are the constraints, as text.
func (f *Finding) Limits() string {
	list := make([]string, len(f.Plan.Constraints))
	for i, c := range f.Plan.Constraints {
		list[i] = c.String()
	}
	return strings.Join(list, ", ")
}

// Timing says of what times are, empty where nothing was timed.
func (f *Finding) Timing() string {
	if !f.timed {
		return ""
	}
	return "times are medians of gathering and ranking a query, measured on this machine in this run"
}

// SettingWords are the values of a setting: "top_k=12, rrf_k=30".
func (f *Finding) SettingWords(setting int) string { return f.Words(setting, "", ", ") }

// Words are the values of a setting, with something before and between them.
func (f *Finding) Words(setting int, before, between string) string {
	words := make([]string, len(f.Plan.Axes))
	for i, a := range f.Plan.Axes {
		words[i] = before + a.Field + "=" + f.Settings[setting].Values[i]
	}
	return strings.Join(words, between)
}

// Sparse warns where so little of what the base returns is judged that there is no verdict;
// from is what the base is called.
func (f *Finding) Sparse(from string) (n retrieval.Notice, ok bool) {
	base := f.Means(base)
	if f.Verdict != evaluation.VerdictUnjudged || base.Judged >= evaluation.LeastJudged {
		return n, false
	}
	return retrieval.Worded(phrase.NoticeSparse, phrase.Decimals(evaluation.LeastJudged, 1),
		fmt.Sprintf("%s %s of %s", f.Plan.Measure.Judged(), phrase.Decimals(base.Judged, 2), from)), true
}

// VerdictWords are the verdict in words.
func (f *Finding) VerdictWords() string {
	words := map[evaluation.Verdict]phrase.Words{
		evaluation.VerdictFew: phrase.VerdictOfFew, evaluation.VerdictUnjudged: phrase.VerdictOfUnjudged, evaluation.VerdictNone: phrase.VerdictNotHeld,
		evaluation.VerdictBetter: phrase.VerdictHolds, evaluation.VerdictWorse: phrase.VerdictFalls,
	}[f.Verdict]
	if f.Verdict == evaluation.VerdictNone && f.Halves[0].Held.direction()+f.Halves[1].Held.direction() > 0 {
		words = phrase.VerdictOneHalf
	}
	return string(words)
}
