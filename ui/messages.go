package ui

import (
	"time"
)

// copied ends a copy to the machine's own clipboard.
type copied struct {
	what   string
	size   int // in characters
	inBand bool
	err    error
}

// urlOpened ends the opening of an address.
type urlOpened struct {
	url string
	err error
}

// draftWritten is the file that the editor is to show.
type draftWritten struct {
	path string
	line int
	err  error
}

// editorClosed ends a visit to the editor.
type editorClosed struct {
	path string
	err  error
}

// The pauses of the program.
const (
	// askPause is how long the typing rests before a live query.
	askPause    = 150 * time.Millisecond
	loadingStep = 100 * time.Millisecond
)
