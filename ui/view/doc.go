// Package view says what a view of the explorer is: panes that draw themselves and take
// motions, actions for the table of keys, and what it may ask of the shell around it.
//
// A view is a package of its own. It reads the session, changes it through the shell,
// knows no other view, and is one row of the shell's table.
package view
