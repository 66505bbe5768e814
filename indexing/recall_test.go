package indexing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// site is a folder on the disk that is indexed.
type site struct {
	t   *testing.T
	dir string
}

func (s site) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// indexSite indexes some paths of the site.
func (b *bundle) indexSite(o source.Options, prune bool, paths ...string) (indexing.Report, error) {
	b.t.Helper()
	set, err := source.Scan(b.t.Context(), paths, o)
	if err != nil {
		b.t.Fatal(err)
	}
	run := b.o
	if prune {
		run.Prune = set.Roots()
	}
	report, err := indexing.RunPages(b.t.Context(), b.store, set.Pages(b.t.Context()), run)
	report.Elapsed = 0
	return report, err
}

// A page whose bytes are those that became its document is not read again, and nothing is
// written. Any other is.
func TestUnchangedBytesAreNotRead(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.o.Program = "this"
	s := site{t, t.TempDir()}
	s.write("a.md", "# A\n\nfirst\n")
	s.write("b.html", "<title>B</title><h1>B</h1><p>second <a href=a.md>a</a></p>")
	s.write("c.jsonl", `{"url":"https://example.org/c","markdown":"# C\n\nthird"}`+"\n"+`{"url":"https://example.org/d","markdown":"# D\n\nfourth"}`+"\n")
	run := func(o source.Options) (read []string, report indexing.Report) {
		t.Helper()
		set, err := source.Scan(t.Context(), []string{s.dir}, o)
		if err != nil {
			t.Fatal(err)
		}
		report, err = indexing.RunPages(t.Context(), b.store, func(yield func(source.Page, error) bool) {
			for page, err := range set.Pages(t.Context()) {
				readPage := page.Read
				page.Read = func() (source.NormalizedDocument, error) {
					read = append(read, filepath.Base(page.Path))
					return readPage()
				}
				if !yield(page, err) {
					return
				}
			}
		}, b.o)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(read)
		return read, report
	}
	b.o.Workers = 1 // read is appended to by one goroutine
	every := []string{"a.md", "b.html", "c.jsonl:1", "c.jsonl:2"}
	moved := []string{"a.md", "b.html", "c.jsonl:2", "c.jsonl:3"}
	if read, report := run(source.Options{}); report.Added != 4 || !slices.Equal(read, every) {
		t.Fatalf("read %q: %+v", read, report)
	}
	version := b.read().version
	again := func(what string, o source.Options, want ...string) {
		t.Helper()
		read, report := run(o)
		if !slices.Equal(read, want) || report.Pages != 4 || len(report.Failed) > 0 {
			t.Errorf("%s: read %q, want %q: %+v", what, read, want, report)
		}
	}
	again("the same", source.Options{})
	if b.read().version != version {
		t.Error("a run without a change wrote")
	}
	s.write("a.md", "# A\n\nfirst, changed\n")
	again("a changed page", source.Options{}, "a.md")
	again("a changed page, again", source.Options{})
	s.write("c.jsonl", "\n"+`{"url":"https://example.org/d","markdown":"# D\n\nfourth"}`+"\n"+`{"url":"https://example.org/c","markdown":"# C\n\nthird"}`+"\n")
	again("lines moved", source.Options{})
	again("a tag", source.Options{Tags: []string{"t"}}, moved...)
	_ = os.Remove(filepath.Join(s.dir, "c.jsonl"))
	s.write("c.jsonl", `{"url":"https://example.org/c","markdown":"# C\n\nthird"}`+"\n"+`{"url":"https://example.org/d","markdown":"# D\n\nfourth"}`+"\n")
	b.o.Program = "another"
	again("another program", source.Options{Tags: []string{"t"}}, every...)
	b.o.ChildTargetTokens = 64
	again("other parts", source.Options{Tags: []string{"t"}}, every...)
	again("other parts, again", source.Options{Tags: []string{"t"}})
	b.o.Program = ""
	again("without a name", source.Options{Tags: []string{"t"}}, every...)
}

// everything is all that a corpus shows and hides of documents.
type everything struct {
	shown   stored
	deleted []store.Document
	edges   []store.Edge
}

func (b *bundle) everything() everything {
	b.t.Helper()
	v, err := b.store.Read(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	defer v.Close()
	deleted, err := v.Deleted(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	edges, err := v.Edges(b.t.Context(), store.EdgeQuery{})
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range deleted {
		deleted[i].DeletedAt = time.Time{} // by the clock of the machine
	}
	return everything{b.read(), deleted, edges}
}

// change does something to a corpus by its writer.
func (b *bundle) change(do func(ctx context.Context, w store.Writer) error) {
	b.t.Helper()
	w, err := b.store.Write(b.t.Context())
	if err == nil {
		err = errors.Join(do(b.t.Context(), w), w.Close())
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// Whatever happens to files, settings, documents and the program, a run with notes leaves
// the same corpus, and reports the same, as one without.
func TestNotesChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		clock := func() time.Time { return time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC) }
		noted, plain := newBundle(t), newBundle(t)
		noted.o.Program = "one"
		both := []*bundle{noted, plain}
		for _, b := range both {
			b.o.Now = clock
		}
		dir := t.TempDir()
		names := []string{"s/a.md", "s/b.html", "s/c.html", "s/more/d.md", "s/e.jsonl", "copy/s/a.md", "copy/s/b.html"}
		texts := []string{
			"", "\xff\xfe\x00", "# One\n\nwords of one, see [c](c.html#x)\n", "# Two\n\nother words\n\n## Part\n\nmore of them\n",
			"<title>T</title><main><h1>H</h1><p>text of a page</p><h2 id=x>X</h2><table><tr><td colspan=2>c</table></main>",
			`<link rel=canonical href="https://example.org/s/b.html"><h1>B</h1><p>claims b</p>`,
			`<link rel=canonical href="https://elsewhere.org/x"><meta name="webrag:depth" content="2"><h1>X</h1><p>is elsewhere</p>`,
			"---\nurl: file:s/c.html\ntags: [t]\n---\n# Claims c\n\nby its header\n",
			`{"url":"https://example.org/r","source_url":"https://example.org/s/b.html","markdown":"# R\n\nline"}` + "\n" +
				`{"url":"file:s/a.md","url_aliases":["file:s/c.html"],"source_url":"https://example.org/l","markdown":"# L\n\nline","html":"<h1>L</h1><p>line</p><p>and more that is not there</p>"}` + "\nno line\n",
		}
		s := site{t, dir}
		var o source.Options
		prune := false
		edit := func() {
			s.write(rapid.SampledFrom(names).Draw(rt, "file"), rapid.SampledFrom(texts).Draw(rt, "text"))
		}
		for range 4 {
			edit()
		}
		for step := range rapid.IntRange(2, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 11).Draw(rt, "do") {
			case 0, 1, 2:
				edit()
			case 3:
				_ = os.Remove(filepath.Join(dir, rapid.SampledFrom(names).Draw(rt, "gone")))
			case 4:
				o.BaseURL = rapid.SampledFrom([]string{"", "https://example.org/s", "https://example.org"}).Draw(rt, "base")
			case 5:
				o.Tags, o.Metadata = rapid.SampledFrom([][]string{nil, {"t"}, {"t", "u"}}).Draw(rt, "tags"), rapid.SampledFrom([]map[string]string{nil, {"k": "v"}}).Draw(rt, "metadata")
			case 6:
				o.Depth = rapid.SampledFrom([]*int{nil, new(int)}).Draw(rt, "depth")
				o.Owner = rapid.SampledFrom([]string{"", "alice"}).Draw(rt, "owner")
				o.SourceType = rapid.SampledFrom([]string{"", "web"}).Draw(rt, "type")
			case 7:
				prune = !prune
			case 8:
				target := rapid.SampledFrom([]int{32, 256}).Draw(rt, "target")
				program := rapid.SampledFrom([]string{"one", "two", ""}).Draw(rt, "program")
				html := rapid.Bool().Draw(rt, "html children")
				noted.o.Program = program
				for _, b := range both {
					b.o.ChildTargetTokens, b.o.HTMLChildren = target, html
				}
			case 9:
				which := rapid.IntRange(0, 9).Draw(rt, "document")
				how := rapid.IntRange(0, 2).Draw(rt, "fate")
				for _, b := range both {
					b.change(func(ctx context.Context, w store.Writer) error {
						return fate(ctx, b, w, which, how)
					})
				}
			case 10:
				id := rapid.SampledFrom([]string{"fake/8", "fake/other"}).Draw(rt, "embedder")
				for _, b := range both {
					b.o.Embedder, b.o.Reembed = namedEmbedder{embedder.NewBuiltin(), id}, true
				}
			case 11:
			}
			paths := rapid.SampledFrom([][]string{{"s"}, {"copy/s"}, {"s", "copy/s"}, {"s/e.jsonl", "s"}, {"s/a.md"}, {"s/e.jsonl", "s/c.html"}}).Draw(rt, "paths")
			var there []string
			for _, p := range paths {
				if _, err := os.Stat(filepath.Join(dir, p)); err == nil {
					there = append(there, filepath.Join(dir, p))
				}
			}
			if len(there) == 0 {
				continue
			}
			a, errA := noted.indexSite(o, prune, there...)
			b, errB := plain.indexSite(o, prune, there...)
			if fmt.Sprint(errA) != fmt.Sprint(errB) {
				rt.Fatalf("step %d: %v, without notes %v", step, errA, errB)
			}
			if !reflect.DeepEqual(failures(&a), failures(&b)) {
				rt.Fatalf("step %d: failed %q, without notes %q", step, failures(&a), failures(&b))
			}
			if a.Failed, b.Failed = nil, nil; !reflect.DeepEqual(a, b) {
				rt.Fatalf("step %d reports\n%+v, without notes\n%+v", step, a, b)
			}
			if x, y := noted.everything(), plain.everything(); !reflect.DeepEqual(x, y) {
				rt.Fatalf("step %d: the corpus has\n%+v, without notes\n%+v", step, x, y)
			}
		}
	})
}

func failures(r *indexing.Report) (out []string) {
	for _, failed := range r.Failed {
		out = append(out, failed.URL+" "+failed.Error())
	}
	return out
}

// fate hides, restores or deletes a document, or gives its page another hash, as another
// program may.
func fate(ctx context.Context, b *bundle, w store.Writer, which, how int) error {
	at := b.read()
	urls := make([]string, 0, len(at.documents))
	for url := range at.documents {
		urls = append(urls, url)
	}
	slices.Sort(urls)
	if len(urls) == 0 {
		return nil
	}
	id := at.documents[urls[which%len(urls)]].ID
	var err error
	switch how {
	case 0:
		_, err = w.SoftDelete(ctx, id)
	case 1:
		_, err = w.Delete(ctx, id)
	default:
		url := urls[which%len(urls)]
		d := at.documents[url]
		d.Title, d.DerivedHash = "Another title", strings.Repeat("0", 64)
		bundle := store.Bundle{Document: d}
		for _, c := range slices.Concat(at.parents[url], at.children[url]) {
			if c.DocumentID == d.ID { // another owner may have a page of this address, too
				c.Title = d.Title
				bundle.Chunks = append(bundle.Chunks, c)
			}
		}
		if len(bundle.Chunks) == 0 {
			return nil
		}
		_, err = w.Put(ctx, bundle)
	}
	return err
}

// namedEmbedder is an embedder under another name.
type namedEmbedder struct {
	embedder.Embedder
	id string
}

func (n namedEmbedder) Info() embedder.Info {
	info := n.Embedder.Info()
	info.ID = n.id
	return info
}
