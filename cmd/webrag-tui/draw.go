package main

import (
	"context"
	"path/filepath"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guard"
	"github.com/webrag/webrag-tui/ui"
)

// draw runs the explorer, and has the terminal guarded while it is on the screen. A
// guard that cannot be started is no reason not to explore.
func (a *app) draw(ctx context.Context, o ui.Options) error {
	g, err := guard.Start(guard.Terminal{
		Report: filepath.Join(stateFolder(), "crash.txt"), Program: "webrag-tui " + version, Plain: o.Plain,
	})
	if err != nil && a.log != nil {
		a.log.Warn("no guard of the terminal", "error", err)
	}
	defer g.End()
	return ui.Run(ctx, o)
}
