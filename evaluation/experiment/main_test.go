package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/internal/sample"
)

// guide and random are read by all tests, and written by none.
var guide, random *sample.Sample

func TestMain(m *testing.M) {
	code := 1
	folder, err := os.MkdirTemp("", "experiment")
	if err == nil {
		code, err = withSamples(folder, m)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

func withSamples(folder string, m *testing.M) (code int, err error) {
	for _, s := range []struct {
		name string
		make func(folder string) (*sample.Sample, error)
		to   **sample.Sample
	}{
		{"guide", func(f string) (*sample.Sample, error) { return sample.Guide(context.Background(), f) }, &guide},
		{"random", func(f string) (*sample.Sample, error) { return sample.Random(context.Background(), f, 6) }, &random},
	} {
		of := filepath.Join(folder, s.name)
		if err := os.Mkdir(of, 0o700); err != nil {
			return 1, err
		}
		if *s.to, err = s.make(of); err != nil {
			return 1, err
		}
		defer (*s.to).Close()
	}
	return m.Run(), nil
}
