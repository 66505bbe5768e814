// Package titles finds what the titles of many pages have in common at their end, which takes the
// room of what tells the pages apart.
package titles

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// signs stand between the title of a page and the name of its site.
var signs = [...]string{" — ", " – ", " - ", " | ", " · ", " • ", " :: "}

// leastShared is how many titles have to end alike before their end counts as the
// name of a site, whatever part of the corpus they are.
const leastShared = 3

// Suffixes are the ends of titles that many pages share, the longest first: they
// take the room of what tells the pages apart.
type Suffixes []string

// SharedSuffixes finds the ends, from a sign on or in parentheses, that at least a quarter
// of the titles have. A corpus of a few sites has several.
func SharedSuffixes(titles []string) Suffixes {
	counts := map[string]int{}
	for _, title := range titles {
		title = offset.Trimmed(title)
		if at := parenthesis(title); at > 0 {
			counts[title[at:]]++
		}
		for _, sign := range signs {
			for at := strings.Index(title, sign); at > 0; {
				counts[title[at:]]++
				next := strings.Index(title[at+len(sign):], sign)
				if next < 0 {
					break
				}
				at += len(sign) + next
			}
		}
	}
	var found Suffixes
	for suffix, n := range counts {
		if n >= leastShared && 4*n >= len(titles) {
			found = append(found, suffix)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return found
}

// parenthesis is where a title ends with something in parentheses, from the blank before it on,
// 0 for nowhere: "Loops (The Manual (version 7))".
func parenthesis(title string) int {
	if !strings.HasSuffix(title, ")") {
		return 0
	}
	open := 0
	for at := len(title) - 1; at > 0; at-- {
		switch title[at] {
		case ')':
			open++
		case '(':
			open--
		}
		switch {
		case open == 0 && title[at-1] == ' ' && strings.TrimSpace(title[:at]) != "":
			return at - 1
		case open == 0:
			return 0
		}
	}
	return 0
}

// Strip is a title in one line, without the suffix that it shares.
func (t Suffixes) Strip(title string) string {
	title = offset.Trimmed(title)
	for _, suffix := range t {
		if head, ok := strings.CutSuffix(title, suffix); ok && head != "" {
			return head
		}
	}
	return title
}
