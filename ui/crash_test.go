package ui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
)

// A panic beside the screen ends the explorer in order, with its words kept for
// the shell's screen, also one in a sequence within a batch.
func TestAPanicOfACommandIsKept(t *testing.T) {
	d, _ := newDriver(t, 1, 80, 24, func(o *Options, _ *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) { panic("on purpose") }
	})
	d.settle()
	if !d.quit || !strings.HasPrefix(d.crash(), "panic: on purpose") || !strings.Contains(d.crash(), "crash_test.go") {
		t.Errorf("ended %v with %q", d.quit, d.crash())
	}
	d = drive(t, 1, 80, 24, nil, "")
	d.push(caught(tea.Batch(tea.Sequence(func() tea.Msg { return nil }, func() tea.Msg { panic("in order") }), func() tea.Msg { return nil })))
	d.settle()
	if !d.quit || !strings.HasPrefix(d.crash(), "panic: in order") {
		t.Errorf("ended %v with %q", d.quit, d.crash())
	}
}
