package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/webrag/webrag-tui/indexing/source"
)

// pageSeq are pages with what was wrong with some of them.
type pageSeq = iter.Seq2[source.NormalizedDocument, error]

// untilFirst reads pages up to the first that can be read, so that a corpus is
// not made for nothing. It returns all of them again, with those that follow, to
// be read once; stop ends that early. Without a readable page again is nil, and
// failed has what was wrong.
func untilFirst(ctx context.Context, pages pageSeq) (again pageSeq, stop func(), failed []*source.PageError, err error) {
	next, stop := iter.Pull2(pages)
	for {
		doc, err, ok := next()
		var page *source.PageError
		switch {
		case ctx.Err() != nil:
			return nil, stop, failed, ctx.Err()
		case !ok:
			return nil, stop, failed, nil
		case errors.As(err, &page):
			failed = append(failed, page)
			continue
		case err != nil:
			return nil, stop, failed, fmt.Errorf("read pages: %w", err)
		}
		return func(yield func(source.NormalizedDocument, error) bool) {
			defer stop()
			for _, err := range failed {
				if !yield(source.NormalizedDocument{}, err) {
					return
				}
			}
			for ok := true; ok; doc, err, ok = next() {
				if !yield(doc, err) {
					return
				}
			}
		}, stop, failed, nil
	}
}
