// Package input stands between the terminal and the library that reads keys from it.
//
// The library takes whatever is typed at its word: a sequence with more than 32
// parameters makes it panic, as the first byte of some sequences in 8-bit form does,
// and a paste that the terminal does not end, or whose end is hidden in it, makes
// every further key, ctrl+c too, text of that paste. What is pasted may be anybody's.
// While an editor or the shell has the terminal, it is out of that library's hands.
package input

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrGone is the end of a terminal: its window is closed, or its connection. Keys are
// read one by one, so nothing that is typed ends what is read. The library would take
// it for the end of a file, and draw on for nobody.
var ErrGone = errors.New("the terminal is gone")

// pause is for how long a terminal is silent in the midst of a paste or of a text only
// if it will not go on with it.
const pause = time.Second

// Terminal is a terminal that keys are read from. It has the file's descriptor and
// name, so that modes are set, and reading is given up, as with the file itself.
type Terminal struct {
	*os.File
	filter filter
	now    func() time.Time
	last   time.Time
	piece  []byte
	// ready is what is still to be read.
	ready []byte
}

// New makes a terminal of its file. It asks now how late it is.
func New(file *os.File, now func() time.Time) *Terminal {
	return &Terminal{File: file, now: now}
}

// Read reads what is there, and may read nothing without an error: what was typed was
// then no key, or is not a whole one yet.
func (t *Terminal) Read(p []byte) (int, error) {
	var err error
	if len(t.ready) == 0 {
		// No more than p has room for, whatever the filter makes of it: who reads waits
		// for the file before each call, not for what would be left.
		if size := max(1, len(p)/3-16); len(t.piece) != size {
			t.piece = make([]byte, size)
		}
		var n int
		n, err = t.File.Read(t.piece)
		if errors.Is(err, io.EOF) {
			err = ErrGone
		}
		now := t.now()
		t.ready = t.filter.feed(t.ready[:0], t.piece[:max(n, 0)], now.Sub(t.last) >= pause)
		t.last = now
	}
	n := copy(p, t.ready)
	t.ready = t.ready[n:]
	return n, err
}
