// Package ui is the explorer: the screen on which a corpus is asked and its
// answers are read and taken apart.
//
// [Run] opens it on a terminal; [New] makes the model for a program of one's
// own. There is one Bubble Tea model at the root. What is asked and tuned is in
// package session, which knows no screen; what is on the screen is in the model.
// Panes are plain structs that are told what to show; they know no store and no
// engine. Everything that waits is a command (commands.go, working.go): it gets
// values, returns a message, and never touches the model. Each kind of waiting has a
// generation; a message of an older generation is dropped, so that a late
// answer cannot overwrite a newer one.
//
// Every key is a row of one table (actions.go), from which dispatch, footer,
// help, palette and documentation are made.
//
// Text of the corpus is hostile until it has passed package offset: nothing
// else of it reaches the terminal.
package ui
