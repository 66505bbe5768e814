package ui

import (
	"cmp"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
)

// said writes a phrase: scores by score, counts abbreviated.
func said(p phrase.Phrase, score func(float64) string) string { return spoken(p, score, count, nil) }

// exactly writes a phrase with whole counts, whose thousands are divided, and with
// headings in quotes.
func exactly(p phrase.Phrase, signs *theme.Signs) string { return spoken(p, listScore, grouped, signs) }

func spoken(p phrase.Phrase, score func(float64) string, count func(int) string, signs *theme.Signs) string {
	return p.Words(func(part phrase.Part) string {
		switch {
		case part.Kind == phrase.Count:
			return count(int(part.Number))
		case part.Kind == phrase.Score:
			return score(part.Number)
		case part.Kind == phrase.Title && signs != nil:
			return "“" + cmp.Or(oneLine(part.Text), "(no heading)") + "”"
		case part.Kind == phrase.Title:
			return cmp.Or(oneLine(part.Text), "(no heading)")
		case part.Kind == phrase.Sign && part.Text == "→":
			return signs.ArrowRight
		case part.Kind == phrase.Sign && part.Text == "←":
			return signs.ArrowLeft
		case part.Kind == phrase.Sign:
			return ""
		default:
			return oneLine(part.Text)
		}
	})
}

// cutHeading stands above the candidates that one stage dropped. floor is the
// similarity floor in words, empty for that of the drop; arms is set where
// several arms searched, each with a limit of its own.
func cutHeading(d *retrieval.Drop, floor string, arms bool) string {
	if d == nil {
		return said(phrase.Reason{}.Say(phrase.Label), listScore)
	}
	why := ofArm(d, arms)
	if d.Reason == phrase.ReasonBelowFloor && floor != "" {
		why.Cut = "floor " + floor
	}
	return said(why.Say(phrase.Heading), listScore)
}

// ofArm is what decided, with the arm only where several searched.
func ofArm(d *retrieval.Drop, arms bool) phrase.Reason {
	why := d.Worded()
	if !arms {
		why.Arm = ""
	}
	return why
}

// belowValue is the number that failed, on the scale of its threshold. arms is
// as in [cutHeading].
func belowValue(d *retrieval.Drop, arms bool) string {
	failed := ofArm(d, arms).Say(phrase.Failed)
	value := said(failed, listScore)
	if failed[0].Kind == phrase.Score {
		return fmt.Sprintf("%5s", value)
	}
	return value
}

// whyLines says why a candidate is not in the result that was cut by a floor.
func whyLines(s *theme.Styles, it *retrieval.Item, floor param.Floor, room int) []string {
	words := said(it.Why.Worded().Say(phrase.Sentence), fullScore)
	if it.Why.Reason == phrase.ReasonBelowFloor {
		words += said(floor.Worded(it.Why.Threshold).Set(), listScore)
	}
	lines := styled(s.Warning.Render, wrapped(phrase.NotInResult, room))
	return append(lines, wrapped(words, room)...)
}
