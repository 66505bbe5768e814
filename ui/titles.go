package ui

import (
	"cmp"
	"slices"
	"strings"
)

// titleSigns stand between the title of a page and the name of its site.
var titleSigns = [...]string{" — ", " – ", " - ", " | ", " · ", " • ", " :: "}

// leastTail is how many titles have to end alike before their end counts as the
// name of a site, whatever part of the corpus they are.
const leastTail = 3

// tails are the ends of titles that many pages share, the longest first: they
// take the room of what tells the pages apart.
type tails []string

// sharedTails finds the ends, from a sign on, that at least a quarter of the
// titles have. A corpus of a few sites has several.
func sharedTails(titles []string) tails {
	counts := map[string]int{}
	for _, title := range titles {
		title = oneLine(title)
		for _, sign := range titleSigns {
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
	var found tails
	for tail, n := range counts {
		if n >= leastTail && 4*n >= len(titles) {
			found = append(found, tail)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return found
}

// strip is a title in one line, without the tail that it shares.
func (t tails) strip(title string) string {
	title = oneLine(title)
	for _, tail := range t {
		if head, ok := strings.CutSuffix(title, tail); ok && head != "" {
			return head
		}
	}
	return title
}
