// Package whynot is the view of why a text is not among the results: it is picked, looked
// into, and what would let it in is chosen. It has no pane: it is a dialog over the
// screen.
package whynot
