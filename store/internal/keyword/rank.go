package keyword

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Best scores rows and returns the limit best.
func Best(rows []store.KeywordRow, found *store.Found, limit int) []store.KeywordRow {
	for i := range rows {
		Score(&rows[i], found)
	}
	slices.SortFunc(rows, Compare)
	return rows[:min(limit, len(rows))]
}

// Score fills in a row's BM25 sum.
func Score(row *store.KeywordRow, found *store.Found) {
	row.Score = 0
	for _, share := range found.Shares(*row) {
		row.Score += share
	}
}

// Compare orders rows by (score descending, chunk id ascending).
func Compare(a, b store.KeywordRow) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
}
