// Package results is the list of what a query returned: its sections by page or by rank,
// with what is gone since the baseline and what the stages dropped.
package results
