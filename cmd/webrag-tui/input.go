package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/webrag/webrag-tui/file"
)

// openInput opens the file that an argument names, or standard input for "-", and
// reads at most limit bytes of either.
func (a *app) openInput(ctx context.Context, name string, limit int64) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(file.Limit(readUntil(ctx, a.in), nameOfInput(name), limit)), nil
	}
	f, err := file.Open(name, limit)
	var kind *file.KindError
	if errors.As(err, &kind) && kind.IsStream() {
		return nil, fmt.Errorf("open %s: %s, not a file; pipe what comes out of it into this command, and give - in its place", name, kind.Kind())
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}
