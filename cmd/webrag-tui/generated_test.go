package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/ui"
)

// update rewrites the generated documents instead of comparing them.
const update = "WEBRAG_TEST_UPDATE"

// TestGeneratedDocumentsAreCurrent holds the documents that are made from the
// code: make golden rewrites them.
func TestGeneratedDocumentsAreCurrent(t *testing.T) {
	readme := filepath.Join("..", "..", "README.md")
	raw, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- keys -->\n", "<!-- /keys -->"
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the README has lost the marks around its table of keys")
	}
	for path, want := range map[string]string{
		readme:                                 head + begin + ui.KeysMarkdown() + end + tail,
		filepath.Join("..", "..", "blank.env"): config.BlankEnv(settings()),
	} {
		if os.Getenv(update) != "" {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the code says (%v): run make golden", path, err)
		}
	}
}
