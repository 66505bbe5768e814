package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// childMode names what a child process of the tests does with the corpus in
// its first argument. It answers each line of its standard input, if it reads
// any, and ends with it.
const childMode = "WEBRAG_TEST_SQLITE_CHILD"

// runChild is the other process. Its output is what its parent waits for.
func runChild(mode, path string) error {
	ctx := context.Background()
	switch mode {
	case "power":
		return writeForPowerLoss(ctx, path)
	case "lift":
		return lift(ctx, path)
	}
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if mode == "look" {
		return look(ctx, s)
	}
	w, err := s.Write(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	fmt.Println("writing")
	switch mode {
	case "put": // a generation for each line
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			generation, err := strconv.Atoi(in.Text())
			if err != nil {
				return err
			}
			if _, err := w.Put(ctx, testPage("shared", generation, 3)); err != nil {
				return err
			}
			fmt.Println("put")
		}
		return in.Err()
	case "rewrite": // until it is killed
		for generation := 1; ; generation++ {
			for _, name := range []string{"a", "b", "c"} {
				if _, err := w.Put(ctx, testPage(name, generation, 20-generation%3)); err != nil {
					return err
				}
				fmt.Println("put")
			}
			if _, err := w.Delete(ctx, testPage("b", 0, 0).Document.ID); err != nil {
				return err
			}
		}
	case "batch": // several at once, until it is killed
		for generation := 1; ; generation++ {
			err := w.(*Writer).batch(ctx, func(ctx context.Context) error { return putGeneration(ctx, w, generation) })
			if err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no mode %q", mode)
}

// look prints what a reader sees, one fact a line.
func look(ctx context.Context, s *Store) error {
	v, err := s.Read(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	found, err := v.Search(ctx, store.Search{Vector: testVector(1), VectorRows: 10, Terms: []string{"gen1"}, KeywordRows: 10})
	if err != nil {
		return err
	}
	fmt.Printf("read-only %v, vectors %d, keywords %d\n", s.Info().ReadOnly, len(found.Vector), len(found.Keyword))
	w, err := s.Write(ctx)
	if err == nil {
		return errors.Join(errors.New("it may be written"), w.Close())
	}
	fmt.Println(err)
	if !errors.Is(err, store.ErrReadOnly) {
		return fmt.Errorf("not ErrReadOnly: %w", err)
	}
	return nil
}

// child is another process.
type child struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func childCommand(t *testing.T, program, mode, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, path)
	cmd.Env = append(os.Environ(), childMode+"="+mode)
	cmd.Stderr = os.Stderr
	return cmd
}

func startChild(t *testing.T, mode, path string) *child {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: childCommand(t, program, mode, path)}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// expect waits for a line.
func (c *child) expect(want string) {
	c.t.Helper()
	if !c.out.Scan() || c.out.Text() != want {
		c.t.Fatalf("the other process said %q, want %q (%v)", c.out.Text(), want, c.out.Err())
	}
}

func (c *child) say(line string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c.in, line); err != nil {
		c.t.Fatal(err)
	}
}

// end closes the child's input and waits for it.
func (c *child) end() {
	c.t.Helper()
	if err := errors.Join(c.in.Close(), c.cmd.Wait()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *child) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	_ = c.cmd.Wait() // which reports the kill
}

func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("shared", 0, 2), testPage("other", 0, 2))
	generationOf(t, readTest(t, s), "shared", 2)
	c := startChild(t, "put", s.path)
	c.expect("writing")
	for generation := 1; generation <= 3; generation++ {
		c.say(strconv.Itoa(generation))
		c.expect("put")
		if got := generationOf(t, readTest(t, s), "shared", 3); got != generation {
			t.Errorf("after the other process wrote generation %d, a new view shows %d", generation, got)
		}
	}
	if _, err := s.Write(t.Context()); !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), s.path+".lock") {
		t.Errorf("Write beside another process: %v, want ErrLocked and the lock file", err)
	}
	c.end()
	putTest(t, s, testPage("shared", 9, 3))
	if got := generationOf(t, readTest(t, s), "shared", 3); got != 9 {
		t.Errorf("after the other process ended, a new view shows generation %d", got)
	}
	checkFile(t, s.path)
}

// generationOf returns the generation that texts, vectors and keywords of a page
// agree upon, and fails if they do not.
func generationOf(t testing.TB, v *View, name string, children int) int {
	t.Helper()
	ctx := context.Background()
	id := testPage(name, 0, 0).Document.ID
	scope := store.Scope{DocumentIDs: []string{id}}
	parents, err := v.Parents(ctx, scope, store.FieldText, store.Page{})
	if err != nil || len(parents) != children {
		t.Fatalf("page %s has %d parents, %v, want %d", name, len(parents), err, children)
	}
	_, digits, _ := strings.Cut(strings.TrimSpace(parents[0].ChunkText), " gen")
	generation, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	want := testPage(name, generation, children)
	found, err := v.Search(ctx, store.Search{
		Scope: scope, Vector: testVector(0), VectorRows: 1000, Terms: []string{"gen" + digits}, KeywordRows: 1000,
	})
	if err != nil || len(found.Vector) != children || len(found.Keyword) != children {
		t.Fatalf("page %s, generation %d: %d vectors, %d keywords, %v, want %d", name, generation, len(found.Vector), len(found.Keyword), err, children)
	}
	ids := make([]string, 0, 2*children)
	for _, c := range want.Chunks {
		ids = append(ids, c.ID)
	}
	chunks, err := v.Chunks(ctx, ids, store.FieldText|store.FieldTerms|store.FieldEmbedding)
	if err != nil || len(chunks) != len(want.Chunks) {
		t.Fatalf("page %s: %d chunks, %v", name, len(chunks), err)
	}
	for i, c := range chunks {
		w := want.Chunks[i]
		if c.ChunkText != w.ChunkText || c.Terms != w.Terms || c.EmbedHash != w.EmbedHash || c.IngestionID != w.IngestionID ||
			fmt.Sprint(c.Embedding) != fmt.Sprint(w.Embedding) {
			t.Errorf("page %s: a chunk is %+v, want generation %d: %+v", name, c, generation, w)
		}
	}
	return generation
}

// batchTest are the pages that are written at once.
var batchTest = []string{"a", "b", "c", "d", "e"}

func putGeneration(ctx context.Context, w store.Writer, generation int) error {
	for _, name := range batchTest {
		if _, err := w.Put(ctx, testPage(name, generation, 12-generation%3)); err != nil {
			return err
		}
		fmt.Println("put")
	}
	return nil
}

// Killed at any moment, a writer of several documents at once leaves all of them as they
// were, or all of them anew.
func TestKilledBatch(t *testing.T) {
	t.Parallel()
	s := newTest(t)
	for round := range 6 {
		c := startChild(t, "batch", s.path)
		c.expect("writing")
		for range len(batchTest) + 1 + 7*round%11 {
			c.expect("put")
		}
		c.kill()
		checkFile(t, s.path)
		v := readTest(t, s)
		docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
		if err != nil || len(docs) != len(batchTest) {
			t.Fatalf("%d documents, %v", len(docs), err)
		}
		first := generationOf(t, v, docs[0].Title, docs[0].ParentCount)
		for _, d := range docs[1:] {
			if g := generationOf(t, v, d.Title, d.ParentCount); g != first {
				t.Errorf("%s is of generation %d, %s of %d", d.Title, g, docs[0].Title, first)
			}
		}
		_ = v.Close()
	}
}

// What fails in a batch undoes all of it, and the writer goes on as if nothing had been.
func TestFailedBatch(t *testing.T) {
	t.Parallel()
	link := store.Link{TargetURL: "https://example.org/b", Text: "to b"}
	s := newTest(t, linkedTest("a", link))
	before := contentOf(t, readTest(t, s))
	w := writerTest(t, s)
	meta, failed := w.Meta(), errors.New("failed")
	err := w.batch(t.Context(), func(ctx context.Context) error {
		for _, page := range []store.Bundle{testPage("a", 5, 7), linkedTest("b", link), testPage("c", 2, 2)} {
			if changed, err := w.Put(ctx, page); err != nil || !changed {
				t.Errorf("%t, %v", changed, err)
			}
		}
		if _, err := w.Delete(ctx, testPage("c", 0, 0).Document.ID); err != nil {
			t.Error(err)
		}
		return failed
	})
	if !errors.Is(err, failed) || w.Meta() != meta {
		t.Errorf("%v, %+v", err, w.Meta())
	}
	if after := contentOf(t, readTest(t, s)); !reflect.DeepEqual(after, before) {
		t.Errorf("the corpus shows\n%+v, before it was\n%+v", after, before)
	}
	// The page that the link waits for comes after all.
	if changed, err := w.Put(t.Context(), linkedTest("b")); err != nil || !changed {
		t.Fatalf("%t, %v", changed, err)
	}
	if edges := edgesTest(t, readTest(t, s)); len(edges) != 1 {
		t.Errorf("%+v", edges)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, s.path)
}

// Killed at any moment, a writer leaves the old document or the new one.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	s := newTest(t)
	path := s.path
	for round := range 6 {
		c := startChild(t, "rewrite", path)
		c.expect("writing")
		for range 1 + 7*round%11 {
			c.expect("put")
		}
		c.kill()
		checkFile(t, path)
		v := readTest(t, s)
		docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
		if err != nil || len(docs) == 0 {
			t.Fatalf("%d documents, %v", len(docs), err)
		}
		for _, d := range docs {
			generationOf(t, v, d.Title, d.ParentCount)
		}
		_ = v.Close()
		// The lock went with the process.
		putTest(t, s)
	}
}
