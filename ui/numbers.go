package ui

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// listScore is a score as lists show it: three decimals without the leading
// zero, five cells wide at most.
func listScore(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "  –"
	}
	return phrase.Bare(fullScore(v))
}

// fullScore is a score where it is taken apart.
func fullScore(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// count is a number of things, with thousands abbreviated: 214, 8.1k, 40k.
func count(n int) string {
	switch {
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

// plural is a number with its noun: "1 page", "9 pages".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// tokens is a number of tokens. One that is estimated, because the corpus was
// counted with another model's vocabulary, says so.
func tokens(n int, estimated bool) string {
	if !estimated {
		return plural(n, "token")
	}
	return "≈" + plural(n, "token")
}

// estimate is the number of [tokens] alone.
func estimate(n int, estimated bool) string {
	if !estimated {
		return count(n)
	}
	return "≈" + count(n)
}

// children is a number of children.
func children(n int) string {
	if n == 1 {
		return "1 child"
	}
	return count(n) + " children"
}

// took is a duration in milliseconds, as short as it stays true.
func took(d time.Duration) string {
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

// blocks are the eighths of a cell, from one to eight.
var blocks = [...]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}

// bar draws part of whole in at most w cells, in eighths of a cell, or in whole
// "#" where it is plain. What is not nothing gets at least the smallest piece,
// and only the whole fills a plain bar: rounded up, the next best would.
func bar(part, whole float64, w int, plain bool) string {
	if whole <= 0 || part <= 0 || w <= 0 || math.IsNaN(part/whole) {
		return ""
	}
	share := min(part/whole, 1)
	if plain {
		return strings.Repeat("#", max(1, int(share*float64(w))))
	}
	eighths := max(1, int(math.Round(share*float64(w*8))))
	s := strings.Repeat(blocks[7], eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += blocks[rest-1]
	}
	return s
}

// level is which third of [low, high] a value lies in: 0, 1 or 2.
func level(v, low, high float64) int {
	if high <= low {
		return 2
	}
	return max(0, min(2, int(3*(v-low)/(high-low))))
}

// shellQuote makes one word of a command line.
func shellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// wrapped breaks a sentence into lines of at most w cells.
func wrapped(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	words := strings.Split(s, " ")
	for i, word := range words {
		if strings.HasPrefix(strings.TrimLeft(word, "('\"“‘"), "--") {
			words[i] = strings.ReplaceAll(word, "-", heldHyphen)
		}
	}
	return strings.Split(strings.ReplaceAll(ansi.Wrap(strings.Join(words, " "), w, ""), heldHyphen, "-"), "\n")
}

// heldHyphen stands for a hyphen that no line is to break at: half of "--owner"
// means nothing. It is a private code point, one cell wide.
const heldHyphen = "\ue02d"
