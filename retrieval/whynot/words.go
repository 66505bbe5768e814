package whynot

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

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

// NameShifts names the first of the items that come or go.
func NameShifts(shifts []retrieval.Shift, most int) phrase.Phrase {
	names := make([]phrase.Phrase, len(shifts))
	for i := range shifts {
		names[i] = phrase.Phrase{phrase.Named(shifts[i].Named())}
	}
	return phrase.List(names, most)
}
