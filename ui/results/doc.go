// Package results is the view of what a query returned: a list of its sections by page or by
// rank, with what is gone since the baseline and what the stages dropped, or why there is
// nothing.
package results
