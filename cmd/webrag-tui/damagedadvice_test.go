package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// adviceCorpus indexes thirty pages, damages a copy of the file, and returns the
// pages and the copy.
func adviceCorpus(t *testing.T, damage func(path string)) (pages, path string) {
	t.Helper()
	folder := t.TempDir()
	pages, path = filepath.Join(folder, "pages"), filepath.Join(folder, "corpus.db")
	if err := os.Mkdir(pages, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		text := fmt.Sprintf("# Page %d\n\nThe word number%d stands on this page alone.\n", i, i)
		if err := os.WriteFile(filepath.Join(pages, fmt.Sprintf("p%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a := damageAsk(t, path, []string{"index", pages}); a.code != exitFine {
		t.Fatalf("exit %d: %s", a.code, a.stderr)
	}
	damage(path)
	return pages, path
}

// changeFile exchanges one text in a file for another of its length.
func changeFile(t *testing.T, path, from, to string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(content, []byte(from))
	if at < 0 || len(from) != len(to) {
		t.Fatalf("%q is not in the file", from)
	}
	copy(content[at:], to)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Damage in pages that indexing does not come by is said all the same, before
// anything is sent to a model, and what doctor advises works.
func TestIndexingADamagedFile(t *testing.T) {
	notBeside(t)
	t.Parallel()
	pages, path := adviceCorpus(t, func(path string) { changeFile(t, path, "word number7 stands", "word number7 stamps") })
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const sentence = "1 of its "
	a := damageAsk(t, path, []string{"index", pages})
	if a.code != exitUsage || !strings.Contains(a.stderr, "the file is damaged") || !strings.Contains(a.stderr, sentence) {
		t.Errorf("index: exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the damaged file was written, %v", err)
	}
	a = damageAsk(t, path, []string{"doctor"})
	const advice = "webrag-tui index PAGES --corpus NEW"
	if a.code != exitNothing || !strings.Contains(a.stdout, advice) || strings.Contains(a.stdout, "docs delete") || strings.Contains(a.stdout, "disk I/O error") {
		t.Errorf("doctor: exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
	follow(t, path, strings.NewReplacer("PAGES", pages, "NEW", filepath.Join(t.TempDir(), "new.db")).Replace(advice))
}

// Of a page that somebody changed without damaging the file, the advice is to index
// it anew, which works as it is printed.
func TestIndexingAChangedPage(t *testing.T) {
	notBeside(t)
	t.Parallel()
	pages, path := adviceCorpus(t, func(path string) {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), `UPDATE chunk_texts SET chunk_text = replace(chunk_text, 'number7 stands', 'number7 stamps')`); err != nil {
			t.Fatal(err)
		}
	})
	a := damageAsk(t, path, []string{"doctor"})
	_, line, _ := strings.Cut(a.stdout, "index them again: ")
	if a.code != exitNothing || line == "" {
		t.Fatalf("doctor: exit %d: %s", a.code, a.stdout)
	}
	line, _, _ = strings.Cut(line, "\n")
	for command := range strings.SplitSeq(line, ", then ") {
		command = strings.NewReplacer("URL", "file:pages/p7.md", "PAGES", pages, "CORPUS", path).Replace(command)
		follow(t, path, command)
	}
	if a := damageAsk(t, path, []string{"doctor"}); a.code != exitFine {
		t.Errorf("afterwards: exit %d: %s", a.code, a.stdout)
	}
}

// follow does what doctor printed, with path as the corpus where the command names
// none, and asks doctor of a corpus that it names.
func follow(t *testing.T, path, command string) {
	t.Helper()
	args := strings.Fields(command)[1:]
	at := path
	for i := range args {
		if args[i] == "--corpus" {
			at = args[i+1]
			args = append(args[:i:i], args[i+2:]...)
			break
		}
	}
	if a := damageAsk(t, at, args); a.code != exitFine {
		t.Errorf("%s: exit %d: %s", command, a.code, a.stderr)
	}
	if at == path {
		return
	}
	if a := damageAsk(t, at, []string{"doctor"}); a.code != exitFine {
		t.Errorf("doctor of %s: exit %d: %s", at, a.code, a.stdout)
	}
}

// A header that denies the checksums is one finding, and no advice to add some to a
// file that is refused.
func TestDoctorOfADeniedChecksum(t *testing.T) {
	notBeside(t)
	t.Parallel()
	_, path := adviceCorpus(t, func(path string) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content[20] = 0
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	a := damageAsk(t, path, []string{"doctor"})
	for _, not := range []string{"has none yet", "which adds them", "webrag-tui doctor says"} {
		if strings.Contains(a.stdout, not) {
			t.Errorf("doctor says %q: %s", not, a.stdout)
		}
	}
	if a.code != exitNothing || !strings.Contains(a.stdout, "webrag-tui index PAGES --corpus NEW") {
		t.Errorf("exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
}

// A header that hides the checksums of a file is no file without any, and what is
// advised names the corpus that was asked about.
func TestTheAdviceOnADamagedFileNamesIt(t *testing.T) {
	notBeside(t)
	t.Parallel()
	_, path := adviceCorpus(t, func(path string) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content[20]++ // the bytes that are reserved in each block, where the checksums are
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	a := damageAsk(t, path, []string{"doctor"})
	if a.code != exitNothing || strings.Contains(a.stdout, "none yet") || !strings.Contains(a.stdout, "its header") {
		t.Errorf("doctor: exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
	_, path = adviceCorpus(t, func(path string) { changeFile(t, path, "word number7 stands", "word number7 stamps") })
	a = damageAsk(t, path, []string{"index", filepath.Dir(path)})
	if !strings.Contains(a.stderr, "webrag-tui doctor --corpus CORPUS says more") {
		t.Errorf("index: exit %d: %s%s", a.code, a.stdout, a.stderr)
	}
}
