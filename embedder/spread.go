package embedder

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// onAllCores divides n texts among the cores and calls embed with each share.
// The first error ends the context of the others.
func onAllCores(ctx context.Context, n int, embed func(ctx context.Context, from, to int) error) error {
	// Below this many texts a second goroutine costs more than it saves.
	const minShare = 8
	workers := min(runtime.GOMAXPROCS(0), n/minShare)
	if workers <= 1 {
		return embed(ctx, 0, n)
	}
	g, gctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error { return embed(gctx, n*w/workers, n*(w+1)/workers) })
	}
	return g.Wait()
}
