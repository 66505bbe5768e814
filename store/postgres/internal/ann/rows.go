package ann

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// vectorRows are rows of a search.
type vectorRows struct {
	rows []store.VectorRow
	// orphans says that some are missing, since they are not whole.
	orphans bool
}

// readRows reads the rows of a search, in the order of a search: what an iterative
// scan returns is not quite in the order of its distances. A vector without a
// direction is near to nothing.
func readRows(rows pgx.Rows) (vectorRows, error) {
	defer rows.Close()
	var out vectorRows
	for rows.Next() {
		var r store.VectorRow
		var distance float64
		var whole bool
		if err := rows.Scan(&r.ID, &r.ParentID, &r.DocumentID, &distance, &whole); err != nil {
			return vectorRows{}, err
		}
		switch r.Similarity = 1 - distance; {
		case !whole:
			out.orphans = true
		case !math.IsNaN(distance):
			out.rows = append(out.rows, r)
		}
	}
	slices.SortFunc(out.rows, CompareRows)
	return out, rows.Err()
}

// CompareRows orders by similarity, falling, and id.
func CompareRows(a, b store.VectorRow) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.ID, b.ID))
}
