package view

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/widget"
)

// Pane is a region of the screen. It sees no messages: what keys do are actions, and
// motions reach it by these methods.
type Pane interface {
	// SetSize tells how many cells its body has.
	SetSize(w, h int)
	// Title is the name above it and a note beside the name, which may be empty.
	Title() (name, note string)
	// Draw draws its body: as many lines as it is high, each as wide.
	Draw(w, h int, focused bool) []string
	// Said says its selected row in words, for a screen that is read aloud; empty where
	// nothing is selected.
	Said() string

	// Move moves the cursor, or where there is none the text.
	Move(v widget.Verb)
	// Click is a press of the left button at a cell of the body.
	Click(x, y int) tea.Cmd
}

// Pager is a pane of which more may be there than is visible.
type Pager interface {
	// Hidden is how many lines of it are above and below what is visible.
	Hidden() (above, below int)
}

// Measured is a pane with a text to be read, whose lines are to be no longer than an eye
// finds the next one from.
type Measured interface {
	// Measure is how many cells its body has at most, 0 for any number.
	Measure() int
}

// Finder is a pane that finds words in what it shows.
type Finder interface {
	// Search finds words and goes to the first place; empty ends finding.
	Search(words string)
	// Found is which of how many places the pane is on, from 1.
	Found() (at, of int)
	// Step goes to the n-th place from here: of those found, else of the marks
	// that the pane has by itself. Stops is how many there are.
	Step(n int) tea.Cmd
	Stops() int
}
