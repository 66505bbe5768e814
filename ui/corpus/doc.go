// Package corpus is the view of the pages of a corpus: the tree of the links by which they
// are reached, or a table; what one page is made of, and the whole of its text; and which
// pages a query reached.
package corpus
