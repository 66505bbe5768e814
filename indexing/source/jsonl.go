package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// readLines yields the documents of a JSONL stream, one a line. A line that is
// none is a page error, and reading goes on with the next.
func (s *Set) readLines(e *entry, r io.Reader, modified time.Time, yield yielder) bool {
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, err := readLine(in, 4*s.o.MaxBytes)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return true
		}
		if err == nil || errors.Is(err, io.EOF) {
			if len(bytes.TrimSpace(line)) == 0 {
				if err != nil {
					return true
				}
				continue
			}
			if !yield(s.line(e, line, number, modified), nil) {
				return false
			}
			continue
		}
		fatal := !errors.Is(err, errLine)
		if !yield(Page{}, &PageError{Path: fmt.Sprintf("%s:%d", e.shown, number), Err: err}) {
			return false
		}
		if fatal {
			return true
		}
	}
}

// line is the page of a line.
func (s *Set) line(e *entry, line []byte, number int, modified time.Time) Page {
	at, ofQueries := fmt.Sprintf("%s:%d", e.shown, number), isOfQueries(e.shown)
	return Page{
		Path: at, Root: e.mark,
		Sum: s.sum(line, "line", strconv.FormatBool(ofQueries)),
		Read: func() (NormalizedDocument, error) {
			doc, err := s.document(line, ofQueries, modified)
			if err != nil {
				return NormalizedDocument{}, &PageError{Path: at, Err: err}
			}
			doc.Path, doc.Root = at, e.mark
			return doc, nil
		},
	}
}

// errLine marks a fault of one line only.
var errLine = errors.New("not a document")

// endless is how many times the limit of a line ends the reading of a file: it is
// one without lines, and may go on for ever.
const endless = 16

// errEndless ends the reading of a file.
var errEndless = errors.New("this is no JSONL: it goes on without the end of a line; give a file with a document a line")

// readLine reads to the next newline. A line over the limit is read to its end
// and refused, and one that has none in sight is errEndless.
func readLine(in *bufio.Reader, limit int64) ([]byte, error) {
	var line []byte
	total, long := int64(0), false
	for {
		part, err := in.ReadSlice('\n')
		if total += int64(len(part)); total > limit && !long {
			long, line = true, nil
		}
		if total > endless*limit {
			return nil, errEndless
		}
		if !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return nil, fmt.Errorf("%w: %w", errLine, ErrTooLarge)
		}
		return line, err
	}
}

// document decodes a line, of the queries of a collection or not, and fills in what it
// leaves out.
func (s *Set) document(line []byte, ofQueries bool, modified time.Time) (NormalizedDocument, error) {
	var doc NormalizedDocument
	err := json.Unmarshal(line, &doc)
	var noTime *time.ParseError
	switch {
	case errors.As(err, &noTime):
		return doc, fmt.Errorf("%w: fetched_at is %q, which is no time: write it as 2026-01-31T12:00:00Z", errLine, shortened(noTime.Value))
	case err != nil:
		return doc, fmt.Errorf("%w: %w", errLine, err)
	}
	if doc.SourceURL == "" && doc.URL == "" {
		readBEIR(&doc, line, ofQueries)
	}
	if doc.SourceURL == "" {
		doc.SourceURL = doc.URL
	}
	if doc.URL == "" {
		doc.URL = doc.SourceURL
	}
	switch {
	case doc.SourceURL == "":
		return doc, fmt.Errorf("%w: it has no url, nor _id and text as the documents of a collection of BEIR", errLine)
	case doc.Markdown == "" && doc.HTML == "":
		return doc, fmt.Errorf("%w: it has neither markdown nor html, or its text is empty", errLine)
	case int64(max(len(doc.Markdown), len(doc.HTML))) > s.o.MaxBytes:
		return doc, fmt.Errorf("%w: %w", errLine, s.tooLarge())
	case doc.Depth < 0:
		return doc, fmt.Errorf("%w: its depth is %d", errLine, doc.Depth)
	}
	// The line has fields of its own for what a header would say.
	if _, below := cutFrontMatter(doc.Markdown); below != doc.Markdown {
		if doc.Markdown = below; strings.TrimSpace(below) == "" && doc.HTML == "" {
			return doc, fmt.Errorf("%w: its markdown is %w below the front matter", errLine, ErrEmpty)
		}
	}
	if doc.SourceType == "" {
		doc.SourceType = "web"
	}
	if _, err := ParseSourceType(doc.SourceType); err != nil {
		return doc, fmt.Errorf("%w: %w", errLine, err)
	}
	if doc.DocType == "" {
		doc.DocType = "markdown"
		if doc.HTML != "" {
			doc.DocType = "html"
		}
	}
	if doc.FetchedAt.IsZero() {
		doc.FetchedAt = modified
	}
	doc.FetchedAt = doc.FetchedAt.UTC()
	s.note(&doc)
	return doc, nil
}

// readBEIR takes over what a document of a test collection in the layout of BEIR has in
// place of an address and markdown: an id, which may be a number and is then its digits as
// they are written, a text, and often a title. A query of one has no title either: among
// queries, what has none is no document.
func readBEIR(doc *NormalizedDocument, line []byte, ofQueries bool) {
	var of struct {
		ID    any     `json:"_id"`
		Title *string `json:"title"`
		Text  *string `json:"text"`
	}
	in := json.NewDecoder(bytes.NewReader(line))
	in.UseNumber()
	if in.Decode(&of) != nil || of.Text == nil || of.Title == nil && ofQueries || doc.Markdown != "" || doc.HTML != "" {
		return
	}
	var id string
	switch of := of.ID.(type) {
	case string:
		id = of
	case json.Number:
		id = of.String()
	}
	if id != "" {
		doc.SourceURL, doc.Markdown, doc.SourceType = BEIRAddress(id), *of.Text, "upload"
	}
}

// isOfQueries says by the name of a file that a collection in the layout of BEIR has its
// queries there, and not its documents.
func isOfQueries(name string) bool { return path.Base(filepath.ToSlash(name)) == "queries.jsonl" }

// BEIRAddress is the address that a document of a BEIR collection is indexed under.
func BEIRAddress(id string) string { return "beir:" + escapePath(id) }

// shortened is a value that a message quotes.
func shortened(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// countLines counts the lines of a file that hold something, up to one of more
// bytes than end the reading.
func countLines(ctx context.Context, e entry, limit int64) (int, error) {
	file, err := e.open()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	n, text, long := 0, false, int64(0)
	for {
		part, err := in.ReadSlice('\n')
		text = text || len(bytes.TrimSpace(part)) > 0
		switch long += int64(len(part)); {
		case ctx.Err() != nil:
			return n, ctx.Err()
		case long > limit:
			return n, errEndless
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text {
			n++
		}
		text, long = false, 0
		if err != nil {
			if errors.Is(err, io.EOF) {
				return n, nil
			}
			return n, err
		}
	}
}
