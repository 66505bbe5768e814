package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
)

// example matches a command of a document with what it prints.
var example = regexp.MustCompile("(?m)^```console\n\\$ webrag-tui ([^\n]*)\n((?:[^`][^\n]*\n|\n)*)```$")

// effort matches a number that says how the program works and not what it found.
var effort = regexp.MustCompile(`\d+ rankings tried`)

// more ends an example that does not show all of its output.
const more = "…\n"

// exampleDocuments are the documents whose examples are run: the guide's on some
// small pages, so that what they print is no part of what they ask; the others', the
// README first, on the guide, as it is after that.
func exampleDocuments(t *testing.T) (guide, others []string) {
	t.Helper()
	guide, err := filepath.Glob(filepath.Join("..", "..", "docs", "guide", "*.md"))
	if err != nil || len(guide) < 5 {
		t.Fatalf("the guide has the pages %q: %v", guide, err)
	}
	others, err = filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(others) < 5 {
		t.Fatalf("the documents are %q: %v", others, err)
	}
	return guide, append([]string{filepath.Join("..", "..", "README.md")}, others...)
}

// commandOn runs a command on a corpus, with these variables.
type commandOn func(environ []string, args ...string) (code int, stdout, stderr string)

// corpusCommand indexes pages and returns what runs commands on that corpus.
func corpusCommand(t *testing.T, pages string) commandOn {
	t.Helper()
	dir := t.TempDir()
	settings := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(settings, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(environ []string, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, narration bytes.Buffer
		args = append(args, "--config", settings, "--corpus", filepath.Join(dir, "pages.db"), "--no-color")
		code = run(t.Context(), process{args: args, in: strings.NewReader("a question\n"), out: &out, err: &narration, environ: environ, now: time.Now})
		return code, out.String(), narration.String()
	}
	if code, _, narration := command(nil, "index", pages); code != 0 {
		t.Fatalf("%s was not indexed: %s", pages, narration)
	}
	return command
}

// TestGeneratedExamplesAreCurrent runs the commands of the documents and
// compares what they print. make golden rewrites that; an example keeps its
// number of lines.
func TestGeneratedExamplesAreCurrent(t *testing.T) {
	guide, others := exampleDocuments(t)
	found := 0
	onPages := corpusCommand(t, filepath.Join("testdata", "examples"))
	for _, page := range guide {
		found += currentExamples(t, page, onPages)
	}
	if found < 4 {
		t.Errorf("the guide has %d examples: the test does not see them", found)
	}
	onGuide := corpusCommand(t, filepath.Join("..", "..", "docs", "guide"))
	found = 0
	for _, page := range others {
		found += currentExamples(t, page, onGuide)
	}
	if found < 2 {
		t.Errorf("the README has %d examples: the test does not see them", found)
	}
	currentSizes(t, filepath.Join("..", "..", "docs", "corpora.md"), onGuide)
}

// sizes and rows match what doctor says of the size of the guide.
var (
	sizes = regexp.MustCompile(`(\d+) pages, (\d+) sections, (\d+) passages`)
	rows  = regexp.MustCompile(`about 0 beside about \d+`)
)

// currentSizes holds the numbers of the example of doctor, which is about the guide in a
// database.
func currentSizes(t *testing.T, document string, command commandOn) {
	t.Helper()
	_, out, _ := command(nil, "doctor")
	is := sizes.FindStringSubmatch(out)
	raw, err := os.ReadFile(document)
	if err != nil || is == nil {
		t.Fatalf("doctor says no sizes, or there is no document (%v):\n%s", err, out)
	}
	sections, _ := strconv.Atoi(is[2])
	passages, _ := strconv.Atoi(is[3])
	text := rows.ReplaceAllString(sizes.ReplaceAllString(string(raw), is[0]), "about 0 beside about "+strconv.Itoa(sections+passages))
	if os.Getenv(update) != "" {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(raw) {
		t.Errorf("the example of doctor has other numbers than %q: run make golden", is[0])
	}
}

// currentExamples runs the examples of a document and counts them.
func currentExamples(t *testing.T, document string, command commandOn) (found int) {
	t.Helper()
	raw, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := example.ReplaceAllStringFunc(string(raw), func(block string) string {
		found++
		parts := example.FindStringSubmatch(block)
		line, tail, isCut := strings.Cut(parts[1], " | tail -")
		code, out, narration := command(nil, words(line)...)
		if code != 0 {
			t.Fatalf("%s: webrag-tui %s: exit code %d\n%s", document, line, code, narration)
		}
		lines := strings.SplitAfter(strings.TrimRight(out, "\n")+"\n", "\n")
		if n, err := strconv.Atoi(tail); isCut && err == nil {
			lines = lines[max(0, len(lines)-1-n):]
		}
		shown := strings.Count(strings.TrimSuffix(parts[2], more), "\n")
		now := strings.Join(lines[:min(shown, len(lines))], "")
		if shown < len(lines)-1 {
			now += more
		}
		return "```console\n$ webrag-tui " + parts[1] + "\n" + now + "```"
	})
	if os.Getenv(update) != "" {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if effort.ReplaceAllString(text, "") != effort.ReplaceAllString(string(raw), "") {
		t.Errorf("the examples of %s print something else now: run make golden; they print\n%s",
			document, strings.Join(example.FindAllString(text, -1), "\n"))
	}
	return found
}

// shellBlock matches a block of commands.
var shellBlock = regexp.MustCompile("(?ms)^```(?:sh|console)\n(.*?)^```$")

// commandIn matches a command of such a block with the variables before it, and
// without what a shell does with the rest of the line.
var commandIn = regexp.MustCompile(`^(?:\$ )?((?:[A-Z_]+=\S+ )*)webrag-tui((?: (?:'[^']*'|"[^"]*"|[^\s'"|><#]\S*))*)`)

// TestCommandsOfDocumentsAreUnderstood holds that each command of the documents has flags and values that the program takes, by running those that need
// neither a screen nor a server.
func TestCommandsOfDocumentsAreUnderstood(t *testing.T) {
	guide, others := exampleDocuments(t)
	command := corpusCommand(t, filepath.Join("testdata", "examples"))
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // after the variable has its old value again
	t.Setenv("XDG_CONFIG_HOME", dir)
	xdg.Reload()
	passage := filepath.Join(dir, "passage.md")
	if err := os.WriteFile(passage, []byte("A passage.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	understood, ran := 0, 0
	for _, document := range append(guide, others...) {
		raw, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		// Each document begins without profiles.
		if err := os.RemoveAll(filepath.Join(dir, appFolder)); err != nil {
			t.Fatal(err)
		}
		for _, block := range shellBlock.FindAllStringSubmatch(string(raw), -1) {
			for line := range strings.Lines(block[1]) {
				parts := commandIn.FindStringSubmatch(line)
				if parts == nil {
					continue
				}
				args := words(strings.ReplaceAll(parts[2], `"`, "'"))
				cmd, rest, err := newRoot(newApp(process{})).Find(args)
				if err == nil {
					err = cmd.ParseFlags(rest)
				}
				if err != nil {
					t.Errorf("%s: %s: %v", document, line, err)
					continue
				}
				understood++
				if !runsAnywhere(cmd) {
					continue
				}
				ran++
				if i := slices.Index(args, "passage.md"); i >= 0 {
					args[i] = passage
				}
				if code, _, narration := command(strings.Fields(parts[1]), args...); code != exitFine && code != exitNothing {
					t.Errorf("%s: %s: exit code %d\n%s", document, line, code, narration)
				}
			}
		}
	}
	if understood < 40 || ran < 25 {
		t.Errorf("only %d commands were seen, and %d of them ran", understood, ran)
	}
}

// runsAnywhere says that a command of the documents needs no more than a corpus.
func runsAnywhere(cmd *cobra.Command) bool {
	switch cmd.CommandPath() {
	case "webrag-tui query", "webrag-tui why", "webrag-tui compare", "webrag-tui context", "webrag-tui cite", "webrag-tui presets",
		"webrag-tui profile save", "webrag-tui profile show", "webrag-tui profile env", "webrag-tui config show", "webrag-tui config env",
		"webrag-tui docs list", "webrag-tui edges list", "webrag-tui doctor":
		return true
	default:
		return false
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
