// Package oracle holds what the program printed and drew at a moment when it was
// known to be right, so that a restructuring can show that nothing was lost. Its
// pages and queries are copies: whoever edits the guide or judges another query
// moves no oracle. Nothing but tests imports it.
package oracle

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	_ "embed"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

//go:embed corpus.zip
var corpus []byte

// Corpus are the folders guide and pages, everest.html, and judgments.tsv, which
// has the form of that of package testdata. All were written at the same time.
func Corpus(t testing.TB) fs.FS {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(corpus), int64(len(corpus)))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Mark begins the title of a section in a transcript.
const Mark = "=== "

// shown is how many of the sections that differ are shown.
const shown = 3

// Hold compares a transcript with the file at path, which is compressed if its name
// ends in .gz, and shows the first sections that differ line by line. Where golden
// files are being rewritten (make golden), it writes a file that differs.
func Hold(t testing.TB, path, now string) {
	t.Helper()
	was, err := read(path)
	if now == was && err == nil {
		return
	}
	if updating() {
		if err := write(path, now); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v: run make golden", err)
	}
	before, after := sections(was), sections(now)
	told, differ := "", 0
	all := merge(before, after)
	for _, s := range all {
		if before.text[s] == after.text[s] {
			continue
		}
		if differ++; differ <= shown {
			told += string(diff.Diff("frozen: "+s, []byte(before.text[s]), "now", []byte(after.text[s]))) + "\n"
		}
	}
	t.Errorf("%s: sections that differ from what was frozen: %d of %d. If they should, run make golden. The first are\n\n%s", path, differ, len(all), told)
}

// updating says whether golden files are being rewritten: by the flag that package
// golden defines, or by the variable where a package does not import that.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true" || os.Getenv("WEBRAG_TEST_UPDATE") != ""
}

// transcript is a text in sections.
type transcript struct {
	titles []string
	text   map[string]string
}

func sections(text string) transcript {
	s := transcript{text: map[string]string{}}
	title := ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, Mark); ok {
			title = strings.TrimSuffix(rest, "\n")
			if s.text[title] == "" {
				s.titles = append(s.titles, title)
			}
		}
		s.text[title] += line
	}
	return s
}

// merge lists the titles of both, those that are gone last.
func merge(before, after transcript) []string {
	all := slices.Clone(after.titles)
	for _, title := range before.titles {
		if _, ok := after.text[title]; !ok {
			all = append(all, title)
		}
	}
	return all
}

func read(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return string(raw), err
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unzipped)
	return string(text), err
}

func write(path, text string) error {
	var b bytes.Buffer
	if strings.HasSuffix(path, ".gz") {
		zipped, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(zipped, text); err != nil {
			return err
		}
		if err := zipped.Close(); err != nil {
			return err
		}
	} else {
		b.WriteString(text)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
