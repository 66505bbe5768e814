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
		owner := c.Text("corpus.owner")
		exists, err := at.check(ctx)
		if err != nil {
			return "", err
		}
		set, err := source.Scan(ctx, []string{expandHome(from)}, source.Options{Owner: owner})
		if err != nil {
			return "", err
		}
		emb, err := newEmbedder(c)
		if err != nil {
			return "", err
		}
		if err := mustAnswer(ctx, emb); err != nil {
			return "", err
		}
		pages := set.All(ctx)
		if !exists { // a folder without a page leaves no empty corpus
			first, stop, failed, err := untilFirst(pages)
			defer stop()
			switch {
			case ctx.Err() != nil:
				return "", ctx.Err()
			case err != nil:
				return "", fmt.Errorf("read pages: %w", err)
			case first == nil && len(failed) > 0:
				return "", failed[0]
			case first == nil:
				return "", fmt.Errorf("no page found in %s; pages are .html, .md and .jsonl files", from)
			}
			pages = first
		}
		st, err := at.create(ctx, owner)
		if err != nil {
			return "", err
		}
		defer st.Close()
		adopt(emb, st.Info().Meta)
		o, err := indexingOptions(c, emb, st.Info().Meta)
		if err != nil {
			return "", err
		}
		o.Log, o.Now, o.Pages, o.Progress = a.log, a.now, set.Len(), progress
		report, err := indexing.Run(ctx, st, pages, o)
		if err != nil {
			return "", indexError(err, at)
		}
		if report.Pages == 0 && !report.Wrote() {
			return "", fmt.Errorf("no page found in %s; pages are .html, .md and .jsonl files", from)
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
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("look at %s: %w", from, err)
	case filepath.IsAbs(path):
		return fmt.Errorf("there is no %s", from)
	}
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("there is no %s", from)
	}
	return fmt.Errorf("there is no %s in %s", from, here)
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
