// Package keyword is what all stores do alike in a keyword search: which terms of
// a query find rows, what is a match, and how matches are scored and ordered. How
// rows are found is each store's own.
package keyword
