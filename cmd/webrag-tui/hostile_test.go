package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/testdata/hostile"
)

// hostileWords are what the pages of a stranger's corpus are about.
const hostileWords = "retries"

// target is a corpus that commands are tried on: where it is, a page in it by its
// id, and another one that can be hidden.
type target struct{ corpus, page, other, more, dir string }

// tries are the arguments of every command, by its path. Each is tried as it is and
// with --json.
func tries(c target) map[string][][]string {
	file := func(name string) string { return filepath.Join(c.dir, name) }
	return map[string][][]string{
		"ann":            {{hostileWords}},
		"cite":           {{c.page, "--span", "0-40"}, {c.page, "--quote", "the"}, {c.page, "--quote", "nowhere to be found"}, {c.page + hostile.Text}},
		"compare":        {{"--a", "hybrid", "--b", "graph", hostileWords}},
		"config env":     {{}},
		"config path":    {{}},
		"config show":    {{}},
		"context":        {{hostileWords}, {"--ground", "--preset", "webrag", hostileWords}},
		"copy":           {{"--from", c.corpus, "--to", file("copy.db")}},
		"docs list":      {{}, {"--deleted"}, {"--tag", hostile.Text}},
		"docs show":      {{c.page}, {c.page + hostile.Text}},
		"docs delete":    {{c.other}},
		"docs restore":   {{c.other}},
		"doctor":         {{}},
		"edges list":     {{}, {"--dangling"}, {"--source", c.page}},
		"edges import":   {{file("edges.jsonl")}},
		"index":          {{file("pages")}, {"--reembed"}},
		"evaluate":       {{file("set"), "--profile", "hybrid", "--per-query"}, {hostile.Text}},
		"judge add":      {{file("set"), "--query", hostileWords, "--source", c.page, "--grade", "3"}, {file("set"), "--query", hostileWords, "--source", c.page + hostile.Text, "--grade", "3"}},
		"judge edit":     {{file("set"), "q1", "--text", hostileWords, "--tag", hostile.Text}, {file("set"), hostile.Text, "--remove"}, {hostile.Text, "q1", "--remove"}},
		"judge agree":    {{file("set")}, {hostile.Text}},
		"judge export":   {{file("set"), "--format", "json", "-o", "-"}, {hostile.Text, "--format", "qrels"}},
		"judge generate": {{file("made")}, {hostile.Text}},
		"judge grade":    {{file("made")}, {hostile.Text}},
		"judge import":   {{file("taken"), file("edges.jsonl")}, {file("taken"), file("set")}},
		"judge list":     {{}, {"--sets", c.dir}},
		"judge new":      {{file("new")}, {hostile.Text}},
		"judge show":     {{file("set")}, {file("set"), "q1"}, {hostile.Text}},
		"judge watch":    {{file("watched")}},
		"run":            {{file("set"), "--profile", "hybrid"}, {file("set"), "--profile", hostile.Text}},
		"sweep":          {{file("set"), "--profile", "hybrid", "--over", "top_k=1,5"}, {file("set"), "--over", hostile.Text}},
		"keys":           {{}},
		"migrate":        {{}, {"--dry-run"}},
		"presets":        {{}, {"webrag"}, {hostile.Text}},
		"profile env":    {{"mine"}, {"mine", "--go"}},
		"profile list":   {{}},
		"profile save":   {{"mine", "--budget", "4000"}, {hostile.Text}},
		"profile show":   {{"mine"}, {hostile.Text}},
		"query":          {{"--explain", "--text", "--plan", "--preset", "graph", hostileWords}, {"--explain", "--preset", "webrag", "--mode", "chunk", hostileWords}, {"--ground", hostileWords}, {"--shape", "textbook", hostileWords}, {"--owner", "nobody" + hostile.Text, hostileWords}, {"--filter", "module=" + hostile.Text, hostileWords}},
		"trust":          {{"--list"}, {hostile.Text}},
		"version":        {{}},
		"why":            {{"--source", c.page, "--preset", "hybrid", "--set", "top_k=1", hostileWords}, {"--source", hostile.Text, hostileWords}},
		"help":           {{hostile.Text}},
		"man":            nil, // shows nothing of a corpus
		"completion zsh": nil, "completion bash": nil, "completion fish": nil, "completion powershell": nil,
		"explore": {{}}, "demo": nil, "replay": {{file("edges.jsonl")}},
	}
}

// leaves are all commands that do something, by their path.
func leaves(cmd *cobra.Command, path string) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		name := strings.TrimSpace(path + " " + sub.Name())
		if below := leaves(sub, name); len(below) > 0 {
			all = append(all, below...)
			continue
		}
		all = append(all, name)
	}
	return all
}

// ownStyles are the sequences that the program writes itself.
var ownStyles = regexp.MustCompile(`\x1b\[(1|2|22)m`)

// untamed is what in an output a terminal would obey, or nothing.
func untamed(text string) string {
	text = ownStyles.ReplaceAllString(text, "")
	for at, r := range text {
		_, size := utf8.DecodeRuneInString(text[at:])
		if r == '\n' || r == '\t' {
			continue
		}
		if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == utf8.RuneError && size == 1 {
			return text[max(0, at-60):min(len(text), at+20)]
		}
	}
	return ""
}

// hostileCorpus makes a corpus of some pages with links, tags, metadata, an edge of a
// file and a deleted page, in a folder of its own, which is that of the settings too.
func hostileCorpus(t *testing.T) target {
	t.Helper()
	c := target{dir: t.TempDir()}
	config := xdg.ConfigHome
	xdg.ConfigHome = filepath.Join(c.dir, "config")
	t.Cleanup(func() { xdg.ConfigHome = config })
	c.corpus = filepath.Join(c.dir, "c.db")
	pages := filepath.Join(c.dir, "pages")
	for name, text := range map[string]string{
		"a.html": "<html lang=en><head><title>Retries</title></head><body><h1>Retries</h1><p>The retries are three, as <a href=b.html#table>the table</a> says.</p><h2 id=more>More</h2><p>More on retries.</p></body></html>",
		"b.html": "<html><head><title>Limits</title><meta name=description content=words></head><body><h1>Limits</h1><h2 id=table>Table</h2><table><tr><th>retries<th>limit</tr><tr><td>the<td>3</tr></table><img src=x.png alt=x></body></html>",
		"c.md":   "# Gone\n\nThe retries of a page that goes.\n",
	} {
		c.write(t, filepath.Join("pages", name), text)
	}
	at := []string{"--corpus", c.corpus}
	must := func(args ...string) string {
		code, stdout, stderr := commandLine(t, nil, append(args, at...)...)
		if code != exitFine {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr)
		}
		return stdout
	}
	must("index", "--meta", "module=billing", "--tag", "draft", "--owner", "me", pages)
	var list []struct{ ID, Title string }
	if err := json.Unmarshal([]byte(must("docs", "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		switch d.Title {
		case "Retries":
			c.page = d.ID
		case "Limits":
			c.other = d.ID
		default:
			must("docs", "delete", d.ID)
		}
	}
	c.write(t, "edges.jsonl", `{"source_url":"`+hostile.EvilText("x", "")+`","relation":"\u001b]52;c;x\u0007"}`+"\n"+hostile.Bytes+"\n")
	c.more = filepath.Join(pages, "c.md")
	c.write(t, "set/queries.tsv", "q1\t"+hostileWords+" "+hostile.Text+"\n"+hostile.Bytes+"\n")
	c.write(t, "set/judgments.jsonl", `{"query_id":"q1","source_url":"`+hostile.EvilText("x", "")+`","quote":"\u001b]52;c;x\u0007","grade":2,"judge":"\u202e"}`+"\n"+hostile.Bytes+"\n")
	must("profile", "save", "mine", "--budget", "4000")
	return c
}

func (c target) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// copied is the target with a file of its own.
func (c target) copied(t *testing.T, name string) target {
	t.Helper()
	content, err := os.ReadFile(c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	c.corpus = filepath.Join(c.dir, name+".db")
	if err := os.WriteFile(c.corpus, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// change changes the file.
func (c target) change(t *testing.T, do func(ctx context.Context, db *sql.DB) error) {
	t.Helper()
	db, err := sql.Open("sqlite", c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	err = do(t.Context(), db)
	if closed := db.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
}

// tryAll runs commands on a corpus and holds what they say.
func tryAll(t *testing.T, c target, what string, commands []string) {
	t.Helper()
	all := tries(c)
	for _, path := range commands {
		for _, args := range all[path] {
			for _, more := range [][]string{{}, {"--json"}} {
				_ = os.Remove(filepath.Join(c.dir, "copy.db"))
				line := slices.Concat(strings.Fields(path), args, more, []string{"--corpus", c.corpus})
				// As on a terminal with colours.
				code, stdout, stderr := commandLine(t, []string{"CLICOLOR_FORCE=1", "TERM=xterm-256color"}, line...)
				for stream, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
					if raw := untamed(text); raw != "" {
						t.Errorf("%s: %q: exit code %d, %s has %q", what, line, code, stream, raw)
					}
				}
			}
		}
	}
}

// mustShow holds that hostile text of a page, so many times at least, and of the edges
// is printed: else whoever tries commands sees nothing.
func mustShow(t *testing.T, c target, least int) {
	t.Helper()
	for _, shown := range []struct {
		least int
		args  []string
	}{{least, []string{"docs", "show", c.page}}, {2, []string{"edges", "list"}}} {
		code, stdout, stderr := commandLine(t, nil, append(shown.args, "--corpus", c.corpus)...)
		if code != exitFine || strings.Count(stdout, "52;c;ZXZpbA==") < shown.least {
			t.Fatalf("%v: exit code %d: %s%s", shown.args, code, stdout, stderr)
		}
	}
}

// Whatever a stranger's corpus holds, nothing that any command prints of it is
// obeyed by a terminal. All columns of all tables are hostile together, as far as a
// corpus can be read then, and each of the others by itself.
func TestHostileCorpusInAllCommands(t *testing.T) {
	notBeside(t)
	c := hostileCorpus(t)
	commands := leaves(newRootWithHelp(t), "")
	for _, path := range commands {
		if _, ok := tries(c)[path]; !ok {
			t.Errorf("the command %q is not tried on a hostile corpus: give it arguments in tries", path)
		}
	}
	var columns []hostile.Column
	whole := c.copied(t, "all"+"\u202e\x1b]52;c;x\x07")
	whole.change(t, func(ctx context.Context, db *sql.DB) (err error) {
		if columns, err = hostile.Columns(ctx, db); err != nil {
			return err
		}
		for _, column := range columns {
			if !column.Kept {
				if err := hostile.Fill(ctx, db, column); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if len(columns) < 60 {
		t.Fatalf("only %d columns are found", len(columns))
	}
	mustShow(t, whole, 20)
	tryAll(t, whole, "all columns", commands)
	some := []string{"docs list", "docs show", "edges list", "doctor", "query", "index"}
	for _, column := range columns {
		if column.Kept {
			alone := c.copied(t, "alone")
			alone.change(t, func(ctx context.Context, db *sql.DB) error { return hostile.Fill(ctx, db, column) })
			tryAll(t, alone, column.String(), some)
		}
	}
}

// newRootWithHelp is the tree of commands with those that cobra adds at its start.
func newRootWithHelp(t *testing.T) *cobra.Command {
	t.Helper()
	a := newApp(process{now: time.Now})
	root := newRoot(a)
	root.AddCommand(newMan(a))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("help")
	return root
}
