package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// example matches a command of the README with what it prints.
var example = regexp.MustCompile("(?m)^```console\n\\$ webrag-tui ([^\n]*)\n((?:[^`][^\n]*\n|\n)*)```$")

// effort matches a number that says how the program works and not what it found.
var effort = regexp.MustCompile(`\d+ rankings tried`)

// more ends an example that does not show all of its output.
const more = "…\n"

// TestGeneratedExamplesAreCurrent runs the commands of the README on the guide.
// make golden rewrites what they print; an example keeps its number of lines.
func TestGeneratedExamplesAreCurrent(t *testing.T) {
	readme := filepath.Join("..", "..", "README.md")
	raw, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) string {
		t.Helper()
		var out, narration bytes.Buffer
		args = append(args, "--config", settings, "--corpus", filepath.Join(dir, "guide.db"), "--no-color")
		if code := run(t.Context(), process{args: args, in: strings.NewReader(""), out: &out, err: &narration, now: time.Now}); code != 0 {
			t.Fatalf("webrag-tui %q: exit code %d\n%s", args, code, narration.String())
		}
		return out.String()
	}
	command("index", filepath.Join("..", "..", "docs", "guide"))
	found := 0
	text := example.ReplaceAllStringFunc(string(raw), func(block string) string {
		found++
		parts := example.FindStringSubmatch(block)
		lines := strings.SplitAfter(command(words(parts[1])...), "\n")
		shown := strings.Count(strings.TrimSuffix(parts[2], more), "\n")
		now := strings.Join(lines[:min(shown, len(lines))], "")
		if shown < len(lines)-1 {
			now += more
		}
		return "```console\n$ webrag-tui " + parts[1] + "\n" + now + "```"
	})
	if found < 2 {
		t.Fatalf("the README has %d examples: the test does not see them", found)
	}
	if os.Getenv(update) != "" {
		if err := os.WriteFile(readme, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if effort.ReplaceAllString(text, "") != effort.ReplaceAllString(string(raw), "") {
		t.Errorf("the README's examples print something else now: run make golden; they print\n%s",
			strings.Join(example.FindAllString(text, -1), "\n"))
	}
}

// words splits a command line as a shell does, as far as the examples need it.
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
			continue
		}
		list = append(list, strings.Fields(part)...)
	}
	return list
}
