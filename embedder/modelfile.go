package embedder

import (
	"fmt"
	"io"
	"os"
)

// openModelFile opens a file of a model for reading. Its size is checked before
// anything is read, and only regular files have one that can be trusted.
func openModelFile(path string, most int64) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a file", path)
	case info.Size() > most:
		return nil, 0, fmt.Errorf("%s has %d bytes, more than the %d that such a file may have", path, info.Size(), most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// readModelFile reads a small file of a model.
func readModelFile(path string, most int64) ([]byte, error) {
	f, _, err := openModelFile(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return raw, nil
}
