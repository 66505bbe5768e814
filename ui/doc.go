// Package ui is the explorer: the screen on which a corpus is asked and its
// answers are read and taken apart.
//
// [Run] opens it on a terminal; [New] makes the model for a program of one's own.
// There is one Bubble Tea model at the root, the shell around the views: it owns what is on
// the screen, and routes keys and messages. What is asked, read and tuned is in package
// session, whose work it runs (working.go). A message changes the model (update.go), and
// after each message the screen is drawn from it (view.go).
//
// A view is a package of its own that sees the session and, by the interface of package
// view, the shell (shell.go); views.go lists them. The places of the corpus that one has
// been at (trail.go), and how one goes to another (opening.go), are the shell's.
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
