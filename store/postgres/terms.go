package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// countTerms adds to term_stats what the visible children of documents hold, or
// takes it away (sign 1 or -1), from the rows of chunk_terms. A writer takes a
// document's old rows away before it changes them and adds the new ones after.
func countTerms(ctx context.Context, tx pgx.Tx, l *layout, documentIDs []string, sign int) error {
	return errNotYet
}

// termVector is what chunk_terms.ts holds for terms that are separated by spaces:
// the text of a tsvector, with a position for each occurrence.
func termVector(terms string) string { return "" }
