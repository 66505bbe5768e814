package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
)

// Said writes a phrase: scores by score, counts abbreviated.
func Said(p phrase.Phrase, score func(float64) string) string { return Spoken(p, score, Count, nil) }

// Exactly writes a phrase with whole counts, whose thousands are divided, and with
// headings in quotes.
func Exactly(p phrase.Phrase, signs *theme.Signs) string { return Spoken(p, Score, Grouped, signs) }

// Spoken writes a phrase: scores and counts by functions, and with signs also where
// phrases point, and headings in quotes.
func Spoken(p phrase.Phrase, score func(float64) string, count func(int) string, signs *theme.Signs) string {
	return p.Words(func(part phrase.Part) string {
		switch {
		case part.Kind == phrase.Count:
			return count(int(part.Number))
		case part.Kind == phrase.Score:
			return score(part.Number)
		case part.Kind == phrase.Setting:
			return Line(part.Screen)
		case part.Kind == phrase.Title && signs != nil:
			return "“" + cmp.Or(Line(part.Text), "(no heading)") + "”"
		case part.Kind == phrase.Title:
			return cmp.Or(Line(part.Text), "(no heading)")
		case part.Kind == phrase.Sign && part.Text == "→":
			return signs.ArrowRight
		case part.Kind == phrase.Sign && part.Text == "←":
			return signs.ArrowLeft
		case part.Kind == phrase.Sign:
			return ""
		default:
			return Line(part.Text)
		}
	})
}

// Cause says what changes where a parameter moves the ranking, with [OnPages].
func Cause(p phrase.Phrase, t session.TitleSuffixes) string {
	return Spoken(OnPages(p, t), Score, strconv.Itoa, nil)
}

// OnPages is a phrase whose names call pages as lists do, without what the titles of many
// share.
func OnPages(p phrase.Phrase, t session.TitleSuffixes) phrase.Phrase {
	said := slices.Clone(p)
	for i := range said {
		if said[i].Kind == phrase.Name {
			page, section, _ := strings.Cut(said[i].Text, TrailSign)
			if said[i].Text = t.Strip(page); section != "" {
				said[i].Text += TrailSign + section
			}
		}
	}
	return said
}

// InParts is a phrase whose names say which part of its section each chunk is that is one.
func InParts(p phrase.Phrase, summary *session.CorpusSummary) phrase.Phrase {
	if summary == nil {
		return p
	}
	said := slices.Clone(p)
	for i := range said {
		if part := summary.Parts[said[i].ID]; said[i].ID != "" && part.Of > 1 {
			said[i].Text += fmt.Sprintf(" %d/%d", part.Part, part.Of)
		}
	}
	return said
}

// CutHeading stands above the candidates that one stage dropped. floor is the
// floor as [param.Floor.Said] says it, empty for that of the drop; arms is set where
// there were several searches, each with a limit of its own.
func CutHeading(d *retrieval.Drop, floor string, arms bool) string {
	if d == nil {
		return Said(phrase.Reason{}.Say(phrase.Label), Score)
	}
	why := OfArm(d, arms)
	if d.Reason == phrase.ReasonBelowFloor && floor != "" {
		why.Cut = "below floor " + floor
	}
	return Said(why.Say(phrase.Heading), Score)
}

// OfArm is what decided, with the search only where there were several.
func OfArm(d *retrieval.Drop, arms bool) phrase.Reason {
	why := d.Worded()
	if !arms {
		why.Arm = ""
	}
	return why
}

// FailedValue is the number that failed, on the scale of its threshold. arms is
// as in [CutHeading].
func FailedValue(d *retrieval.Drop, arms bool) string {
	failed := OfArm(d, arms).Say(phrase.Failed)
	value := Said(failed, Score)
	if failed[0].Kind == phrase.Score {
		return fmt.Sprintf("%5s", value)
	}
	return value
}
