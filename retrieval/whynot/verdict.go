package whynot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// sayPresent is the verdict on a text that is in the result.
func sayPresent(r *Report) string {
	switch {
	case r.Mode == param.ModeFullContext:
		return "It is in the result, since everything is: in full context nothing is searched and no stage cuts by similarity."
	case r.Via == ViaPassage:
		return fmt.Sprintf("Its section is in the result, as number %d with a score of %s, but another passage brought it%s.", r.Rank, phrase.Short(r.Score), sayShort(r.Vector, r.Floor))
	case r.Via == ViaEdges:
		return fmt.Sprintf("Its section is in the result, as number %d with a score of %s, since edges lead to it%s.", r.Rank, phrase.Short(r.Score), sayShort(r.Vector, r.Floor))
	case len(r.InResult) > 1:
		return fmt.Sprintf("%d of its sections and passages are in the result, the best as number %d with a score of %s.", len(r.InResult), r.Rank, phrase.Short(r.Score))
	}
	return fmt.Sprintf("It is in the result, as number %d with a score of %s.", r.Rank, phrase.Short(r.Score))
}

// sayShort is what keeps a passage itself out, empty where similarity does not.
func sayShort(s *ArmPosition, floor param.Floor) string {
	if s == nil {
		return ""
	}
	switch {
	case s.Found:
	case s.Reason == retrieval.ReasonNoQueryVector:
		return ": the query has no vector to compare it with"
	default:
		return ": it has no embedding itself"
	}
	for _, c := range s.Cuts {
		switch {
		case c.Passes:
		case c.Stage == param.StageFloor:
			return ": its own cosine of " + apart(c.Value, c.Threshold) + " is not above " + sayFloor(floor, c.Threshold)
		default:
			return fmt.Sprintf(": it is number %d of the vector arm itself, which returns %d", int(c.Value), int(c.Threshold))
		}
	}
	return ""
}

// sayAbsent is the verdict on a text that no parameter can bring.
func sayAbsent(r *Report) string {
	switch r.Absence {
	case store.AbsentUnknown:
		switch {
		case r.Target.Quote != "":
			return "No page of this corpus holds that quote."
		case r.Target.SourceURL != "":
			return "The corpus has no page with that address, or it belongs to somebody else."
		default:
			return "The corpus has no chunk with that id, or it belongs to somebody else."
		}
	case store.AbsentOwner:
		return "The chunk and its page belong to different owners, so nobody is shown it."
	case store.AbsentDeleted:
		return "Its page was deleted; docs restore brings it back."
	case store.AbsentStale:
		return "It is of an earlier ingestion of its page, which a newer one has replaced."
	case store.AbsentScope:
		return "It is outside of the pages that were asked for" + condition(r.Condition) + "."
	case store.AbsentFilter:
		return "A filter of the query leaves it out" + condition(r.Condition) + "."
	default:
		return "It cannot be found: " + string(r.Absence) + "."
	}
}

func condition(name string) string {
	if name == "" {
		return ""
	}
	return ": " + name
}

// sayDropped is the verdict on a text that a stage dropped, with the cheapest way
// to let it in.
func sayDropped(r *Report) string {
	return sayNoTermMatch(r) + sayDrop(r) + sayWay(r.Graph) + " " + sayWayIn(r)
}

// sayNoTermMatch says first of all that a query has nothing to do with the corpus.
func sayNoTermMatch(r *Report) string {
	switch {
	case !r.NoTermMatch:
		return ""
	case r.Lexical:
		return "None of the query's words occurs in the corpus: what is near it is so by chance. "
	default:
		return "None of the query's words occurs in the corpus. "
	}
}

// sayFloor names a floor by the cosine that it cuts at, with the setting in
// brackets where that is on another scale.
func sayFloor(f param.Floor, cosine float64) string {
	if f.Scale == param.FloorCalibrated {
		return "the floor's " + phrase.Short(cosine) + " (set as " + phrase.Short(f.Setting) + " on this corpus's scale)"
	}
	return "the floor of " + phrase.Short(cosine)
}

// apart is [phrase.Short] with as many decimals as tell it from other numbers, up to six.
func apart(f float64, others ...float64) string {
	for n := 3; ; n++ {
		said := phrase.Decimals(f, n)
		if n == 6 || !slices.ContainsFunc(others, func(o float64) bool { return o != f && phrase.Decimals(o, n) == said }) {
			return said
		}
	}
}

func sayDrop(r *Report) string {
	d := r.DroppedBy
	if d == nil {
		return "It was never a candidate."
	}
	value, threshold := strconv.Itoa(int(d.Value)), strconv.Itoa(int(d.Threshold))
	switch d.Reason {
	case retrieval.ReasonBelowFloor:
		others := []float64{d.Threshold}
		if len(r.Suggestions) > 0 && r.CosineOf(&r.Suggestions[0]) != "" {
			others = append(others, r.Suggestions[0].Floor.Raw)
		}
		return "Its cosine of " + apart(d.Value, others...) + " is not above " + sayFloor(r.Floor, d.Threshold) + "."
	case retrieval.ReasonBeyondLimit:
		return fmt.Sprintf("It is number %s of the %s arm, which returns %s.", value, cmp.Or(d.Arm, param.StageVector), threshold)
	case retrieval.ReasonNoParent:
		return "It belongs to no section, and sections are returned."
	case retrieval.ReasonOverBudget:
		return fmt.Sprintf("With it the result would have %s tokens, %s are allowed.", value, threshold)
	case retrieval.ReasonAfterBudgetStop:
		return "A better section did not fit the budget, and nothing is taken after that."
	case retrieval.ReasonBeyondTopK:
		return fmt.Sprintf("It is number %s of the results, and the first %s are returned.", value, threshold)
	case retrieval.ReasonPoolFull:
		return fmt.Sprintf("It is number %s, and the %s places kept for its kind go to better ones.", value, threshold)
	case retrieval.ReasonDuplicate:
		return fmt.Sprintf("It repeats a better result: its words are alike to %s, and more than %s is too much.", phrase.Short(d.Value), phrase.Short(d.Threshold))
	case retrieval.ReasonBelowMinScore, retrieval.ReasonRerankedOut:
		return fmt.Sprintf("Its score of %s is below the least score of %s.", phrase.Short(d.Value), phrase.Short(d.Threshold))
	case retrieval.ReasonNoEmbedding:
		return "It has no embedding, so similarity cannot find it."
	case retrieval.ReasonNoQueryVector:
		return "The query has no vector to compare it with, so similarity cannot find it."
	case retrieval.ReasonKeywordNoMatch:
		return "It does not hold the words of the query."
	case retrieval.ReasonANNMissed:
		return fmt.Sprintf("It is the exact number %s of %s, but the index did not return it.", value, threshold)
	default:
		return fmt.Sprintf("The stage %s drops it: %s.", d.Stage, d.Reason)
	}
}

// sayWay says why edges do not lead to it either, where they are followed.
func sayWay(g *GraphPath) string {
	switch {
	case g == nil || !g.Used:
		return ""
	case g.Hops == 0:
		return " No edges lead to it" + within(g) + "."
	case g.Reason == retrieval.ReasonUnreached:
		return fmt.Sprintf(" The nearest seed is %s away, further than edges are followed.", hops(g.Hops))
	case g.Reason == retrieval.ReasonEdgeFiltered:
		return " Edges lead to it, but not as they are followed: " + strings.Join(settingsWords(g.Settings), ", ") + "."
	default:
		return ""
	}
}

// within says how far was looked.
func within(g *GraphPath) string {
	if g.Within == 0 {
		return ""
	}
	return " within " + hops(g.Within) + ", and more was not read"
}

// settingsWords say of each parameter why it does not go a way.
func settingsWords(fields []string) []string {
	words := make([]string, len(fields))
	for i, field := range fields {
		switch field {
		case param.FieldBidirectional:
			words[i] = "some against their direction"
		case param.FieldRelations:
			words[i] = "some of a relation that is left out"
		case param.FieldMinTraversalScore:
			words[i] = "some too light"
		default:
			words[i] = "too many hops"
		}
		words[i] += " (" + field + ")"
	}
	return words
}

func hops(n int) string {
	if n == 1 {
		return "1 hop"
	}
	return strconv.Itoa(n) + " hops"
}

func sayWayIn(r *Report) string {
	if len(r.Suggestions) == 0 {
		return "None of the changes of one or two parameters that were tried lets it in."
	}
	s := &r.Suggestions[0]
	what := "it"
	if s.Via != ViaItself {
		what = "its section"
	}
	place := strconv.Itoa(s.Rank)
	if s.Items >= s.Rank {
		place += " of " + strconv.Itoa(s.Items)
	}
	if len(s.Changes) == 1 {
		return fmt.Sprintf("%s lets %s in as number %s%s.", capital(saySetting(r, s, 0)), what, place, sayHow(s))
	}
	return fmt.Sprintf("No change alone lets it in; %s and %s let %s in as number %s%s.", saySetting(r, s, 0), saySetting(r, s, 1), what, place, sayHow(s))
}

// saySetting is what a change sets: "similarity floor .21 (cosine .114)".
func saySetting(r *Report, s *Suggestion, i int) string {
	c := &s.Changes[i]
	to := c.To
	if strings.HasPrefix(to, "0.") {
		to = to[1:]
	}
	said := strings.ReplaceAll(c.Field, "_", " ") + " " + to
	if cosine := r.CosineOf(s); cosine != "" && c.MovesFloor() {
		said += " (cosine " + cosine + ")"
	}
	return said
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// sayHow says what a change works through, where that is not itself.
func sayHow(s *Suggestion) string {
	how := ""
	switch s.Via {
	case ViaPassage:
		how = ", through another passage"
	case ViaEdges:
		how = ", along edges"
	}
	if s.Rows > 0 {
		how += fmt.Sprintf(": each arm then returns %d rows", s.Rows)
	}
	return how
}
