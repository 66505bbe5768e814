package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// titleSigns stand between the title of a page and the name of its site.
var titleSigns = [...]string{" — ", " – ", " - ", " | ", " · ", " • ", " :: "}

// leastTail is how many titles have to end alike before their end counts as the
// name of a site, whatever part of the corpus they are.
const leastTail = 3

// Tails are the ends of titles that many pages share, the longest first: they
// take the room of what tells the pages apart.
type Tails []string

// SharedTails finds the ends, from a sign on, that at least a quarter of the
// titles have. A corpus of a few sites has several.
func SharedTails(titles []string) Tails {
	counts := map[string]int{}
	for _, title := range titles {
		title = offset.Trimmed(title)
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
	var found Tails
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

// Strip is a title in one line, without the tail that it shares.
func (t Tails) Strip(title string) string {
	title = offset.Trimmed(title)
	for _, tail := range t {
		if head, ok := strings.CutSuffix(title, tail); ok && head != "" {
			return head
		}
	}
	return title
}
