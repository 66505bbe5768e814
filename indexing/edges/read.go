// Package edges reads edges of the graph from lines of JSON and finds the
// sections that they connect.
//
// A line is an object with "source" and "target", each the id of a chunk or an
// object with "url" and "anchor" or "heading", "relation", one of
// [store.Relations], and, if wanted, "weight" and "description":
//
//	{"source": {"url": "https://example.org/trees", "heading": "Depth"}, "target": "7f0c…", "relation": "depends_on", "weight": 0.9}
package edges

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MostBytes is the most that is read of a file of edges: all of it is resolved and
// written at once.
const MostBytes = 64 << 20

// mostBad is the most lines that are no edges: a file with more is of something
// else.
const mostBad = 10_000

// Read reads all lines. Those that are no edges are returned beside the others;
// blank ones count for the numbers only. err is the reader's, or says that hardly
// a line is an edge.
func Read(r io.Reader) (entries []Entry, bad []*LineError, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, err := readLine(in)
		atEnd := errors.Is(err, io.EOF)
		if err != nil && !atEnd {
			return entries, bad, fmt.Errorf("read line %d: %w", number, err)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(line)) > 0 {
			e, lineErr := ParseLine(bytes.TrimRight(line, "\r\n"))
			if lineErr != nil {
				if len(bad) == mostBad {
					return entries, bad, fmt.Errorf("line %d: %w; with it more than %d lines are no edges: give a file of edges", number, lineErr, mostBad)
				}
				bad = append(bad, &LineError{Line: number, Err: lineErr})
			} else {
				e.Line = number
				entries = append(entries, e)
			}
		}
		if atEnd {
			return entries, bad, nil
		}
	}
}

// readLine reads to the next newline and keeps no more of a line than shows that
// it is too long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= MaxLine+2 {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err //nolint:wrapcheck // io.EOF must stay io.EOF
		}
	}
}
