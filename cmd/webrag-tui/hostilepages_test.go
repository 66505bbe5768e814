package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/webrag/webrag-tui/testdata/hostilepages"
)

// TestHostilePagesTakeLittleMemory indexes pages that were written to exhaust
// whoever does, each in a process of its own, which may take 1 GB: the worst of them
// in a small size, or all in the size that WEBRAG_TEST_HOSTILE_BYTES says. The limit for
// pages is 8388608.
func TestHostilePagesTakeLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes memory of its own: the full run has this test")
	}
	size, worst := 1_600_000, []string{"a heading of half the page", "markdown: a table with a long head"}
	if given := os.Getenv("WEBRAG_TEST_HOSTILE_BYTES"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil {
			t.Fatal(err)
		}
		size, worst = n, nil
	}
	for _, p := range hostilepages.All() {
		if worst != nil && !slices.Contains(worst, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			page := filepath.Join(dir, "page"+p.Ext)
			if err := os.WriteFile(page, []byte(p.Make(size)), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, said := programWithin(t, nil, "index", "--quiet", "--corpus", filepath.Join(dir, "c.db"), page)
			if code != exitFine && code != exitNothing {
				t.Errorf("exit code %d: %.300s%.300s", code, out, said)
			}
		})
	}
}
