package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// indexInside fills a corpus from within the explorer: what the command index does
// without flags, with its progress and its sentence given to the screen.
func (a *app) indexInside(c *config.Config) func(ctx context.Context, at, from string, progress func(indexing.Progress)) (string, error) {
	return func(ctx context.Context, id, from string, progress func(indexing.Progress)) (string, error) {
		at := placeOf(id)
		if id == "" { // the configured one, which has no name to remember
			at = corpusPlace(c)
		}
		if id == guidePlace {
			return "", errors.New("the guide is a corpus of its own; switch to another one first")
		}
		exists, err := at.check(ctx)
		if err != nil {
			return "", err
		}
		set, err := source.Scan(ctx, []string{expandHome(from)}, source.Options{Owner: c.Text("corpus.owner")})
		if err != nil {
			return "", err
		}
		report, err := a.fill(ctx, c, at, exists, set, indexing.Options{Progress: progress}, func(store.Info) {})
		switch {
		case errors.Is(err, errNoPage) && len(report.Failed) > 0:
			return "", report.Failed[0]
		case errors.Is(err, errNoPage):
			return "", noPageIn(from)
		case err != nil:
			return "", err
		}
		words := fmt.Sprintf("%s in %s", indexWords(&report), report.Elapsed.Round(10*time.Millisecond))
		if outside := outsideWords(set.Outside()); outside != "" {
			words += "; " + outside
		}
		return words, nil
	}
}

// checkSource says what is wrong with a folder or file that is to be indexed,
// before it is.
func checkSource(from string) error {
	path := expandHome(from)
	_, err := os.Stat(path)
	switch here, hereErr := os.Getwd(); {
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("look at %s: %w", from, err)
	case filepath.IsAbs(path) || hereErr != nil:
		return fmt.Errorf("there is no %s", from)
	default:
		return fmt.Errorf("there is no %s in %s", from, here)
	}
}

// expandHome is a path as a shell would have it, which has no part in what is
// typed into the explorer.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}
