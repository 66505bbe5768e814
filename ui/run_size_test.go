package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A terminal can say that it is of any size: neither the library nor the explorer
// takes memory for more than a screen.
func TestSizesOfTerminalsAreBounded(t *testing.T) {
	filter := sensible(func(_ tea.Model, msg tea.Msg) tea.Msg { return msg })
	for _, c := range []struct{ w, h, wantW, wantH int }{
		{120, 40, 120, 40}, {0, 0, 0, 0}, {1000, 500, 1000, 500}, {65535, 500, 1000, 500}, {9999, 9999, 1000, 500}, {300, 65535, 300, 500},
	} {
		if got := filter(nil, tea.WindowSizeMsg{Width: c.w, Height: c.h}); got != (tea.WindowSizeMsg{Width: c.wantW, Height: c.wantH}) {
			t.Errorf("%dx%d is drawn as %v", c.w, c.h, got)
		}
	}
	if got := filter(nil, tea.QuitMsg{}); got != (tea.QuitMsg{}) {
		t.Errorf("another message becomes %v", got)
	}
	for _, c := range []struct {
		w, h int
		want bool
	}{{80, 24, true}, {1, 1, true}, {1920, 1000, true}, {2000, 1001, false}, {500, 65535, false}, {9999, 9999, false}} {
		if isScreen(c.w, c.h) != c.want {
			t.Errorf("%dx%d is a screen: %v", c.w, c.h, !c.want)
		}
	}
}
