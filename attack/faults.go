//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// faults are what else happens to files while the program has them open.
var faults = family{
	name:  "faults",
	tries: "a corpus that is truncated, replaced, moved or removed while it is read and written, a full disk, a read-only folder, things that are no corpus in its place",
	holds: "the right answer or a sentence and an exit code of 2 or 3, no signal; after a full disk the same command completes the corpus",
	count: 60, short: 5,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		big := filepath.Join(a.dir, "f1", "pages")
		must(makePages(big, 100, 1))
		full := filepath.Join(a.dir, "faults.db")
		a.make(full, big)
		want, err := a.standIn(filepath.Join(a.dir, "faults.home")).content(full)
		if err != nil {
			return nil, err
		}
		f := &fault{pages: big, corpus: full, want: want}
		kinds := []attempt{f.whileWriting, f.whileReading, f.fullDisk, f.readOnly, f.noCorpus}
		return func(t *try) error { return kinds[t.n%len(kinds)](t) }, nil
	},
}

type fault struct{ pages, corpus, want string }

// disturb does something to a file that is open elsewhere.
func (f *fault) disturb(t *try, path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "nothing"
	}
	what := one(t, "truncated", "emptied", "replaced", "removed", "moved", "copied over")
	switch what {
	case "truncated":
		_ = os.Truncate(path, t.Int64N(max(1, info.Size())))
	case "emptied":
		_ = os.Truncate(path, 0)
	case "replaced":
		other := t.copyOf(t.guide.path, "other.db")
		_ = os.Rename(other, path)
	case "removed":
		_ = os.Remove(path)
	case "moved":
		_ = os.Rename(path, path+".old")
	case "copied over":
		raw, err := os.ReadFile(t.guide.path)
		must(err)
		_ = os.WriteFile(path, raw, 0o600)
	}
	return what
}

func (f *fault) whileWriting(t *try) error {
	path := t.copyOf(f.corpus, "corpus.db")
	what := ""
	o := t.call(call{
		args: one(t, []string{"index", "--corpus", path, "--html-children", f.pages}, []string{"docs", "delete", "--forever", "--corpus", path, "file:pages/boosting-0.md"},
			[]string{"index", "--corpus", path, "--tag", "new", f.pages}),
		during: func(*os.Process) {
			time.Sleep(time.Duration(t.IntN(400)) * time.Millisecond)
			what = f.disturb(t, path)
		},
	})
	if err := o.sound(); err != nil {
		return fmt.Errorf("the file %s while writing: %w", what, err)
	}
	return nil
}

// whileReading disturbs a long list of queries. Those that were answered with
// results must have the answer of one of the two corpora.
func (f *fault) whileReading(t *try) error {
	path := t.copyOf(f.corpus, "corpus.db")
	lines := strings.Repeat(strings.Join(questions, "\n")+"\n", 50)
	what := ""
	o := t.call(call{
		args: []string{"query", "--corpus", path, "--preset", "hybrid", "-"}, stdin: lines,
		during: func(*os.Process) {
			time.Sleep(time.Duration(50+t.IntN(300)) * time.Millisecond)
			what = f.disturb(t, path)
		},
	})
	if err := o.sound(); err != nil {
		return fmt.Errorf("the file %s while reading: %w", what, err)
	}
	var right strings.Builder
	for _, corpus := range []string{f.corpus, t.guide.path} {
		answer := t.call(call{args: []string{"query", "--corpus", corpus, "--preset", "hybrid", "-"}, stdin: strings.Join(questions, "\n") + "\n"})
		if err := answer.sound(); err != nil {
			return err
		}
		right.WriteString(answer.out)
	}
	known := answers(right.String())
	for answer, query := range answers(o.out) {
		if _, ok := known[answer]; !ok {
			return fmt.Errorf("the file %s while reading: a wrong answer to %s", what, query)
		}
	}
	return nil
}

// fullDisk bounds the size of files, which is how a full disk looks to a writer.
func (f *fault) fullDisk(t *try) error {
	blocks := 20 + t.IntN(3000) // of 1 KB
	o := t.by([]string{"/bin/bash", "-c", fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, blocks)}, "index", "--corpus", "corpus.db", f.pages)
	if err := o.sound(); err != nil {
		return fmt.Errorf("files of %d KB at most: %w", blocks, err)
	}
	if err := t.run("index", "--corpus", "corpus.db", f.pages).fine(); err != nil {
		return fmt.Errorf("after a full disk: %w", err)
	}
	got, err := t.content("corpus.db")
	if err == nil {
		err = same(got, f.want)
	}
	if err != nil {
		return fmt.Errorf("after a full disk of %d KB: %w", blocks, err)
	}
	return nil
}

// by calls the program by another one, which does something before.
func (t *try) by(program []string, args ...string) outcome {
	return t.call(call{bin: program[0], args: append(append(program[1:len(program):len(program)], t.bin), args...)})
}

func (f *fault) readOnly(t *try) error {
	folder := t.path("shut")
	must(os.Mkdir(folder, 0o755))
	path := t.copyOf(t.guide.path, "shut/corpus.db")
	must(os.Chmod(path, 0o444))
	must(os.Chmod(folder, 0o555))
	defer func() { _ = os.Chmod(folder, 0o755) }()
	query := []string{"query", "--corpus", path, questions[0]}
	write := []string{"index", "--corpus", one(t, path, filepath.Join(folder, "new.db")), f.pages}
	if os.Getuid() != 0 {
		return first(t.run(query...).fine(), t.run(write...).refused(2, 3))
	}
	// Root may write everywhere; as nobody the rights count.
	must(os.Chmod(t.arena.dir, 0o755))
	must(os.Chmod(t.bin, 0o755))
	must(os.Chown(t.dir, 65534, 65534))
	must(os.Chown(path, 65534, 65534))
	nobody := []string{"setpriv", "--reuid=65534", "--clear-groups"}
	return first(t.by(nobody, query...).fine(), t.by(nobody, write...).refused(2, 3))
}

// noCorpus has something else where the corpus should be.
func (f *fault) noCorpus(t *try) error {
	path := t.path("corpus.db")
	what := one(t, "folder", "loop", "text", "other SQLite file", "socket", "/dev/null", "broken link", "half of one")
	switch what {
	case "folder":
		must(os.Mkdir(path, 0o755))
	case "loop":
		must(os.Symlink(path, path))
	case "text":
		t.write("corpus.db", strings.Repeat("no corpus\n", 1000))
	case "other SQLite file":
		craft(path, "CREATE TABLE documents (a)")
	case "socket":
		fd, err := unix.Socket(unix.AF_UNIX, syscall.SOCK_STREAM, 0)
		must(err)
		defer unix.Close(fd)
		must(unix.Bind(fd, &unix.SockaddrUnix{Name: shortened(t, path)}))
	case "/dev/null":
		must(os.Symlink("/dev/null", path))
	case "broken link":
		must(os.Symlink(t.path("nowhere/at-all"), path))
	case "half of one":
		raw, err := os.ReadFile(t.guide.path)
		must(err)
		t.write("corpus.db", string(raw[:len(raw)/2]))
	}
	for _, args := range [][]string{{"query", "x"}, {"docs", "list"}, {"doctor"}, {"index", f.pages}, {"copy", "--from", path, "--to", t.path("to.db")}} {
		// An index makes a corpus where a link leads to nothing that is there.
		o := t.run(append(args, "--corpus", path)...)
		if args[0] == "index" && o.code == 0 && what == "broken link" {
			continue
		}
		if err := o.refused(1, 2, 3); err != nil {
			return fmt.Errorf("a %s as corpus: %w", what, err)
		}
	}
	return nil
}

// shortened is a path by way of a descriptor, since a socket's name has 100 bytes.
func shortened(t *try, path string) string {
	link := filepath.Join(os.TempDir(), fmt.Sprintf("atk%d-%d", os.Getpid(), t.n))
	_ = os.Remove(link)
	must(os.Symlink(filepath.Dir(path), link))
	return filepath.Join(link, filepath.Base(path))
}

// answers are the lines of "query -" that found something, with their queries.
func answers(lines string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(lines) {
		text, err := lasting(line)
		if err != nil || !strings.Contains(text, `"chunks":[{`) {
			continue // the last line may be half a one
		}
		// The number of the line is another in each run.
		text = lineNumber.ReplaceAllString(text, "")
		found[text] = brief(text)
	}
	return found
}
