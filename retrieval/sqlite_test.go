package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// library is a corpus of three short pages, each section with a child per
// paragraph.
var library = []struct {
	url, title string
	sections   []string
}{
	{"https://example.org/ensemble", "Ensembles", []string{
		"## Boosting\n\nGradient boosting adds shallow trees one after another.\n\nEach tree is fitted to the errors that the earlier ones left.",
		"## Forests\n\nA random forest averages many deep trees, each grown on a sample of the rows.",
	}},
	{"https://example.org/glossary", "Glossary", []string{
		"## Decorator\n\nA decorator is a function that returns another function.",
		"## Généralités\n\nCe glossaire — bref — explique des mots 🌍.",
	}},
	{"https://example.org/everest", "Mount Everest", []string{
		"## Height\n\nMount Everest is the highest mountain above sea level.",
	}},
}

// openLibrary writes the library to a file, as an indexer would.
func openLibrary(t *testing.T) (retrieval.Deps, map[string]string) {
	t.Helper()
	ctx := t.Context()
	model := embedder.NewBuiltin()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "library.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := st.Write(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p50, p995 := model.DefaultCalibration()
	err = w.SetMeta(ctx, store.Meta{
		EmbedderID: model.Info().ID, Dimensions: model.Info().Dims, Tokenizer: "words",
		Calibration: store.Calibration{EmbedderID: model.Info().ID, P50: p50, P995: p995},
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for i, page := range library {
		b := bundleOf(ctx, t, model, i, page.url, page.title, page.sections)
		texts[page.url] = strings.Join(page.sections, "\n\n")
		if changed, err := w.Put(ctx, b); err != nil || !changed {
			t.Fatalf("put %s: %v, %v", page.url, changed, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return retrieval.Deps{Store: st, Embedder: model}, texts
}

func bundleOf(ctx context.Context, t testing.TB, model embedder.Embedder, page int, url, title string, sections []string) store.Bundle {
	t.Helper()
	doc := store.Document{
		ID: uuid(1, page), URL: url, SourceURL: url, Title: title, DocType: "markdown", SourceType: "upload",
		ContentHash: uuid(2, page), DerivedHash: uuid(3, page), CurrentIngestionID: uuid(4, page), ParentCount: len(sections),
	}
	b := store.Bundle{}
	var terms store.Analyzer
	for i, text := range sections {
		if i < len(sections)-1 {
			text += "\n\n"
		}
		heading, _, _ := strings.Cut(strings.TrimPrefix(text, "## "), "\n")
		parent := store.Chunk{
			ID: uuid(5, page, i), DocumentID: doc.ID, Level: store.Parent, Index: i,
			SectionHeading: heading, HeadingPath: []string{heading}, ChunkText: text,
			Title: title, SourceURL: url, IngestionID: doc.CurrentIngestionID,
		}
		parent.CharStart, parent.TokenStart = endOf(b.Chunks)
		parent.CharEnd = parent.CharStart + utf8.RuneCountInString(text)
		parent.TokenEnd = parent.TokenStart + len(strings.Fields(text))
		doc.TokenCount += parent.Tokens()
		b.Chunks = append(b.Chunks, parent)
		at, token := parent.CharStart, parent.TokenStart
		for j, paragraph := range strings.SplitAfter(text, "\n\n") {
			if paragraph == "" {
				continue
			}
			child := parent
			child.ID, child.ParentID, child.Level, child.Index = uuid(6, page, i, j), parent.ID, store.Child, j
			child.ChunkText, child.Terms = paragraph, strings.Join(store.Terms(paragraph), " ")
			terms.Name(&child)
			child.EmbedHash = child.ID
			child.CharStart, child.TokenStart = at, token
			at += utf8.RuneCountInString(paragraph)
			token += len(strings.Fields(paragraph))
			child.CharEnd, child.TokenEnd = at, token
			vector, err := model.EmbedOne(ctx, paragraph, embedder.RoleDocument)
			if err != nil {
				t.Fatal(err)
			}
			child.Embedding = vector
			b.Chunks = append(b.Chunks, child)
		}
	}
	b.Document = doc
	return b
}

// uuid is an id made of a kind and numbers.
func uuid(kind int, n ...int) string {
	n = append(n, 0, 0)
	return fmt.Sprintf("%08x-%04x-5000-8000-%04x%08x", n[0], kind, n[1], n[2])
}

func endOf(chunks []store.Chunk) (char, token int) {
	for i := range chunks {
		if chunks[i].Level == store.Parent {
			char, token = chunks[i].CharEnd, chunks[i].TokenEnd
		}
	}
	return char, token
}

func TestWithARealCorpus(t *testing.T) {
	d, texts := openLibrary(t)
	p, _ := param.Preset("webrag")
	ask := func(text string, p param.Params) retrieval.Result {
		t.Helper()
		r, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: text}, p, retrieval.Options{Trace: true, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	full := ask("gradient boosting", p)
	if full.Mode != param.ModeFullContext || len(full.Items) != 5 || full.Stats.TotalParentChunks != 5 {
		t.Errorf("a small corpus: mode %s, %d items, stats %+v", full.Mode, len(full.Items), full.Stats)
	}
	var marked string
	for _, it := range full.Items {
		if len(it.Matches) > 0 && it.Matches[0].Rank == 1 {
			marked = it.SectionHeading
		}
	}
	if marked != "Boosting" {
		t.Errorf("the nearest child is marked in %q", marked)
	}

	p.Mode = param.ModeChunk
	for query, heading := range map[string]string{
		"gradient boosting":   "Boosting",
		"random forests":      "Forests",
		"what is a decorator": "Decorator",
		"Mount Everest":       "Height",
	} {
		r := ask(query, p)
		if len(r.Items) == 0 || r.Items[0].SectionHeading != heading {
			t.Errorf("%q: got %s, want %s; %v", query, ids(r.Items), heading, r.Notices)
			continue
		}
		if r.Floor.String() != ".300 cal = .150 raw" {
			t.Errorf("floor %s", r.Floor)
		}
		for i := range r.Items {
			checkOffsets(t, &r.Items[i], texts[r.Items[i].SourceURL])
			if got := r.Items[i].Explanation.Recompute(); got != r.Items[i].Score {
				t.Errorf("explanation %v, score %v", got, r.Items[i].Score)
			}
		}
	}

	if r := ask("zzz qqq xxyyzz", p); !r.IsEmpty() || len(r.Notices) == 0 {
		t.Errorf("nonsense brought %s with notices %v", ids(r.Items), r.Notices)
	}
	if r := ask("¿? … !", p); codes(r) != phrase.NoticeNoWords.Code {
		t.Errorf("punctuation: notices %s", codes(r))
	}
	scoped, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "trees", Scope: store.Scope{SourceURLs: []string{"https://example.org/everest"}}}, p, retrieval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if scoped.Stats.TotalDocuments != 1 || scoped.ChildrenFound != 2 {
		t.Errorf("scope: stats %+v, %d children", scoped.Stats, scoped.ChildrenFound)
	}
}

// checkOffsets holds an item, its matches and a citation to the document.
func checkOffsets(t *testing.T, it *retrieval.Item, document string) {
	t.Helper()
	points := []rune(document)
	if got := string(points[it.CharStart:it.CharEnd]); got != it.ChunkText {
		t.Errorf("%s: the document says %q there, the section %q", it.ChunkID, got, it.ChunkText)
	}
	for _, m := range it.Matches {
		span, ok := it.Cite(m.CharStart, m.CharEnd)
		if !ok || span.VerbatimText != string(points[m.CharStart:m.CharEnd]) || span.Fit != citations.FitExact {
			t.Errorf("%s: cited %q, %v", m.ChunkID, span.VerbatimText, ok)
		}
	}
	if _, ok := it.Cite(it.CharStart, it.CharEnd+1); ok {
		t.Error("a citation reaches beyond its section")
	}
}

func TestAnotherEmbedderIsRefused(t *testing.T) {
	d, _ := openLibrary(t)
	d.Embedder = newDouble()
	p, _ := param.Preset("webrag")
	_, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "trees"}, p, retrieval.Options{})
	var mismatch *store.MismatchError
	if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "--reembed") {
		t.Errorf("got %v", err)
	}
}
