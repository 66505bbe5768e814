// Package offset converts between the ways of counting into a text: code points
// (what types, tables and JSON use), bytes (what Go strings use), and positions
// in a form of the text that was normalised for storing or for display.
//
// It holds the only normalisations of the program. [Document] is applied once,
// before hashing, and gives the text that all stored offsets refer to. [Display]
// makes any text safe to draw and keeps the list of its edits, so that a stored
// offset still finds its place. [Line] is the one-line form for titles, paths
// and error texts.
package offset
