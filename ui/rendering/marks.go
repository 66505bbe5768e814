package rendering

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Palette gives the marks of a theme to the painter.
func Palette(s *theme.Styles) spans.Palette {
	style := func(m theme.Mark) spans.Style {
		return spans.Style{Foreground: m.Foreground, Background: m.Background, Bold: m.Bold, Underline: m.Underline, Reverse: m.Reverse}
	}
	return spans.Palette{
		Styles: map[spans.Level]spans.Style{
			spans.MatchWeak: style(s.MatchWeak), spans.MatchMedium: style(s.MatchMedium), spans.MatchStrong: style(s.MatchStrong),
			spans.Selected: {Reverse: true},
			spans.Found:    style(s.Found), spans.Citation: style(s.Cited),
		},
		Twice: style(s.Twice), Focus: style(s.Focus), Gutter: style(s.Gutter),
	}
}

// MatchMarks are the matches of a section, in code points of its text, numbered by
// similarity, in three steps between low and high.
func MatchMarks(it *retrieval.Item, low, high float64) []spans.Span {
	marks := make([]spans.Span, 0, len(it.Matches))
	for i, m := range it.Matches {
		marks = append(marks, spans.Span{
			Start: m.CharStart - it.CharStart, End: m.CharEnd - it.CharStart,
			Level: spans.MatchWeak + spans.Level(wording.Level(m.Similarity, low, high)),
			Label: strconv.Itoa(i + 1),
		})
	}
	return marks
}
