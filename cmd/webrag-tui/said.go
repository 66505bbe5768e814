package main

import (
	"strconv"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// said writes a phrase with numbers as they stand in lists.
func said(p phrase.Phrase) string {
	return p.Words(func(part phrase.Part) string {
		switch part.Kind {
		case phrase.Count:
			return strconv.Itoa(int(part.Number))
		case phrase.Score:
			return score(part.Number)
		case phrase.Title:
			return nameWords(part.Text)
		default:
			return offset.Line(part.Text)
		}
	})
}
