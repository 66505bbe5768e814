package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Websearch reads a query as web search engines do, for [MatchWebsearch]. Words
// in double quotes are a phrase; a minus before a word or a phrase, after white
// space or at the start, excludes it. All else is words, of which every one must
// occur: there are no operators to get wrong. A quote that is never closed
// extends to the end.
//
// All words become terms as [Terms] makes them. The terms of a phrase are among
// terms, too; a phrase of a single term is no phrase. Each element of excluded is
// the run of terms of one word or phrase, joined by single spaces.
//
//	Websearch(`trees "learning rate" -forest -"max_depth limit"`)
//	// terms    tree learn rate
//	// phrases  [learn rate]
//	// excluded "forest", "max_depth max depth limit"
func Websearch(text string) (terms []string, phrases [][]string, excluded []string) {
	var words strings.Builder
	previous := ' '
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		minus := r == '-' && unicode.IsSpace(previous) && startsOperand(text[size:])
		if r != '"' && !minus {
			// Runs of plain text are analysed together: what separates words is not
			// for this function to know.
			words.WriteString(text[:size])
			previous, text = r, text[size:]
			continue
		}
		terms = append(terms, Terms(words.String())...)
		words.Reset()
		previous = ' '
		if minus {
			text = text[size:]
		}
		quoted, operand, rest := cutOperand(text)
		text = rest
		own := Terms(operand)
		switch {
		case len(own) == 0:
		case minus:
			if run := strings.Join(own, " "); !slices.Contains(excluded, run) {
				excluded = append(excluded, run)
			}
		default:
			terms = append(terms, own...)
			if quoted && len(own) > 1 {
				phrases = append(phrases, own)
			}
		}
	}
	return append(terms, Terms(words.String())...), phrases, excluded
}

// startsOperand reports whether a minus before s excludes something. Two minuses
// or one that stands alone are a dash.
func startsOperand(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && r != '-' && !unicode.IsSpace(r)
}

// cutOperand cuts a phrase in quotes or a word off the start of s.
func cutOperand(s string) (quoted bool, operand, rest string) {
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		operand, rest, _ = strings.Cut(inner, `"`)
		return true, operand, rest
	}
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		end = len(s)
	}
	return false, s[:end], s[end:]
}
