// Package postings keeps which terms are in which children, and how often in each
// field: inverted lists as bytes. What makes them, reads them and joins them is here;
// where they are kept is not.
//
// A segment is an immutable set of children, numbered from 0 in the order in which
// they were added, with one [List] a term. Its lists are cut into blocks of some
// thousand bytes, in the order of their terms, and its children are told apart by
// their [Roster].
package postings
