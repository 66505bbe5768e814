package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
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
	text := string(raw)
	for name, content := range map[string]string{"keys": ui.KeysMarkdown(), "commands": commandsMarkdown(), "presets": presetsMarkdown()} {
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		head, rest, ok := strings.Cut(text, begin)
		_, tail, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("the README has lost the marks around its table of %s", name)
		}
		text = head + begin + content + end + tail
	}
	for path, want := range map[string]string{
		readme:                                 text,
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

// presetsMarkdown is a table of the strategies.
func presetsMarkdown() string {
	var b strings.Builder
	b.WriteString("| preset | |\n| --- | --- |\n")
	for _, p := range param.PresetInfos() {
		b.WriteString("| `" + p.Name + "` | " + p.Summary + " |\n")
	}
	return b.String()
}

// commandsMarkdown is a table of the commands.
func commandsMarkdown() string {
	var b strings.Builder
	b.WriteString("| command | |\n| --- | --- |\n")
	for _, cmd := range newRoot(newApp(process{})).Commands() {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		use := cmd.Use
		if len(names) > 0 {
			use = cmd.Name() + " " + strings.Join(names, "|")
		}
		b.WriteString("| `" + strings.ReplaceAll(use, "|", `\|`) + "` | " + cmd.Short + " |\n")
	}
	return b.String()
}
