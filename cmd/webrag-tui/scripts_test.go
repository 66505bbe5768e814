package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// alone are the scripts about arguments, settings and words, in which one
// goroutine does everything: a short run, which is that of the race detector,
// leaves them to the full run.
var alone = []string{
	"bad_input", "commands", "config", "context", "keys", "profiles", "themes", "why_and_compare",
	"bad_vectors", "beside", "copy_half", "doctor_foreign", "migrate_refusal", "unlike", "versions",
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
		return slices.Contains(alone, strings.TrimSuffix(filepath.Base(path), ".txtar"))
	})
}

// A script that is renamed must not leave the list unnoticed.
func TestScriptsThatAreLeftOutExist(t *testing.T) {
	for _, name := range alone {
		found, err := filepath.Glob(filepath.Join("testdata", "*", name+".txtar"))
		if err != nil || len(found) == 0 {
			t.Errorf("there is no script %s: %v", name, err)
		}
	}
}
