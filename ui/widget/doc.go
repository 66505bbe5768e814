// Package widget holds what views are made of: lists, text that is scrolled, trees,
// choosers, curves and maps of values, the frame of dialogs, the canvas of the screen, and
// lines that are typed into. It knows no retrieval, no keys and no model: a widget is a plain value that
// a view keeps as its state, moved by a [Verb] and drawn as lines of cells.
//
// Lengths across are in cells of the terminal, lengths down in rows; both count
// from 0 at the left upper corner.
package widget
