package spans

import (
	"slices"
	"strings"
	"unicode"
)

// transfer carries the places of the tagged rendering over to the shown one.
// Tags are invisible, so both have the same rows unless the renderer read a tag
// as text. Then rows that agree are mapped exactly, the others as a whole, and
// approximate is true.
func transfer(shown []row, m *inkedRows) (places [][]place, approximate bool) {
	a, b := texts(shown), texts(m.rows)
	places = make([][]place, len(shown))
	i, j := 0, 0
	for i < len(a) {
		if j < len(b) && a[i] == b[j] {
			places[i] = fit(m.places[j], len(shown[i].glyphs))
			i, j = i+1, j+1
			continue
		}
		nextA, nextB := rejoin(a, b, i, j)
		whole := hull(m.places[j:nextB])
		if whole.start < whole.end || hasText(a[i:nextA]) {
			approximate = true
		}
		for ; i < nextA; i++ {
			places[i] = cover(shown[i], whole)
		}
		j = nextB
	}
	return places, approximate
}

// hasText reports that lines are more than decoration. Padding in the theme's
// colours can make the bar of a quote one line longer.
func hasText(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		return strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

func texts(rows []row) []string {
	t := make([]string, len(rows))
	for i := range rows {
		t[i] = strings.TrimRightFunc(rows[i].text, unicode.IsSpace)
	}
	return t
}

// fit makes n places of those of a row with the same text up to blanks at its
// end.
func fit(places []place, n int) []place {
	fitted := make([]place, n)
	copy(fitted, places)
	return fitted
}

// rejoin returns where two lists of lines meet again after i and j: the nearest
// pair of equal lines that are not empty, or both ends.
func rejoin(a, b []string, i, j int) (nextA, nextB int) {
	for distance := 1; distance < len(a)-i+len(b)-j; distance++ {
		for skipA := 0; skipA <= distance; skipA++ {
			x, y := i+skipA, j+distance-skipA
			if x < len(a) && y < len(b) && a[x] == b[y] && a[x] != "" {
				return x, y
			}
		}
	}
	return len(a), len(b)
}

// hull is the source range of whole rows.
func hull(rows [][]place) place {
	whole := place{container: -1}
	for _, r := range rows {
		for _, p := range r {
			switch {
			case p.start == p.end:
			case whole.start == whole.end:
				whole.start, whole.end = p.start, p.end
			default:
				whole.start, whole.end = min(whole.start, p.start), max(whole.end, p.end)
			}
		}
	}
	return whole
}

func cover(r row, whole place) []place {
	places := make([]place, len(r.glyphs))
	for i, g := range r.glyphs {
		if !g.blank {
			places[i] = whole
		}
	}
	return places
}
