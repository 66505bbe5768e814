package postgres

import "github.com/webrag/webrag-tui/store"

// scopedDocument are the conditions on d of a scope, leaving out its headings.
// What the database has no column for matches nothing.
func (v *View) scopedDocument(p *params, s store.Scope) []string { return nil }

// scopedChunk are all conditions of a scope, on c and d. A child is in scope when
// its parent is.
func (v *View) scopedChunk(p *params, s store.Scope) []string { return nil }
