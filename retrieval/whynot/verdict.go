package whynot

import (
	"cmp"

	"github.com/webrag/webrag-tui/retrieval"
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
func sayDropped(r *Report) phrase.Phrase {
	said := ""
	if r.NoTermMatch {
		said = phrase.NoTermMatch(r.Lexical)
	}
	return phrase.Words("{}{}{} {}").With(said, sayDrop(r), sayPath(r.Graph), saySuggestion(r))
}

func sayDrop(r *Report) phrase.Phrase {
	d := r.DroppedBy
	if d == nil {
		return phrase.Words(phrase.VerdictUnasked).With()
	}
	why := d.Worded()
	why.Stage, why.Arm, why.Floor = d.Stage, cmp.Or(d.Arm, param.StageVector), r.Floor.Worded(d.Threshold)
	if len(r.Suggestions) > 0 && r.cosineOf(&r.Suggestions[0]) != "" {
		why.Beside = []float64{r.Suggestions[0].Floor.Raw}
	}
	return why.Say(phrase.Verdict)
}

// blocking says of a setting why it does not follow an edge.
var blocking = map[string]phrase.Words{
	param.FieldBidirectional:     phrase.AgainstDirection,
	param.FieldRelations:         phrase.OtherRelations,
	param.FieldMinTraversalScore: phrase.TooLight,
}

// sayPath says why edges do not lead to it either, where they are followed.
func sayPath(g *GraphPath) phrase.Phrase {
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
		blocks := make([]phrase.Phrase, len(g.Settings))
		for i, field := range g.Settings {
			blocks[i] = cmp.Or(blocking[field], phrase.TooManyHops).With(param.Called(field))
		}
		return phrase.WayBlocked.With(phrase.Join(blocks, ", "))
	default:
		return nil
	}
}

func saySuggestion(r *Report) phrase.Phrase {
	if len(r.Suggestions) == 0 {
		return phrase.Words(phrase.NothingLetsItIn).With()
	}
	s := &r.Suggestions[0]
	what, how := phrase.It, phrase.Phrase{}
	if _, via := phrase.Via(string(s.Via)); via != "" {
		what, how = phrase.ItsSection, phrase.Words(", {}").With(via)
	}
	if s.Rows > 0 {
		how = append(how, phrase.RowsBrief.With(s.Rows)...)
	}
	changes := make([]phrase.Phrase, len(s.Changes))
	for i, c := range s.Changes {
		name := param.Called(c.Field)
		if len(s.Changes) == 1 {
			name = param.Beginning(c.Field)
		}
		changes[i] = phrase.ChangeTo.With(name, param.Given(c.Field, c.To), r.AsCosine(s, c.Change))
	}
	if len(changes) == 1 {
		return phrase.LetsIn.With(changes[0], what, s.Place(), how)
	}
	return phrase.LetIn.With(phrase.Join(changes, " and "), what, s.Place(), how)
}

// Words say on which side of the cut the value is, and by how much: "limit 60: 46 to
// spare", or beside a sign for that "limit 60, 46 to spare". setting is the similarity
// floor as it is set, which is another number than the cut where the scale is
// calibrated.
func (c Cut) Words(setting float64, beside bool) phrase.Phrase {
	by, name, divider := max(c.Distance(), -c.Distance()), phrase.CutName.With(c.Stage, c.Threshold), ":"
	if beside {
		divider = ","
	}
	if c.Stage == param.StageFloor && c.Threshold != setting {
		name = phrase.CutCalibrated.With(c.Stage, c.Threshold, setting)
	}
	limit := phrase.CutName.With(c.Stage, int(c.Threshold))
	switch isLimit := c.Stage == param.StageLimit; {
	case isLimit && c.Passes:
		return phrase.CutSpare.With(limit, divider, int(by))
	case isLimit:
		return phrase.CutTooFar.With(limit, divider, int(by))
	case c.Passes:
		return phrase.CutAbove.With(name, divider, by)
	case beside:
		return phrase.CutShortBy.With(name, by)
	default:
		return phrase.CutShort.With(name, by)
	}
}

// Words are the rank, of so many where that is known, else 0.
func (s *ArmPosition) Words(of int) phrase.Phrase {
	switch {
	case s.AtLeast:
		return phrase.RankAtLeast.With(s.Rank)
	case of > 0:
		return phrase.RankOf.With(s.Rank, of)
	default:
		return phrase.Rank.With(s.Rank)
	}
}

// Words are the steps of the way, or that there are none.
func (g *GraphPath) Words(brief bool) phrase.Phrase {
	switch {
	case g.Hops > 0 && len(g.Steps) > 0:
	case g.Within == 0:
		return phrase.Words(phrase.NoEdges).With()
	case brief:
		return phrase.NoEdgesBrief.With(phrase.Several(g.Within, "hop"))
	default:
		return phrase.NoEdgesWithin.With(phrase.Several(g.Within, "hop"))
	}
	var way phrase.Phrase
	for _, s := range g.Steps {
		before, after := phrase.Signed("─"), phrase.Signed("→")
		if s.Reversed {
			before, after = phrase.Signed("←"), before
		}
		way = append(way, phrase.EdgeStep.With(phrase.Titled(s.FromName), before, phrase.Named(string(s.Relation)), after, s.Weight)...)
	}
	way = append(way, phrase.Titled(g.Steps[len(g.Steps)-1].ToName))
	return phrase.EdgesLead.With(phrase.Several(g.Hops, "hop"), way)
}

// Place is the rank that the changes give, of how many there are then where that is
// known.
func (s *Suggestion) Place() phrase.Phrase {
	if s.Items < s.Rank {
		return phrase.Words("{}").With(s.Rank)
	}
	return phrase.Of.With(s.Rank, s.Items)
}

// How says through what the changes work, where that is not the text itself.
func (s *Suggestion) How() phrase.Phrase {
	var how []phrase.Phrase
	if via, _ := phrase.Via(string(s.Via)); via != "" {
		how = append(how, phrase.Words(via).With())
	}
	if s.Rows > 0 {
		how = append(how, phrase.Rows.With(phrase.Several(s.Rows, "row")))
	}
	return phrase.Join(how, "; ")
}

// Effects say what else the changes do.
func (s *Suggestion) Effects() phrase.Phrase {
	var effects []phrase.Phrase
	for _, k := range []struct {
		n     int
		words phrase.Words
	}{{len(s.Enters), phrase.MoreLetIn}, {len(s.Leaves), phrase.PushedOut}, {s.Moved, phrase.Moved}} {
		if k.n > 0 {
			effects = append(effects, k.words.With(k.n))
		}
	}
	if effects == nil {
		return phrase.Words(phrase.NothingElse).With()
	}
	return phrase.Join(effects, ", ")
}

// NamePlaces names the first of the items of a page with their ranks.
func NamePlaces(places []PagePlace) phrase.Phrase {
	const most = 8
	names := make([]phrase.Phrase, len(places))
	for i, p := range places {
		names[i] = phrase.Placed.With(p.Rank, phrase.Titled(p.Name))
	}
	return phrase.List(names, most)
}

// NameShifts names the first of the items that come or go, each with its page.
func NameShifts(shifts []retrieval.Shift, most int) phrase.Phrase {
	names := make([]phrase.Phrase, len(shifts))
	for i := range shifts {
		names[i] = phrase.Phrase{phrase.NamedOf(shifts[i].ChunkID, onPage(shifts[i].Title, shifts[i].Label()))}
	}
	return phrase.List(names, most)
}
