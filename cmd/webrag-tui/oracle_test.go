package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/testdata/oracle"
)

// onFrozenPages indexes the frozen pages in a folder of their own, to which it
// goes, and returns what runs a command there, at a moment that stands still, and
// what compares a transcript with the frozen one of a name.
func onFrozenPages(t *testing.T) (command func(in string, args ...string) (code int, stdout, stderr string), hold func(name, transcript string)) {
	t.Helper()
	notBeside(t)
	collectLess(t)
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, noon := t.TempDir(), time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	if err := os.CopyFS(dir, oracle.Corpus(t)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, noon, noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(xdg.Reload) // after the variables have their old values again
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, dir)
	}
	xdg.Reload()
	t.Chdir(dir)
	command = func(in string, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, narration bytes.Buffer
		code = run(t.Context(), process{
			args: append(args, "--corpus", "frozen.db"), in: strings.NewReader(in), out: &out, err: &narration,
			now: func() time.Time { return noon },
		})
		return code, out.String(), narration.String()
	}
	if code, _, narration := command("", "index", "guide", "pages", "everest.html"); code != exitFine {
		t.Fatalf("exit code %d: %s", code, narration)
	}
	return command, func(name, transcript string) {
		t.Helper()
		oracle.Hold(t, filepath.Join(home, "testdata", "oracle", name), transcript)
	}
}

// collectLess has the garbage collected less often while a test runs hundreds of
// commands in one process: a fifth of the time went into that.
func collectLess(t *testing.T) {
	const percent = 400
	before := debug.SetGCPercent(percent)
	t.Cleanup(func() { debug.SetGCPercent(before) })
}

// frozenJudgment is a line of the frozen judgments.
type frozenJudgment struct{ query, source, quote string }

// frozenJudgments are those that lie in the frozen pages.
func frozenJudgments(t *testing.T) (list []frozenJudgment) {
	t.Helper()
	raw, err := fs.ReadFile(oracle.Corpus(t), "judgments.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, frozenJudgment{fields[2], fields[4], fields[5]})
	}
	return list[1:]
}

// oraclePresets are all presets, in the order in which they are listed.
var oraclePresets = []string{"blend", "webrag", "textbook", "hybrid", "graph", "topk"}

// The result of each judged query with each preset, its explanations and all that
// was dropped are what they were.
func TestOracleOfRankings(t *testing.T) {
	command, hold := onFrozenPages(t)
	var queries []string
	for _, j := range frozenJudgments(t) {
		queries = append(queries, j.query)
	}
	queries = slices.Compact(queries)
	for _, preset := range oraclePresets {
		var b strings.Builder
		code, out, narration := command(strings.Join(queries, "\n")+"\n", "query", "-", "--json", "--explain", "--mode", "chunk", "--preset", preset)
		if code != exitFine && code != exitNothing {
			t.Fatalf("%s: exit code %d: %s", preset, code, narration)
		}
		answers := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
		if len(answers) != len(queries) {
			t.Fatalf("%s: %d answers to %d queries", preset, len(answers), len(queries))
		}
		for i, query := range queries {
			fmt.Fprintf(&b, "%swebrag-tui query --json --explain --mode chunk --preset %s %s\n%s", oracle.Mark, preset, file.ShellWord(query), digest(t, answers[i]))
		}
		hold("rankings_"+preset+".txt.gz", b.String())
	}
}

// Why the judged passages are in the result of their query or not, and what would
// let them in.
func TestOracleOfWhyNot(t *testing.T) {
	command, hold := onFrozenPages(t)
	var b strings.Builder
	for i, j := range frozenJudgments(t) {
		for p, preset := range oraclePresets {
			if i%3 != p%3 {
				continue // each takes its time
			}
			args := []string{"why", j.query, "--quote", j.quote, "--json", "--mode", "chunk", "--preset", preset}
			code, out, _ := command("", args...)
			fmt.Fprintf(&b, "%swebrag-tui %s\nexit code %d\n%s", oracle.Mark, shellLine(args), code, digest(t, out))
		}
	}
	hold("why.txt.gz", b.String())
}

// What two presets return for each judged query.
func TestOracleOfComparisons(t *testing.T) {
	command, hold := onFrozenPages(t)
	var b strings.Builder
	for i, j := range frozenJudgments(t) {
		a := oraclePresets[i%len(oraclePresets)]
		for _, step := range []int{1, 2} {
			other := oraclePresets[(i+step)%len(oraclePresets)]
			args := []string{"compare", j.query, "--a", a, "--b", other, "--json", "--mode", "chunk"}
			code, out, _ := command("", args...)
			fmt.Fprintf(&b, "%swebrag-tui %s\nexit code %d\n%s", oracle.Mark, shellLine(args), code, digest(t, out))
		}
	}
	hold("comparisons.txt.gz", b.String())
}

// shellLine is a command line to be typed.
func shellLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = file.ShellWord(arg)
	}
	return strings.Join(words, " ")
}

// The digest of a document of JSON has what is plain in it and in the objects of its
// lists, a field a line; of what is longer it has a sum, so that none of it changes
// unnoticed.
func digest(t *testing.T, text string) string {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	var v map[string]any
	if err := in.Decode(&v); err != nil {
		t.Fatalf("%v: %.200q", err, text)
	}
	var b strings.Builder
	writeFields(&b, v, func(key string, under any) {
		list, ok := under.([]any)
		if !ok {
			list = []any{under}
		}
		for i, element := range list {
			object, ok := element.(map[string]any)
			if !ok {
				fmt.Fprintf(&b, "%s[%d] %s\n", key, i, shortValue(element))
				continue
			}
			fmt.Fprintf(&b, "%s[%d]\n", key, i)
			writeFields(&b, object, func(key string, under any) {
				fmt.Fprintf(&b, " %s %s\n", key, shortValue(under))
			})
		}
	})
	return b.String()
}

// writeFields writes the fields of an object that hold a text, a number or true, and
// leaves its lists and objects to nested.
func writeFields(b *strings.Builder, object map[string]any, nested func(key string, under any)) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		switch value := object[key].(type) {
		case nil:
		case []any:
			if len(value) > 0 {
				nested(key, value)
			}
		case map[string]any:
			nested(key, value)
		default:
			if value != false && value != "" && !effortField(key) {
				fmt.Fprintf(b, " %s %s\n", key, shortValue(value))
			}
		}
	}
}

// effortField says that a number tells how the program worked and not what it found.
func effortField(key string) bool { return key == "rankings_tried" || strings.HasSuffix(key, "_ms") }

// shortValue is a value as it is, if that is short, or else a sum that stands for it.
func shortValue(v any) string {
	const longest = 240
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was JSON
	}
	text := roundedAll(string(raw))
	if len(text) > longest {
		return fmt.Sprintf("sum %x", sha256.Sum256([]byte(text)))[:10]
	}
	return text
}

// digits matches a number whose last digits may depend on the processor.
var digits = regexp.MustCompile(`-?\d+\.\d+(?:e[-+]?\d+)?`)

// roundedAll rounds the numbers of a text.
func roundedAll(text string) string { return digits.ReplaceAllStringFunc(text, rounded) }

// rounded keeps ten digits of a number: others may depend on whether a processor
// multiplies and adds in one step.
func rounded(number string) string {
	const kept = 10
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || len(number) <= kept {
		return number
	}
	return strconv.FormatFloat(x, 'g', kept, 64)
}
