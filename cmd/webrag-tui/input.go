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

// readerFunc is an io.Reader made of its one method.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// readUntil reads from r until ctx ends. Nothing can call back a read that waits
// for a person or a pipe, so it runs beside its caller, with memory of its own,
// and is left behind when it is not waited for any more.
func readUntil(ctx context.Context, r io.Reader) io.Reader {
	type chunk struct {
		data []byte
		err  error
	}
	var rest chunk
	return readerFunc(func(p []byte) (int, error) {
		if len(rest.data) == 0 && rest.err == nil {
			arrived := make(chan chunk, 1)
			go func() {
				data := make([]byte, 32<<10)
				n, err := r.Read(data)
				arrived <- chunk{data[:n], err}
			}()
			select {
			case rest = <-arrived:
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		n := copy(p, rest.data)
		rest.data = rest.data[n:]
		if len(rest.data) > 0 {
			return n, nil
		}
		return n, rest.err
	})
}

// nameOfInput is what messages call it.
func nameOfInput(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
