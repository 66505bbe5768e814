package ui

import (
	"time"

	"github.com/webrag/webrag-tui/ui/view"
)

// renderDue says that the selection or the size has rested for long enough.
type renderDue struct{ gen int }

// rendered brings a finished page. It is right for its key at any time.
type rendered struct {
	key  pageKey
	page *page
	err  error
}

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
	askPause = 150 * time.Millisecond
	// previewPause is how long the selection rests before it is rendered.
	previewPause = view.RestPause
	// resizePause is how long the size rests before texts are laid out anew.
	resizePause = 80 * time.Millisecond
	loadingStep = 100 * time.Millisecond
)
