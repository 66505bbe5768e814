// Package ui is the explorer: the screen on which a corpus is asked and its
// answers are read and taken apart.
//
// [Run] opens it on a terminal; [New] makes the model for a program of one's own.
// There is one Bubble Tea model at the root, which owns what is on the screen; what is
// asked and tuned is in package session, whose work it runs (working.go). A message
// changes it (update.go), and after each message the screen is drawn from it (view.go).
// Panes are the regions of the screen (panel.go): their methods get the model, and draw
// their part of it with what package widget has. A corpus is what can be read and asked
// of it (corpus.go), so that a recording can take its place.
//
// Nothing in the model waits. What does is a command: it gets values, runs beside the
// screen, returns a message, and never touches the model. Each kind of waiting has a
// generation; a message of an older generation is dropped, so that a late answer cannot
// overwrite a newer one.
//
// Every key is a row of one table (actions.go), from which dispatch, footer,
// help, palette and documentation are made.
//
// Text of the corpus is hostile until it has passed package offset: nothing
// else of it reaches the terminal.
package ui
