package wording

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
)

// Measures says how alike two rankings are. Of two lengths, it leaves out the
// rank-biased overlap: that of a list and its own beginning is 1, whatever else
// the list has. So it does where no rank differs, which the counts say already: 1.000
// sounds like a success, and a watched page may be missing from both.
func Measures(c *retrieval.Comparison) (overlap, rbo string) {
	if rbo = Score(c.RBO); c.LengthA != c.LengthB || rbo == Score(1) {
		rbo = ""
	}
	return Score(c.Overlap), rbo
}

// Overlap says how many of the first sections two rankings share: a measure and its value,
// which is empty where they share all. 1.000 would sound as if nothing had changed, also
// where a section has come in further down.
func Overlap(c *retrieval.Comparison) (measure, value string) {
	if c.Overlap == 1 {
		return fmt.Sprintf("the same first %d", min(c.Depth, max(c.LengthA, c.LengthB))), ""
	}
	return fmt.Sprintf("overlap@%d", c.Depth), Score(c.Overlap)
}

// Movement says where a section went: two places up, one down, new; empty for one
// that stayed.
func Movement(s *theme.Styles, shift *retrieval.Shift) (text string, style lipgloss.Style) {
	if shift == nil {
		return "", s.Faint
	}
	by := shift.RankDelta()
	switch {
	case shift.RankA == 0:
		return "new", s.Up
	case by > 0:
		return UpSign(s) + strconv.Itoa(by), s.Up
	case by < 0:
		return DownSign(s) + strconv.Itoa(-by), s.Down
	}
	return "", s.Faint
}

// UpSign and DownSign stand before a number of places. On a screen that is read
// aloud they are words: its other numbers have signs, too.
func UpSign(s *theme.Styles) string {
	if s.Spoken {
		return "up "
	}
	return s.Signs.Up
}

// DownSign is as [UpSign].
func DownSign(s *theme.Styles) string {
	if s.Spoken {
		return "down "
	}
	return s.Signs.Down
}

// ScoreDelta is what a score gained, with its sign; empty for less than the last
// digit shown.
func ScoreDelta(s *theme.Styles, d float64) string {
	if math.IsNaN(d) || math.Abs(d) < .0005 {
		return ""
	}
	sign := "+"
	if d < 0 {
		sign = s.Signs.Minus
	}
	return sign + Score(math.Abs(d))
}

// DiffCounts says how many sections entered, left and moved, at length and in
// short, without what did not happen.
func DiffCounts(s *theme.Styles, c *retrieval.Comparison) (long, short string) {
	moved := session.MovedRanks(c)
	if len(c.Entered)+len(c.Left)+moved == 0 {
		// What rounds to nothing is seen on no row.
		if !slices.ContainsFunc(c.Moved, func(shift retrieval.Shift) bool { return ScoreDelta(s, shift.ScoreDelta()) != "" }) {
			return "same ranks, scores within .001", "same ranks"
		}
		return "same ranks, other scores", "same ranks"
	}
	entered, left := tinted(s.Up, len(c.Entered)), tinted(s.Down, len(c.Left))
	var some []string
	for _, part := range []struct {
		n    int
		said string
	}{{len(c.Entered), "entered " + entered}, {len(c.Left), "left " + left}, {moved, "moved " + strconv.Itoa(moved)}} {
		if part.n > 0 {
			some = append(some, part.said)
		}
	}
	return fmt.Sprintf("entered %s  left %s  moved %d", entered, left, moved), strings.Join(some, " ")
}

// tinted is a number in its colour, unless it is nothing.
func tinted(style lipgloss.Style, n int) string {
	if n == 0 {
		return "0"
	}
	return style.Render(strconv.Itoa(n))
}
