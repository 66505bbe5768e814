package phrase_test

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

func TestReasonsInWords(t *testing.T) {
	short := func(code string, arm string) phrase.Reason {
		return phrase.Reason{Code: code, Value: .2, Threshold: .3, Arm: arm}
	}
	ranks := func(code string, arm string) phrase.Reason {
		return phrase.Reason{Code: code, Value: 61, Threshold: 60, Arm: arm}
	}
	floor := short(phrase.ReasonBelowFloor, "vector")
	floor.Floor = phrase.Floor{Cosine: .3, Setting: .5, Calibrated: true}
	for _, c := range []struct {
		why                                            phrase.Reason
		verdict, sentence, clause, label, failed, note string
		brief                                          string
	}{
		{
			floor, "Its cosine of .200 is not above the floor's .300 (set as .500 on this corpus's scale).",
			"Below the floor: a cosine of .200, short of .300 by .100.", ".200 is not above the floor of .300", "below floor .300", ".200", ".100 short",
			".200 floor .300",
		},
		{
			ranks(phrase.ReasonBeyondLimit, "keyword"), "It is number 61 of the keyword search, which returns 60.",
			"Beyond the limit of the keyword search: rank 61, and 60 are taken.", "number 61 of the keyword search, which returns 60", "limit 60", "keyword rank 61", "limit 60 of the keyword search",
			"keyword rank 61, limit 60",
		},
		{
			ranks(phrase.ReasonBeyondLimit, ""), "It is number 61 of the  search, which returns 60.",
			"Beyond the limit: rank 61, and 60 are taken.", "number 61 of a search that returns 60", "limit 60", "rank 61", "limit 60",
			"rank 61, limit 60",
		},
		{
			short(phrase.ReasonNoParent, ""), "It belongs to no section, and sections are returned.",
			"Without a section: the passage belongs to none that is there.", "belongs to no section", "without a section", ".200", "without a section",
			"without a section",
		},
		{
			phrase.Reason{Code: phrase.ReasonOverBudget, Value: 47000, Threshold: 40000},
			"With it the result would have 47000 tokens, 40000 are allowed.",
			"Over the budget: with it there would be 47000 tokens, and the budget is 40000.", "47000 tokens with it, the budget is 40000", "over the budget of 40000 tokens", "→ 47000", "7000 tokens over",
			"→ 47000 budget 40000",
		},
		{
			phrase.Reason{Code: phrase.ReasonAfterBudgetStop, Value: 36000, Threshold: 40000},
			"A better section did not fit the budget, and nothing is taken after that.",
			"After the budget's stop: a section ranked before it did not fit, and nothing is taken after that.", "after the first section that did not fit the budget", "after the budget's stop", "→ 36000", "after the budget's stop",
			"after the budget's stop",
		},
		{
			phrase.Reason{Code: phrase.ReasonBeyondTopK, Value: 6, Threshold: 5, Setting: phrase.Part{Kind: phrase.Setting, Text: "top_k", Screen: "top k"}},
			"It is number 6 of the results, and the first 5 are returned.",
			"Beyond the results asked for: number 6, and the first 5 are returned.", "number 6 of the results, top_k is 5", "top_k 5", "rank 6", "top_k 5",
			"rank 6, top_k 5",
		},
		{
			phrase.Reason{Code: phrase.ReasonPoolFull, Value: 9, Threshold: 8},
			"It is number 9, and the 8 results kept for its kind are better ones.",
			"Number 9, and the results kept for its kind (8) are better ones.", "number 9, the 8 results of its kind are better ones", "beyond the 8 kept for its kind", "rank 9", "beyond the 8 kept for its kind",
			"rank 9 beyond the 8 kept for its kind",
		},
		{
			phrase.Reason{Code: phrase.ReasonDuplicate, Value: .97, Threshold: .95},
			"It repeats a better result: its words are alike to .970, and more than .950 is too much.",
			"It repeats a better result: its words are alike to .970, and more than .950 is too much.", "repeats a better one: similarity of words .970, above .950", "near-duplicates, above .950", ".970", "near-duplicates, above .950",
			".970 near-duplicates, above .950",
		},
		{
			short(phrase.ReasonBelowMinScore, ""), "Its score of .200 is below the min score of .300.",
			"Below the min score: .200, short of .300 by .100.", ".200 is less than the min score of .300", "below min score .300", ".200", ".100 short",
			".200 below min score .300",
		},
		{
			short(phrase.ReasonRerankedOut, ""), "Its score of .200 is below the rerank min score of .300.",
			"Below the rerank min score: .200, short of .300 by .100.", ".200 is less than the rerank min score of .300", "below rerank min score .300", ".200", ".100 short",
			".200 below rerank min score .300",
		},
		{
			phrase.Reason{Code: phrase.ReasonANNMissed, Value: 2, Threshold: 60},
			"It is the exact number 2 of 60, but the index did not return it.",
			"Missed by the index: its cosine of 2.000 is high enough, and an exact search finds it.", "the index did not return it", "missed by the index", "2.000", "missed by the index",
			"2.000 missed by the index",
		},
		{
			phrase.Reason{Code: phrase.ReasonUnreached},
			"No edge within the hops leads to it.",
			"No edge within the hops leads to it.", "no edge within the hops leads to it", "not reached by edges", ".000", "not reached by edges",
			"not reached by edges",
		},
		{
			phrase.Reason{Code: phrase.ReasonEdgeFiltered},
			"A setting leaves out the edges that lead to it.",
			"A setting leaves out the edges that lead to it.", "a setting leaves out the edges that lead to it", "its edges are left out", ".000", "its edges are left out",
			"its edges are left out",
		},
		{
			phrase.Reason{Code: phrase.ReasonNoEmbedding},
			"It has no embedding, so similarity cannot find it.",
			"It has no embedding, so similarity cannot find it.", "has no embedding", "no embedding", ".000", "no embedding",
			"no embedding",
		},
		{
			phrase.Reason{Code: phrase.ReasonNoQueryVector},
			"The query has no vector to compare it with, so similarity cannot find it.",
			"The query has no vector to compare it with, so similarity cannot find it.", "the query has no vector to compare it with", "no query vector", ".000", "no query vector",
			"no query vector",
		},
		{
			phrase.Reason{Code: phrase.ReasonKeywordNoMatch},
			"It does not hold the words of the query.",
			"It does not hold the words of the query.", "has none of the query's words", "none of the query's words", ".000", "none of the query's words",
			"none of the query's words",
		},
		{
			phrase.Reason{Code: "of_a_later_version"},
			"The stage graph drops it: of_a_later_version.",
			"Of a later version: .000 against .000.", "of a later version", "of a later version", ".000", "of a later version",
			".000 of a later version",
		},
		{
			phrase.Reason{}, "The stage graph drops it: .", "Not returned: .000 against .000.", "", "not returned", ".000", "not returned", "not returned",
		},
	} {
		c.why.Stage = "graph"
		for _, said := range []struct {
			form      string
			got, want string
		}{
			{"verdict", c.why.Say(phrase.Verdict).String(), c.verdict},
			{"sentence", c.why.Say(phrase.Sentence).String(), c.sentence},
			{"clause", c.why.Say(phrase.Clause).String(), c.clause},
			{"label", c.why.Say(phrase.Label).String(), c.label},
			{"failed", c.why.Say(phrase.Failed).String(), c.failed},
			{"note", c.why.Say(phrase.Note).String(), c.note},
			{"brief", c.why.Say(phrase.Brief).String(), c.brief},
		} {
			if said.got != said.want {
				t.Errorf("%s of %s: %q, want %q", said.form, c.why.Code, said.got, said.want)
			}
		}
	}
}

func TestWhatKeepsAPassageOut(t *testing.T) {
	for code, want := range map[string][2]string{
		phrase.ReasonBelowFloor:     {"not found", ": its own cosine of .3001 is not above the floor of .300"},
		phrase.ReasonBeyondLimit:    {"not found", ": it is number 0 of the vector search itself, which returns 0"},
		phrase.ReasonNoEmbedding:    {"has no embedding", ": it has no embedding itself"},
		phrase.ReasonNoQueryVector:  {"the query has no vector to compare it with", ": the query has no vector to compare it with"},
		phrase.ReasonKeywordNoMatch: {"has none of the query's words", ""},
	} {
		why := phrase.Reason{Code: code, Value: .3001, Threshold: .3, Arm: "vector", Floor: phrase.Floor{Cosine: .3}}
		if got := why.Say(phrase.Absent).String(); got != want[0] {
			t.Errorf("%s: %q, want %q", code, got, want[0])
		}
		if got := why.Say(phrase.Itself).String(); got != want[1] {
			t.Errorf("%s: %q, want %q", code, got, want[1])
		}
	}
}

// A verdict tells the cosine from the one that would pass.
func TestAVerdictTellsNearCosinesApart(t *testing.T) {
	why := phrase.Reason{Code: phrase.ReasonBelowFloor, Value: .11415, Threshold: .15, Floor: phrase.Floor{Cosine: .15}, Beside: []float64{.114}}
	if got := why.Say(phrase.Verdict).String(); got != "Its cosine of .1142 is not above the floor of .150." {
		t.Error(got)
	}
	if got := phrase.Apart(.1, .1, .1); got != ".100" {
		t.Errorf("the same number: %s", got)
	}
}

func TestAFloorInWords(t *testing.T) {
	cosine := phrase.Floor{Cosine: .3}
	scaled := phrase.Floor{Cosine: .237, Setting: .3, Calibrated: true}
	for got, want := range map[string]string{
		cosine.Number().String(): ".300",
		scaled.Number().String(): ".237 (set as .300 on this corpus's scale)",
		scaled.Set().String():    " That floor is set as .300, on this corpus's own scale.",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if cosine.Set() != nil {
		t.Error(cosine.Set())
	}
}

// What others wrote, headings and numbers come as parts, so that nobody looks for
// them in a text.
func TestPartsAreWrittenByWhoShowsThem(t *testing.T) {
	way := phrase.EdgeStep.With(phrase.Titled("Top"), phrase.Signed("─"), phrase.Named("links\x1b"), phrase.Signed("→"), .5)
	got := way.Words(func(p phrase.Part) string {
		switch p.Kind {
		case phrase.Title:
			return "<" + p.Text + ">"
		case phrase.Name:
			return strings.ReplaceAll(p.Text, "\x1b", "␛")
		case phrase.Sign:
			return ">"
		case phrase.Score:
			return "half"
		default:
			return "?"
		}
	})
	if got != "<Top> >links␛> half " {
		t.Errorf("%q", got)
	}
	why := phrase.Reason{Code: phrase.ReasonBeyondLimit, Value: 61, Threshold: 60, Arm: "vector"}
	kinds := map[phrase.Kind]int{}
	for _, p := range why.Say(phrase.Clause) {
		kinds[p.Kind]++
	}
	if kinds[phrase.Count] != 2 || kinds[phrase.Name] != 1 {
		t.Errorf("%v", kinds)
	}
}
