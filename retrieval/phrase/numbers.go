package phrase

import (
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

// Number writes a float as briefly as it can be read back.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Counted is a number of things: "1 text", "2 texts".
func Counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
