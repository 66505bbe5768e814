package wording

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Score is a score: three decimals without the leading zero, five cells wide at most.
func Score(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "  –"
	}
	return phrase.Bare(Decimals(v, 3))
}

// Decimals is a number with so many decimals. One that rounds to nothing has no sign.
func Decimals(v float64, n int) string {
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// noLimit stands for the number that is none, which nobody should have to read.
const noLimit = "no limit"

// Count is a number of things, with thousands abbreviated: 214, 8.1k, 40k.
func Count(n int) string {
	switch {
	case n >= param.Unlimited:
		return noLimit
	case n < 1000:
		return strconv.Itoa(n)
	case n < 10_000 && n%1000 >= 50:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	case n < 1_000_000:
		return strconv.Itoa((n+500)/1000) + "k"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
	}
}

// Plural is a number with its noun: "1 page", "9 pages".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Tokens is a number of tokens. One that is estimated, because the corpus was
// counted with another model's vocabulary, says so.
func Tokens(n int, estimated bool) string {
	if !estimated {
		return Plural(n, "token")
	}
	return "≈" + Plural(n, "token")
}

// Estimate is the number of [Tokens] alone.
func Estimate(n int, estimated bool) string {
	if !estimated {
		return Count(n)
	}
	return "≈" + Count(n)
}

// Took is a duration in milliseconds, as short as it stays true.
func Took(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 9999.5:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case ms >= 99.5:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	default:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
}

// Level is which third of [low, high] a value lies in: 0, 1 or 2.
func Level(v, low, high float64) int {
	if high <= low {
		return 2
	}
	return max(0, min(2, int(3*(v-low)/(high-low))))
}

// ShellQuote makes one word of a command line.
func ShellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Grouped is a number with its thousands divided: a suggestion is exact.
func Grouped(n int) string {
	if n >= param.Unlimited {
		return noLimit
	}
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// Loading says how far the loading of a corpus is; a total of 0 is not known yet.
func Loading(done, total int) string {
	if total <= 0 {
		return "loading …"
	}
	return fmt.Sprintf("loading %d%%", 100*done/total)
}
