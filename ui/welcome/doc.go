// Package welcome is the view of what there is to see before there are results: the ways
// to a corpus (indexing a folder, the guide, a file, a database, another corpus), how far
// opening, loading and indexing are, what failed, and how to begin asking. It stands in
// the place of the list of results.
package welcome
