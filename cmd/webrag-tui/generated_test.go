package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui"
)

// update rewrites the generated documents instead of comparing them.
const update = "WEBRAG_TEST_UPDATE"

// TestGeneratedDocumentsAreCurrent holds the documents that are made from the
// code: make golden rewrites them.
func TestGeneratedDocumentsAreCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	for path, want := range map[string]string{
		filepath.Join(root, "README.md"):           generatedIn(t, filepath.Join(root, "README.md"), "presets", presetsMarkdown()),
		filepath.Join(root, "docs", "keys.md"):     generatedIn(t, filepath.Join(root, "docs", "keys.md"), "keys", keysMarkdown(t)),
		filepath.Join(root, "docs", "commands.md"): generatedIn(t, filepath.Join(root, "docs", "commands.md"), "commands", commandsMarkdown(t)),
		filepath.Join(root, "docs", "settings.md"): generatedIn(t, filepath.Join(root, "docs", "settings.md"), "settings", settingsMarkdown()),
		filepath.Join(root, "blank.env"):           config.BlankEnv(settings()),
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

// generatedIn is a document with what is between the marks of name replaced.
func generatedIn(t *testing.T, path, name, content string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has lost the marks around its %s", path, name)
	}
	return head + begin + content + end + tail
}

// keysMarkdown is a table of the keys as they come.
func keysMarkdown(t *testing.T) string {
	t.Helper()
	keys, err := ui.Keys(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| key | action | name | |\n| --- | --- | --- | --- |\n")
	for _, k := range keys {
		names := make([]string, len(k.Keys))
		for i, n := range k.Keys {
			names[i] = "`" + cell(n) + "`"
		}
		if len(names) == 0 {
			names = []string{"palette"}
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", strings.Join(names, " "), k.Title, k.ID, k.Help)
	}
	return b.String()
}

// cell is a text that divides no cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// settingsMarkdown are tables of the settings, one for each section.
func settingsMarkdown() string {
	called := map[string]string{}
	for _, p := range param.Specs() {
		called[p.Key] = p.Name
	}
	var b strings.Builder
	section := ""
	for _, s := range settings() {
		if at, _, _ := strings.Cut(s.Key, "."); at != section {
			section = at
			fmt.Fprintf(&b, "\n## %s\n\n| setting | %svariable | flag | default | accepts | |\n| --- | %s--- | --- | --- | --- | --- |\n",
				section, ofParameters(section, "in the explorer | "), ofParameters(section, "--- | "))
		}
		variable, flag := "", ""
		if s.Env != "" {
			variable = "`" + s.Env + "`"
		}
		if s.Flag != "" {
			flag = "`--" + s.Flag + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s%s | %s | %s | %s | %s |\n", s.Key, ofParameters(section, called[s.Key]+" | "), variable, flag,
			cell(cmp.Or(s.DefaultNote, s.Default, "none")), cell(strings.TrimSpace(s.Range()+" "+s.Unit)), cell(s.Help))
	}
	return b.String() + "\n"
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

// ofParameters is a column that only parameters of retrieval have.
func ofParameters(section, column string) string {
	if section+"." == param.KeyPrefix {
		return column
	}
	return ""
}

// commandsMarkdown is a table of the commands, and the help of each.
func commandsMarkdown(t *testing.T) string {
	t.Helper()
	var table, helps strings.Builder
	table.WriteString("| command | |\n| --- | --- |\n")
	for _, cmd := range newRoot(newApp(process{})).Commands() {
		table.WriteString("| [`" + cmd.Name() + "`](#" + cmd.Name() + ") | " + cmd.Short + " |\n")
		helps.WriteString(helpMarkdown(t, cmd, "##"))
		for _, sub := range cmd.Commands() {
			helps.WriteString(helpMarkdown(t, sub, "###"))
		}
	}
	return table.String() + helps.String() + "\n"
}

// helpMarkdown is what a command's help prints, without what it says of all commands.
func helpMarkdown(t *testing.T, cmd *cobra.Command, level string) string {
	t.Helper()
	name := strings.TrimPrefix(cmd.CommandPath(), "webrag-tui ")
	var out, narration bytes.Buffer
	args := append(strings.Fields(name), "--help")
	if code := run(t.Context(), process{args: args, out: &out, err: &narration, now: time.Now}); code != 0 {
		t.Fatalf("%s: %s", args, narration.String())
	}
	help, _, _ := strings.Cut(out.String(), "\nFlags of all commands\n")
	return "\n" + level + " " + name + "\n\n```\n" + strings.TrimSpace(help) + "\n```\n"
}
