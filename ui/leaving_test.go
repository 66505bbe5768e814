package ui

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
)

func TestSuspendWorksEverywhere(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{
		"results": "esc", "query": "/", "finding": "esc f 'dep'", "help": "esc ?",
		"palette": "esc : 'them'", "copy menu": "esc y", "score": "esc e tab tab",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, 1, 120, 40, asking("decay"), keys)
			before := d.screen()
			d.press("ctrl+z")
			if !slices.Contains(d.foreign, "tea.execMsg") {
				t.Error("ctrl+z does not suspend")
			}
			if after := d.screen(); after != before {
				t.Errorf("the screen changed:\n%s", after)
			}
		})
	}
}

func TestStateThatCannotBeKeptIsNoFailure(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	closed := false
	m := New(Options{StatePath: filepath.Join(file, "state.json"), Debug: &log})
	m.session.Take(&session.Corpus{Close: func() error { closed = true; return nil }}, nil)
	if err := m.leave(nil, false); err != nil {
		t.Errorf("leaving fails: %v", err)
	}
	if !strings.Contains(log.String(), "save the screen's state") {
		t.Errorf("the log has %q", log.String())
	}
	if !closed {
		t.Error("the corpus stays open")
	}
}

func TestHowTheProgramEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		name        string
		err, closed error
		interrupted bool
		want        error
	}{
		{name: "left"},
		{name: "ctrl+c", err: tea.ErrInterrupted, want: ErrInterrupted},
		{name: "signal", err: tea.ErrProgramKilled, interrupted: true, want: ErrInterrupted},
		{name: "killed", err: tea.ErrProgramKilled, want: tea.ErrProgramKilled},
		{name: "corpus does not close", closed: broken, want: broken},
		{name: "both", err: tea.ErrProgramPanic, closed: broken, want: tea.ErrProgramPanic},
	} {
		m := New(Options{})
		m.session.Take(&session.Corpus{Close: func() error { return tt.closed }}, nil)
		if err := m.leave(tt.err, tt.interrupted); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}
