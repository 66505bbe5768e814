package ui

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// fakeStore has two sections of one page, and counts what is left open.
type fakeStore struct {
	store.Store
	open   int
	closed bool
}

func (s *fakeStore) Info() store.Info { return store.Info{Name: "guide"} }
func (s *fakeStore) Close() error     { s.closed = true; return nil }
func (s *fakeStore) Read(context.Context) (store.View, error) {
	s.open++
	return &fakeView{store: s}, nil
}
func (s *fakeStore) Load(context.Context, func(int, int)) error { return nil }

type fakeView struct {
	store.View
	store *fakeStore
}

var fakeSections = []store.Chunk{
	{ID: "one", SourceURL: "https://a.example/x", CharStart: 0, CharEnd: 10},
	{ID: "two", SourceURL: "https://a.example/x", CharStart: 10, CharEnd: 25, Flags: store.HasTable},
}

func (v *fakeView) Close() error { v.store.open--; return nil }
func (v *fakeView) Stats(context.Context, store.Scope) (store.Stats, error) {
	return store.Stats{Documents: 3, Parents: 2}, nil
}

func (v *fakeView) Documents(_ context.Context, _ store.Scope, p store.Page) ([]store.Document, error) {
	all := []store.Document{{Title: "One — A site"}, {Title: "Two — A site"}, {Title: "Three — A site", Depth: 1}}
	return all[p.Offset:min(len(all), p.Offset+p.Limit)], nil
}

func (v *fakeView) Parents(_ context.Context, s store.Scope, f store.Fields, _ store.Page) ([]store.Chunk, error) {
	if f != 0 {
		return nil, errors.New("the texts of a whole page are read to find one section")
	}
	if slices.Contains(s.SourceURLs, "https://a.example/x") {
		return fakeSections, nil
	}
	return nil, nil
}

func (v *fakeView) Chunks(_ context.Context, ids []string, f store.Fields) ([]store.Chunk, error) {
	var found []store.Chunk
	for _, c := range fakeSections {
		if slices.Contains(ids, c.ID) && f == store.FieldText|store.FieldHTML {
			c.ChunkText, c.HTMLText = "text of "+c.ID, "<p>"
			found = append(found, c)
		}
	}
	return found, nil
}

type fakeEmbedder struct{ embedder.Embedder }

func (fakeEmbedder) Info() embedder.Info { return embedder.Info{InProcess: true} }

func TestCorpusReadsThroughTheStore(t *testing.T) {
	ctx := context.Background()
	s := &fakeStore{}
	c := session.NewCorpus(retrieval.Deps{Store: s, Embedder: fakeEmbedder{}})
	if c.Name != "guide" || !c.Live || c.Load == nil {
		t.Errorf("got %+v", c)
	}
	summary, err := c.Reader.Summary(ctx)
	if want := (session.CorpusSummary{Stats: store.Stats{Documents: 3, Parents: 2}, TitleSuffixes: []string{" — A site"}}); err != nil || !reflect.DeepEqual(summary, want) {
		t.Errorf("summary %+v, %v, want %+v", summary, err, want)
	}
	for at, want := range map[int]string{0: "one", 9: "one", 10: "two", 24: "two"} {
		got, err := c.Reader.SectionAt(ctx, "https://a.example/x", at)
		if err != nil || got.ID != want || got.ChunkText != "text of "+want {
			t.Errorf("at %d: %+v, %v", at, got, err)
		}
	}
	var missing *session.NoSectionError
	if _, err := c.Reader.SectionAt(ctx, "https://a.example/x", 25); !errors.As(err, &missing) || missing.Len != 25 {
		t.Errorf("beyond the end: %v", err)
	}
	if _, err := c.Reader.SectionAt(ctx, "https://a.example/y", 0); !errors.As(err, &missing) || missing.Len != 0 {
		t.Errorf("no such page: %v", err)
	}
	if _, err := c.Reader.Section(ctx, "three"); err == nil {
		t.Error("a section that is gone was read")
	}
	if s.open != 0 {
		t.Errorf("%d views are left open", s.open)
	}
	if err := c.Close(); err != nil || !s.closed {
		t.Errorf("the store is not closed: %v", err)
	}
}

func TestItemOfAChunkPrefersHTMLWhereStructureIsLost(t *testing.T) {
	c := fakeSections[1]
	c.HTMLText = "<table>"
	if got := session.ItemOf(c).Surface; got != retrieval.SurfaceHTML {
		t.Errorf("got %s", got)
	}
	c.Flags = store.HasSteps
	if got := session.ItemOf(c).Surface; got != retrieval.SurfaceMarkdown {
		t.Errorf("got %s", got)
	}
}

func TestRunNeedsATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	stdout := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = stdout }()
	if err := Run(context.Background(), Options{}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("got %v", err)
	}
}

func TestTypedBeforeTheCorpusIsOpen(t *testing.T) {
	for live, want := range map[bool]int{true: 1, false: 0} {
		d, f := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
			o.Open = func(context.Context) (*session.Corpus, error) {
				return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: live}, nil
			}
		})
		for _, r := range "depth" {
			d.send(keyOf(string(r)))
		}
		d.settle()
		if len(f.asked) != want {
			t.Errorf("live %v: asked %q, want %d queries", live, f.asked, want)
		}
	}
}

func TestCorpusIsOpenedAgain(t *testing.T) {
	tries := 0
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			if tries++; tries == 1 {
				return nil, errBroken
			}
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true}, nil
		}
	}, "")
	d.mustShow("could not be opened")
	d.press(": 'corpus: try again' enter")
	d.mustShow("Depth decay")
}
