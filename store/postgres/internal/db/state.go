package db

import (
	"sync"
	"time"
)

// State is how the connection was when it was last used. Nothing asks the server
// only to know it.
type State struct {
	// Lost says that the server could not be reached, or went away.
	Lost bool
	// Since is when that began, or when the server was first reached, or reached
	// again; zero before the first use.
	Since time.Time
	// Problem is the last failure of the connection as a sentence; empty unless
	// Lost.
	Problem string
}

// watch keeps the state.
type watch struct {
	mu  sync.Mutex
	now State
}

func (w *watch) get() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) reached() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now.Lost || w.now.Since.IsZero() {
		w.now = State{Since: time.Now()}
	}
}

func (w *watch) lost(problem string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.now.Lost {
		w.now = State{Lost: true, Since: time.Now()}
	}
	w.now.Problem = problem
}
