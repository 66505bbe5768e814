// Package testdata holds the fixtures of this project for tests of any package:
// pages, inputs that are bad on purpose, and judged queries. README.md says what
// each is for. Nothing but tests and measurements imports it.
package testdata

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
)

// Files are everest.html and the folders pages, images and bad.
//
//go:embed everest.html pages images bad
var Files embed.FS

//go:embed judgments.tsv
var judgments string

// Judgment says that a passage is relevant to a query.
type Judgment struct {
	// QueryID names the query, Kind says what it is like: word, words,
	// question, identifier, paraphrase.
	QueryID, Kind, Query string
	// Grade is 3 (answers it), 2 (relevant) or 1 (related).
	Grade int
	// Source is the page: "guide/ranking.md" in the guide, else a path in Files.
	Source string
	// Quote occurs once in the page, white space collapsed.
	Quote string
}

// Judgments returns all judgments in the order of the file, the lines of one
// query together.
func Judgments() ([]Judgment, error) {
	var list []Judgment
	line := 0
	for text := range strings.Lines(judgments) {
		line++
		fields := strings.Split(strings.TrimRight(text, "\n"), "\t")
		if len(fields) != 6 {
			return nil, fmt.Errorf("judgments.tsv:%d: %d fields, want 6", line, len(fields))
		}
		if line == 1 {
			continue
		}
		grade, err := strconv.Atoi(fields[3])
		if err != nil || grade < 1 || grade > 3 {
			return nil, fmt.Errorf("judgments.tsv:%d: grade %q, want 1 to 3", line, fields[3])
		}
		list = append(list, Judgment{
			QueryID: fields[0], Kind: fields[1], Query: fields[2],
			Grade: grade, Source: fields[4], Quote: fields[5],
		})
	}
	return list, nil
}

// Nested is a page with depth elements inside each other around a sentence.
func Nested(depth int) string {
	return "<!DOCTYPE html><html><head><title>Nested</title></head><body>" +
		strings.Repeat("<div>", depth) + "<p>At the bottom of it all.</p>" + strings.Repeat("</div>", depth) +
		"</body></html>\n"
}

// Large is a page of at least size bytes, in sections of ordinary prose.
func Large(size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 1024)
	b.WriteString("<!DOCTYPE html><html><head><title>Large</title></head><body><h1>Large</h1>\n")
	for section := 1; b.Len() < size; section++ {
		fmt.Fprintf(&b, "<h2>Section %d</h2>\n", section)
		for range 8 {
			fmt.Fprintf(&b, "<p>Section %d says what the one before it said, in the same words, so that a page grows without growing in meaning.</p>\n", section)
		}
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}
