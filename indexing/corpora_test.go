package indexing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// corpora returns the folder that holds the unpacked documentation packages, as
// `make corpora` leaves them. Without the variable the test that needs them is
// skipped, except in CI, which must read them.
func corpora(t testing.TB) string {
	t.Helper()
	root := os.Getenv("WEBRAG_CORPORA")
	if root == "" {
		if os.Getenv("CI") != "" && !testing.Short() {
			t.Fatal("WEBRAG_CORPORA is not set, and CI must read the real pages")
		}
		t.Skip("WEBRAG_CORPORA is not set: run `make corpora` and set it to that folder to test on real pages")
	}
	return root
}

// realPages are the folders of real pages below the corpora.
var realPages = []string{
	"python3.11-doc/usr/share/doc/python3.11/html",
	"python-sklearn-doc/usr/share/doc/python-sklearn-doc/html",
}

func newDeriver(t testing.TB) (*indexing.Deriver, embedder.Tokenizer) {
	t.Helper()
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	d, err := indexing.NewDeriver(indexing.Options{Embedder: embedder.NewBuiltin(), Tokenizer: tok})
	if err != nil {
		t.Fatal(err)
	}
	return d, tok
}

// TestRealPages holds every page of the packages to the invariants, and the links
// between them to leading somewhere.
func TestRealPages(t *testing.T) {
	root := corpora(t)
	deriver, tok := newDeriver(t)
	for _, folder := range realPages {
		var (
			mu      sync.Mutex
			wg      sync.WaitGroup
			bundles []store.Bundle
		)
		docs := make(chan source.NormalizedDocument)
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for doc := range docs {
					d, err := deriver.Derive(context.Background(), doc)
					if errors.Is(err, indexing.ErrNoText) {
						continue
					}
					if err == nil {
						err = check(d, tok, 256, 1000)
					}
					if err != nil {
						t.Errorf("%s: %v", doc.DocPath, err)
						continue
					}
					mu.Lock()
					bundles = append(bundles, d.Bundle)
					mu.Unlock()
				}
			})
		}
		set, err := source.Scan(t.Context(), []string{filepath.Join(root, folder)}, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for doc, err := range set.All(t.Context()) {
			if err != nil {
				t.Errorf("read: %v", err)
				continue
			}
			docs <- doc
		}
		close(docs)
		wg.Wait()
		if len(bundles) < 400 {
			t.Errorf("only %d pages of %s were indexed", len(bundles), folder)
		}
		checkLinks(t, folder, bundles)
	}
}

// check holds a page to the invariants: parents and children partition it, in
// characters and tokens, under the ceilings.
func check(d indexing.Derived, tok embedder.Tokenizer, child, parent int) error {
	var text strings.Builder
	for _, c := range d.Bundle.Chunks {
		if c.Level == store.Parent {
			text.WriteString(c.ChunkText)
		}
	}
	index := offset.NewIndex(text.String())
	type position struct{ char, token int }
	var at, inner, innerEnd position
	flags := store.Flags(0)
	for _, c := range d.Bundle.Chunks {
		limit, from := parent, &at
		if c.Level == store.Child {
			limit, from = child, &inner
		} else {
			if inner != innerEnd {
				return fmt.Errorf("children end at %v, their parent at %v", inner, innerEnd)
			}
			inner, innerEnd = position{c.CharStart, c.TokenStart}, position{c.CharEnd, c.TokenEnd}
			flags = c.Flags
		}
		switch {
		case *from != position{c.CharStart, c.TokenStart}:
			return fmt.Errorf("%s %d begins at %d, token %d, expected %v", c.Level, c.Index, c.CharStart, c.TokenStart, *from)
		case index.Slice(c.CharStart, c.CharEnd) != c.ChunkText:
			return fmt.Errorf("%s %d: document[%d:%d] is not its text", c.Level, c.Index, c.CharStart, c.CharEnd)
		case strings.TrimSpace(c.ChunkText) == "":
			return fmt.Errorf("%s %d is blank", c.Level, c.Index)
		case c.Tokens() > limit:
			return fmt.Errorf("%s %d has %d tokens", c.Level, c.Index, c.Tokens())
		case c.Level == store.Child && c.Flags&^flags != 0:
			return fmt.Errorf("%s %d has flags %b, its parent %b", c.Level, c.Index, c.Flags, flags)
		case c.Level == store.Parent && c.Flags.Has(store.HTMLPreferred) && (c.HTMLText == "") == (c.HTMLOmittedReason == ""):
			return fmt.Errorf("flagged parent %d has html of %d bytes and reason %q", c.Index, len(c.HTMLText), c.HTMLOmittedReason)
		}
		*from = position{c.CharEnd, c.TokenEnd}
	}
	total := len(tok.Starts(text.String()))
	if at != (position{index.Len(), total}) || inner != innerEnd {
		return fmt.Errorf("chunks end at %v of %d characters and %d tokens", at, index.Len(), total)
	}
	return nil
}

// TestSpecPages looks at the two test pages of the specifications. Security
// updates change them, so the facts are robust ones.
func TestSpecPages(t *testing.T) {
	root := corpora(t)
	deriver, _ := newDeriver(t)
	for _, c := range []struct {
		path              string
		parents, children [2]int
		heading           string
		flags             store.Flags
	}{
		{
			path: filepath.Join(realPages[1], "modules/ensemble.html"), heading: "AdaBoost",
			parents: [2]int{15, 40}, children: [2]int{80, 160},
			flags: store.HasTable | store.HasCode | store.HasMath | store.HasAdmonition,
		},
		{
			path: filepath.Join(realPages[0], "glossary.html"), heading: "Glossary",
			parents: [2]int{14, 24}, children: [2]int{80, 150}, flags: store.HasDefinitionList,
		},
	} {
		set, err := source.Scan(t.Context(), []string{filepath.Join(root, c.path)}, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for doc, err := range set.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			d, err := deriver.Derive(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			parents, children, named := 0, 0, false
			var flags store.Flags
			for _, chunk := range d.Bundle.Chunks {
				flags |= chunk.Flags
				if chunk.Level == store.Child {
					children++
					continue
				}
				parents++
				named = named || strings.Contains(chunk.SectionHeading, c.heading)
			}
			t.Logf("%s: %q, %d tokens, %d parents, %d children, %d links", c.path, d.Bundle.Document.Title,
				d.Bundle.Document.TokenCount, parents, children, len(d.Bundle.Links))
			switch {
			case parents < c.parents[0] || parents > c.parents[1]:
				t.Errorf("%s has %d parents, expected %v", c.path, parents, c.parents)
			case children < c.children[0] || children > c.children[1]:
				t.Errorf("%s has %d children, expected %v", c.path, children, c.children)
			case !named:
				t.Errorf("%s has no section %q", c.path, c.heading)
			case flags&c.flags != c.flags:
				t.Errorf("%s lacks flags %b", c.path, c.flags&^flags)
			}
		}
	}
}
