//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	planted "github.com/webrag/webrag-tui/testdata/hostile"
)

// hostile are corpora in which every text holds control sequences.
var hostile = family{
	name:  "hostile",
	tries: "control sequences in every text of every table of a corpus, shown by all commands and by the explorer with keys at random, and pages with them indexed",
	holds: "no byte of them reaches the terminal as anything but text; links are plain addresses",
	count: 2 * len(smuggled), short: 1,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		return func(t *try) error {
			what := smuggled[t.n%len(smuggled)]
			kind := (t.n + t.n/len(smuggled)) % 3
			if kind == 0 {
				return hostilePage(t, what)
			}
			return hostileCorpus(t, what, kind == 1)
		}, nil
	},
}

func hostileCorpus(t *try, what string, all bool) error {
	path := t.copyOf(t.guide.path, "corpus.db")
	filled := fill(path, what, all)
	if filled < 30 {
		must(fmt.Errorf("only %d columns were filled", filled))
	}
	var ids []string
	db, err := sql.Open("sqlite", path)
	must(err)
	defer db.Close()
	rows, err := db.Query("SELECT id FROM documents UNION ALL SELECT id FROM chunks LIMIT 30")
	must(err)
	defer rows.Close()
	for rows.Next() {
		var id string
		must(rows.Scan(&id))
		ids = append(ids, id)
	}
	must(rows.Err())
	for _, args := range showing(ids) {
		if err := t.run(append(args, "--corpus", path)...).sound(); err != nil {
			return err
		}
	}
	return showAll(t, path)
}

// showing are all commands that print what a corpus holds.
func showing(ids []string) [][]string {
	q := questions[0]
	args := [][]string{
		{"query", q},
		{"query", "--text", "--explain", q},
		{"query", "--explain", "--preset", "graph", q},
		{"query", "--json", q},
		{"query", "--preset", "hybrid", q},
		{"query", "--shape", "textbook", q},
		{"query", "--ground", q},
		{"context", q},
		{"context", "--ground", q},
		{"context", "--json", q},
		{"why", q, "--source", "file:pages/retries-1.md"},
		{"why", q, "--quote", "Part 1"},
		{"compare", q, "--a", "webrag", "--b", "graph"},
		{"compare", q, "--json"},
		{"docs", "list"},
		{"docs", "list", "--json"},
		{"docs", "list", "--deleted"},
		{"edges", "list", "--limit", "0"},
		{"edges", "list", "--dangling"},
		{"edges", "list", "--json"},
		{"cite", "file:pages/retries-1.md", "--span", "1-100"},
		{"cite", "file:pages/retries-1.md", "--quote", "retries"},
		{"doctor"},
		{"doctor", "--json"},
		{"query", "--tag", "none", q},
		{"docs", "list", "--tag", "none"},
		{"index", "--reembed"},
	}
	for i, id := range ids {
		if i < 3 {
			args = append(args, []string{"docs", "show", id}, []string{"docs", "show", "--json", id}, []string{"edges", "list", "--source", id})
		} else if i < 15 && i%4 == 0 {
			args = append(args, []string{"why", q, "--chunk", id})
		}
	}
	return args
}

// fill puts a text behind every text that a corpus holds, but for what must be as
// it is for the corpus to be one; with all it does so there, too. It returns how
// many columns there were.
func fill(path, what string, all bool) int {
	db, err := sql.Open("sqlite", path)
	must(err)
	defer db.Close()
	columns, err := planted.Columns(context.Background(), db)
	must(err)
	// Through a parameter, since a text may hold any byte.
	_, err = db.Exec("PRAGMA foreign_keys = off")
	must(err)
	for _, c := range columns {
		if (c.Kept || c.Table == "corpus_meta") && !all || strings.HasSuffix(c.Name, "id") || c.Name == "chunk_level" {
			continue
		}
		value := "coalesce(" + c.Name + ", '') || ?1"
		switch c.Name {
		case "tags", "heading_path", "url_aliases":
			value = "json_array(?1)"
		case "metadata":
			value = "json_object(?1, ?1)"
		case "image_refs", "anchors", "calibration":
			value = "json_array(?1)"
		}
		// What a table does not take is no attack.
		_, _ = db.Exec("UPDATE "+c.Table+" SET "+c.Name+" = "+value, what)
	}
	return len(columns)
}

// hostilePage indexes pages that hold the text wherever a page can.
func hostilePage(t *try, what string) error {
	t.write("site/evil.md", "---\ntitle: \"T"+what+"\"\ntags: [\"a"+what+"\"]\nmodule: \"m"+what+"\"\n---\n\n# H"+what+"\n\nretries boosting "+what+" [l"+what+"](http://x.example/"+what+")\n\n```\n"+what+"\n```\n")
	t.write("site/evil.html", "<html lang='"+what+"'><head><title>T"+what+"</title><meta name='description' content='"+what+"'><link rel=canonical href='http://x.example/"+what+"'></head>"+
		"<body><h1 id='"+what+"'>H"+what+"</h1><p>boosting "+what+"<a href='http://x.example/"+what+"'>l"+what+"</a><img alt='"+what+"' src='"+what+".png'></p><table><tr><td>"+what+"</table><pre>"+what+"</pre></body></html>")
	lines := fmt.Sprintf(`{"url":%q,"title":%q,"markdown":%q}`, "http://x.example/p"+"%1b]0;x", "t", "# a\n\nretries")
	t.write("site/lines.jsonl", lines+"\n")
	path := t.path("corpus.db")
	if err := t.run("index", "--corpus", path, "site", "--tag", "a"+strings.ToValidUTF8(strings.ReplaceAll(what, "\x00", ""), "")).sound(); err != nil {
		return err
	}
	for _, args := range showing(nil) {
		if err := t.run(append(args, "--corpus", path)...).sound(); err != nil {
			return err
		}
	}
	return showAll(t, path)
}

// showAll looks at a corpus in the explorer with keys that show much, and some at
// random.
func showAll(t *try, path string) error {
	x := t.open(call{args: []string{"explore", "--corpus", path, questions[0]}})
	x.until(5*time.Second, "corpus", "chunk", "On ")
	keys := strings.Fields("esc e j j enter m m O esc F esc y esc w enter esc 2 right right right enter esc 3 enter enter m esc r T O I 1 t right [ ] esc D esc # esc ! esc ? esc")
	for range 40 {
		keys = append(keys, one(t, "j", "k", "enter", "esc", "e", "m", "tab", "1", "2", "3", "r", "w", "O", "F", "l", "h", "n", "N", "v"))
	}
	named := map[string]string{"esc": "\x1b", "enter": "\r", "right": "\x1b[C", "tab": "\t"}
	for _, key := range keys {
		if s, ok := named[key]; ok {
			key = s
		}
		x.keys(key)
		x.settle(15 * time.Millisecond)
	}
	return x.end(t.ctx)
}
