//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// crafted are corpora that somebody has made with care: whole as files, and wrong.
var crafted = family{
	name:  "crafted",
	tries: "a corpus in which one number, order, parent, vector, relation or text is impossible, or a text is exchanged, in place and in a file built anew",
	holds: "what was changed in place is said by a command or by `doctor`; no crash, no gigabytes; the explorer ends in order",
	count: 2 * len(crafts), short: 4,
	begin: func(a *arena) (attempt, error) {
		path := a.corpus()
		home := a.standIn(filepath.Join(a.dir, "crafted.home"))
		if err := home.run("doctor", "--corpus", path).fine(); err != nil {
			return nil, err
		}
		return func(t *try) error {
			statement := crafts[t.n%len(crafts)]
			path := t.copyOf(t.guide.path, "corpus.db")
			craft(path, statement)
			// Somebody with more care leaves no trace of the change, and need only
			// be kept from harm: who makes a corpus says what is in it.
			careful := t.n/len(crafts)%2 == 1
			if careful {
				whole := t.path("whole.db")
				rebuild(path, whole)
				path = whole
			}
			doctor := t.run("doctor", "--corpus", path)
			if err := doctor.sound(); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
			said := doctor.code != 0
			for _, args := range [][]string{
				{"query", "--json", questions[0]},
				{"query", "--explain", "--preset", "graph", questions[1]},
				{"context", questions[0]},
				{"why", questions[0], "--source", "file:pages/retries-1.md"},
				{"docs", "show", "file:pages/retries-1.md"},
				{"edges", "list"},
				{"cite", "file:pages/retries-1.md", "--quote", "Part 1"},
				{"docs", "list", "--json"},
				{"copy", "--from", path, "--to", t.path("to.db")},
			} {
				o := t.run(append(args, "--corpus", path)...)
				if err := o.sound(); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
				said = said || o.code > 1
			}
			if !said && !careful {
				return fmt.Errorf("%s: neither doctor nor any other command says that anything is wrong", statement)
			}
			if !careful {
				return nil
			}
			x := t.open(call{args: []string{"explore", "--corpus", path, questions[0]}})
			x.until(5e9, "On ", "corpus")
			for _, key := range []string{"\x1b", "\r", "e", "j", "j", "\x1b", "3", "\r", "\r", "2", "1", "t", "]", "[", "\x1b"} {
				x.keys(key)
				x.settle(40e6)
			}
			if err := x.end(t.ctx); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
			return nil
		}, nil
	},
}

// crafts are what is done to a corpus, one thing at a time.
var crafts = append(numbers(
	map[string][]string{
		"corpus_meta": {"schema_version", "dimensions"},
		"chunks":      {"char_start", "char_end", "token_start", "token_end", "chunk_index", "term_count"},
		"documents":   {"token_count", "parent_count", "child_count"},
	}),
	"UPDATE chunks SET parent_id = id WHERE chunk_level = 'child'",
	"UPDATE chunks SET parent_id = 'nobody' WHERE chunk_level = 'child' AND seq % 3 = 0",
	"UPDATE chunks SET chunk_level = 'neither' WHERE seq % 3 = 0",
	"UPDATE chunks SET chunk_index = -chunk_index",
	"UPDATE chunks SET document_id = (SELECT id FROM documents LIMIT 1)",
	"UPDATE chunks SET id = id || 'x' WHERE seq = 2",
	"UPDATE chunk_texts SET chunk_text = 'exchanged' WHERE seq IN (3, 4, 5)",
	"UPDATE chunk_texts SET chunk_text = replace(chunk_text, 'boosting', 'boasting')",
	"UPDATE chunk_texts SET chunk_text = CAST(zeroblob(200000000) AS TEXT) WHERE seq = 2",
	"UPDATE chunk_texts SET html_text = '<p>another</p>' || html_text WHERE html_text IS NOT NULL",
	"UPDATE vectors SET v = zeroblob(3)",
	"UPDATE vectors SET v = zeroblob(200000000) WHERE seq = (SELECT min(seq) FROM vectors)",
	"UPDATE vectors SET v = (SELECT v FROM vectors ORDER BY seq LIMIT 1)",
	"DELETE FROM vectors WHERE seq % 2 = 0",
	"UPDATE packs SET rows = zeroblob(length(rows))",
	"UPDATE packs SET rows = (SELECT rows FROM packs LIMIT 1)",
	"UPDATE packs SET codes = zeroblob(length(codes))",
	"DELETE FROM term_blocks WHERE term < 'm'",
	"UPDATE term_blocks SET lists = zeroblob(length(lists))",
	"UPDATE term_segments SET roster = zeroblob(100)",
	"UPDATE term_segments SET children = 1000000000, last = 9223372036854775807",
	"UPDATE chunk_edges SET relation = 'unheard of'",
	"UPDATE chunk_edges SET weight = 1e308",
	"UPDATE documents SET metadata = '{\"a\":', tags = '[1'",
	"UPDATE documents SET depth = -1000000",
	"UPDATE documents SET fetched_at = 'yesterday', indexed_at = '9999999-01-01'",
	"UPDATE chunks SET heading_path = '[' || '\""+strings.Repeat("deep", 1000)+"\"]'",
	"DROP TABLE chunk_texts",
	"DROP TABLE corpus_meta",
	"DELETE FROM corpus_meta",
	"UPDATE corpus_meta SET calibration = '{', embedder_id = 'nobody/0/0', tokenizer = 'hf:/dev/zero'",
)

// numbers sets each column to numbers that no corpus has.
func numbers(columns map[string][]string) []string {
	var made []string
	for _, table := range []string{"corpus_meta", "documents", "chunks"} {
		for _, column := range columns[table] {
			for _, value := range []string{"-1", "-1024", "2147483648", "9223372036854775807"} {
				made = append(made, fmt.Sprintf("UPDATE %s SET %s = %s", table, column, value))
			}
			if table == "chunks" {
				made = append(made, fmt.Sprintf("UPDATE chunks SET %s = %s * 1000000", column, column))
			}
		}
	}
	return made
}
