package whynot

import (
	"cmp"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// sayPresent is the verdict on a text that is in the result.
func sayPresent(r *Report) phrase.Phrase {
	switch {
	case r.Mode == param.ModeFullContext:
		return phrase.Words(phrase.VerdictWhole).With()
	case r.Via == ViaPassage:
		return phrase.VerdictPassage.With(r.Rank, r.Score, r.short())
	case r.Via == ViaEdges:
		return phrase.VerdictEdges.With(r.Rank, r.Score, r.short())
	case len(r.InResult) > 1:
		return phrase.VerdictParts.With(len(r.InResult), r.Rank, r.Score)
	default:
		return phrase.VerdictPresent.With(r.Rank, r.Score)
	}
}

// short is what keeps a passage itself out, nothing where similarity does not.
func (r *Report) short() phrase.Phrase {
	s := r.Vector
	if s == nil {
		return nil
	}
	if !s.Found {
		return phrase.Reason{Code: s.Reason}.Say(phrase.Itself)
	}
	for _, c := range s.Cuts {
		if !c.Passes {
			return c.reason(r.Floor).Say(phrase.Itself)
		}
	}
	return nil
}

// reason is why the cut is not passed.
func (c Cut) reason(f param.Floor) phrase.Reason {
	code := phrase.ReasonBeyondLimit
	if c.Stage == param.StageFloor {
		code = phrase.ReasonBelowFloor
	}
	return phrase.Reason{Code: code, Value: c.Value, Threshold: c.Threshold, Arm: param.StageVector, Floor: f.Worded(c.Threshold)}
}

// sayAbsent is the verdict on a text that no parameter can bring.
func sayAbsent(r *Report) string {
	switch {
	case r.Absence != store.AbsentUnknown:
		return phrase.VerdictAbsent(r.Absence, r.Condition).String()
	case r.Target.Quote != "":
		return phrase.UnknownQuote
	case r.Target.SourceURL != "":
		return phrase.UnknownPage
	default:
		return phrase.UnknownChunk
	}
}

// sayDropped is the verdict on a text that a stage dropped, with the cheapest way
// to let it in. First of all it says that a query has nothing to do with the corpus.
func sayDropped(r *Report) string {
	said := ""
	if r.NoTermMatch {
		said = phrase.NoTermMatch(r.Lexical)
	}
	return said + sayDrop(r) + sayWay(r.Graph).String() + " " + sayWayIn(r)
}

func sayDrop(r *Report) string {
	d := r.DroppedBy
	if d == nil {
		return phrase.VerdictUnasked
	}
	why := d.Worded()
	why.Stage, why.Arm, why.Floor = d.Stage, cmp.Or(d.Arm, param.StageVector), r.Floor.Worded(d.Threshold)
	if len(r.Suggestions) > 0 && r.cosineOf(&r.Suggestions[0]) != "" {
		why.Beside = []float64{r.Suggestions[0].Floor.Raw}
	}
	return why.Say(phrase.Verdict).String()
}

// blocking says of a setting why it does not follow an edge.
var blocking = map[string]phrase.Words{
	param.FieldBidirectional:     phrase.AgainstDirection,
	param.FieldRelations:         phrase.OtherRelations,
	param.FieldMinTraversalScore: phrase.TooLight,
}

// sayWay says why edges do not lead to it either, where they are followed.
func sayWay(g *GraphPath) phrase.Phrase {
	switch {
	case g == nil || !g.Used:
		return nil
	case g.Hops == 0 && g.Within == 0:
		return phrase.Words(phrase.NoWay).With()
	case g.Hops == 0:
		return phrase.NoWayWithin.With(phrase.Several(g.Within, "hop"))
	case g.Reason == phrase.ReasonUnreached:
		return phrase.WayTooFar.With(phrase.Several(g.Hops, "hop"))
	case g.Reason == phrase.ReasonEdgeFiltered:
		blocks := make([]string, len(g.Settings))
		for i, field := range g.Settings {
			blocks[i] = cmp.Or(blocking[field], phrase.TooManyHops).With(field).String()
		}
		return phrase.WayBlocked.With(strings.Join(blocks, ", "))
	default:
		return nil
	}
}

func sayWayIn(r *Report) string {
	if len(r.Suggestions) == 0 {
		return phrase.NothingLetsItIn
	}
	s := &r.Suggestions[0]
	what, how := "it", phrase.Phrase{}
	if _, via := phrase.Via(string(s.Via)); via != "" {
		what, how = "its section", phrase.Words(", {}").With(via)
	}
	if s.Rows > 0 {
		how = append(how, phrase.RowsBrief.With(s.Rows)...)
	}
	changes := make([]string, len(s.Changes))
	for i, c := range s.Changes {
		// What is set, as in "similarity floor .21 (cosine .114)".
		to := c.To
		if strings.HasPrefix(to, "0.") {
			to = to[1:]
		}
		changes[i] = strings.ReplaceAll(c.Field, "_", " ") + " " + to + r.AsCosine(s, c.Change)
	}
	if len(changes) == 1 {
		return phrase.LetsIn.With(phrase.Capital(changes[0]), what, s.Place(), how).String()
	}
	return phrase.LetIn.With(strings.Join(changes, " and "), what, s.Place(), how).String()
}
