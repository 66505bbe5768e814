package main

import (
	"context"
	"io"
)

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
