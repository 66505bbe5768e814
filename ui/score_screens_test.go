package ui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// The score of a real section, opened, in every size and where it is made in
// another way.
func TestScoreScreens(t *testing.T) {
	const query = "how does depth decay change the ranking"
	for _, c := range []struct {
		name, preset string
		w, h         int
		keys         string
	}{
		{"200x60", "webrag", 200, 60, "r down"},
		{"150x42 painted", "webrag", 150, 42, "r down c"},
		{"120x40", "webrag", 120, 40, "r down"},
		{"80x24", "webrag", 80, 24, "e"},
		{"50x15", "webrag", 50, 15, "e"},
		{"50x15 scrolled", "webrag", 50, 15, "e ctrl+d ctrl+d"},
		{"fused", "hybrid", 150, 60, ""},
		{"an edge", "graph", 150, 60, "r down down down down"},
		{"below the floor", "webrag", 150, 42, "G"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openGuide(t, c.w, c.h, c.preset, query, c.keys)
			golden.RequireEqual(t, d.screen())
		})
	}
}

func TestScoreByCodePoints(t *testing.T) {
	d := openGuide(t, 120, 40, "hybrid", "how does depth decay change the ranking", "c")
	golden.RequireEqual(t, d.screenBy(ansi.WcWidth))
}
