package sqlite

import (
	"context"
	"fmt"
)

// The generations that writeForPowerLoss writes: so many writers one after the
// other, so many generations each.
const (
	powerWriters     = 3
	powerGenerations = 4
)

// writeForPowerLoss makes a corpus and writes generations of its pages, beside a
// reader that keeps the last writer from being the last connection. It says of each
// generation that it begins, and of each writer that it was closed.
func writeForPowerLoss(ctx context.Context, path string) error {
	s, err := Open(ctx, path, Options{Create: true})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println("closed 0")
	generation := 0
	for range powerWriters {
		w, err := s.Write(ctx)
		if err != nil {
			return err
		}
		m := w.Meta()
		m.EmbedderID, m.Dimensions = "test", testDims
		if err := w.SetMeta(ctx, m); err != nil {
			return err
		}
		for range powerGenerations {
			generation++
			fmt.Println("begun", generation)
			if _, err := w.Put(ctx, testPage("shared", generation, 12-generation%3)); err != nil {
				return err
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
		fmt.Println("closed", generation)
		v, err := s.Read(ctx)
		if err != nil {
			return err
		}
		_ = v.Close()
	}
	return nil
}
