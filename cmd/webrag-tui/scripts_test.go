package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// together are the scripts in which goroutines work beside each other: a short run,
// which is that of the race detector, has only these. Each of the others starts the
// program some ten times for the sake of its words, and takes the longer for it.
var together = []string{"copy", "replay", "ann"}

// notBeside leaves a test in which nothing runs beside anything to the full run.
func notBeside(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
}

// scripts are the files of a folder of scripts that this run is for.
func scripts(t *testing.T, folder string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	if !testing.Short() {
		return all
	}
	return slices.DeleteFunc(all, func(path string) bool {
		return !slices.Contains(together, strings.TrimSuffix(filepath.Base(path), ".txtar"))
	})
}

// A script that is renamed must not leave the list unnoticed.
func TestScriptsOfAShortRunExist(t *testing.T) {
	for _, name := range together {
		found, err := filepath.Glob(filepath.Join("testdata", "*", name+".txtar"))
		if err != nil || len(found) == 0 {
			t.Errorf("there is no script %s: %v", name, err)
		}
	}
}
