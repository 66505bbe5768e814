package phrase

import (
	"slices"
	"strconv"
	"strings"
)

// Short writes a score with three decimals and without the zero before the
// point.
func Short(f float64) string { return Decimals(f, 3) }

// Decimals is Short with another number of decimals.
func Decimals(f float64, n int) string {
	s := strconv.FormatFloat(f, 'f', n, 64)
	if strings.Trim(s, "-0.") == "" {
		return "." + strings.Repeat("0", n)
	}
	if rest, ok := strings.CutPrefix(s, "-0"); ok {
		return "-" + rest
	}
	if rest, ok := strings.CutPrefix(s, "0"); ok {
		return rest
	}
	return s
}

// Apart is [Short] with as many decimals as tell it from other numbers, up to six.
func Apart(f float64, others ...float64) string {
	for n := 3; ; n++ {
		said := Decimals(f, n)
		if n == 6 || !slices.ContainsFunc(others, func(o float64) bool { return o != f && Decimals(o, n) == said }) {
			return said
		}
	}
}

// Number writes a float as briefly as it can be read back.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Counted is a number of things: "1 text", "2 texts".
func Counted(n int, word string) string { return Several(n, word).String() }
