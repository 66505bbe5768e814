package postgres

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/store"
)

// mayHold is a condition on a text that is true wherever a quote is in it: it looks
// for the quote's longest runs of characters without white space.
//
// Writing a text in small letters as Go does takes PostgreSQL six times as long as
// writing its ASCII letters small and replacing the few others that become one of
// them. So the runs are cut where they have other letters, unless little is left.
func mayHold(p *params, text string, quote store.Quote) string {
	runs := longest(strings.Fields(quote.String()))
	if len(runs) == 0 {
		return "false"
	}
	pieces := longest(strings.FieldsFunc(quote.String(), func(r rune) bool {
		return unicode.IsSpace(r) || r >= utf8.RuneSelf && unicode.SimpleFold(r) != r
	}))
	if len(pieces) == 0 || len(pieces[0]) < min(4, len(runs[0])) {
		from, to := capitals(runs[:1])
		return contains(p, "translate("+text+", "+p.add(from)+"::text, "+p.add(to)+"::text)", runs[:1])
	}
	pieces = pieces[:min(len(pieces), 4)]
	from, to := capitals(pieces)
	small := []rune(to)
	for i, r := range []rune(from) {
		if r >= utf8.RuneSelf {
			text = "replace(" + text + ", " + p.add(string(r)) + "::text, " + p.add(string(small[i])) + "::text)"
		}
	}
	return contains(p, "lower("+text+` COLLATE "C")`, pieces)
}

// longest returns the strings of a list without repetitions, the longest first.
func longest(list []string) []string {
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(list)
}

func contains(p *params, text string, parts []string) string {
	conditions := make([]string, len(parts))
	for i, part := range parts {
		conditions[i] = "strpos((" + text + `) COLLATE "C", ` + p.add(part) + "::text) > 0"
	}
	return all(conditions)
}
