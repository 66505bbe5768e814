package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/transfer"
)

// faulty is a store that loses or changes edges: on their way in, or on their way
// out.
type faulty struct {
	store.Store
	in, out func([]store.Edge) []store.Edge
}

func (f *faulty) Write(ctx context.Context) (store.Writer, error) {
	w, err := f.Store.Write(ctx)
	return &faultyWriter{w, f}, err
}

func (f *faulty) Read(ctx context.Context) (store.View, error) {
	v, err := f.Store.Read(ctx)
	return &faultyView{v, f}, err
}

type faultyWriter struct {
	store.Writer
	faulty *faulty
}

func (w *faultyWriter) PutEdges(ctx context.Context, edges []store.Edge) ([]store.Edge, error) {
	if w.faulty.in != nil {
		edges = w.faulty.in(edges)
	}
	return w.Writer.PutEdges(ctx, edges)
}

type faultyView struct {
	store.View
	faulty *faulty
}

func (v *faultyView) Edges(ctx context.Context, q store.EdgeQuery) ([]store.Edge, error) {
	edges, err := v.View.Edges(ctx, q)
	if v.faulty.out != nil && q.Nodes == nil {
		edges = v.faulty.out(edges)
	}
	return edges, err
}

// without leaves out the edges of an origin.
func without(o store.Origin) func([]store.Edge) []store.Edge {
	return func(edges []store.Edge) []store.Edge {
		return slices.DeleteFunc(edges, func(e store.Edge) bool { return e.Origin == o })
	}
}

// changed changes the edges of an origin.
func changed(o store.Origin, do func(e *store.Edge)) func([]store.Edge) []store.Edge {
	return func(edges []store.Edge) []store.Edge {
		for i := range edges {
			if edges[i].Origin == o {
				do(&edges[i])
			}
		}
		return edges
	}
}

func TestVerifyFindsLostEdges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faulty faulty
		what   string
	}{
		"an imported edge is not written": {faulty{in: without(store.OriginImport)}, "its depends_on edge"},
		"one has another weight":          {faulty{in: changed(store.OriginImport, func(e *store.Edge) { e.Weight = .4 })}, "the weight of its depends_on edge"},
		"another description":             {faulty{in: changed(store.OriginImport, func(e *store.Edge) { e.Description = "?" })}, "the description of its depends_on edge"},
		"another origin":                  {faulty{in: changed(store.OriginImport, func(e *store.Edge) { e.Origin = store.OriginLink })}, "the origin of its depends_on edge"},
		"an edge of a link is missing":    {faulty{out: without(store.OriginLink)}, "its references edge"},
		"it says something else":          {faulty{out: changed(store.OriginLink, func(e *store.Edge) { e.Description = "?" })}, "the description of its references edge"},
		"an edge of the structure":        {faulty{out: without(store.OriginStructure)}, "its sequence edge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := open(t), c.faulty
			to.Store = open(t)
			fill(t, from, page("a", "b"), page("b", "a"), page("c", ""))
			if _, err := transfer.Copy(t.Context(), from, &to, transfer.Options{}); err != nil {
				t.Fatal(err)
			}
			err := transfer.Verify(t.Context(), from, &to, transfer.Options{})
			var d *transfer.DifferenceError
			if !errors.As(err, &d) || !strings.HasPrefix(d.What, c.what) {
				t.Errorf("%v, want that %s differs", err, c.what)
			}
		})
	}
}

// A page that both sides have fetched by themselves is one page: the target keeps
// its own visit, and the copy is verified.
func TestCopyOntoEqualPages(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]store.Store{"file": open(t), "database": database(t)} {
		t.Run(name, func(t *testing.T) {
			from := open(t)
			visits := func(visit string, at time.Time, status int) (pages []store.Bundle) {
				for _, name := range []string{"a", "b"} {
					b := page(name, "a")
					d := &b.Document
					d.CurrentIngestionID, d.FetchedAt, d.IndexedAt = id(name+visit), at, at.Add(time.Minute)
					d.StatusCode, d.PublishedTime, d.ModifiedTime = status, visit, visit
					for i := range b.Chunks {
						b.Chunks[i].IngestionID = d.CurrentIngestionID
					}
					pages = append(pages, b)
				}
				return pages
			}
			first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			fill(t, from, visits("first", first, 200)...)
			fill(t, to, visits("second", first.Add(time.Hour), 203)...)
			report, err := transfer.Copy(t.Context(), from, to, transfer.Options{})
			if err != nil || report.Documents != 2 || report.Written != 0 {
				t.Fatalf("%+v, %v, want nothing to write", report, err)
			}
			if err := transfer.Verify(t.Context(), from, to, transfer.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// A target may have another page at an address that a link leads to. The link may
// lead there, and nowhere else.
func TestLinksToSharedAddresses(t *testing.T) {
	t.Parallel()
	from, to := open(t), open(t)
	fill(t, from, page("a", "b/old"), page("b", "a"), page("c", ""))
	fill(t, to, page("b/old", "")) // a source URL goes before an alias
	if _, err := transfer.Copy(t.Context(), from, to, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := transfer.Verify(t.Context(), from, to, transfer.Options{}); err != nil {
		t.Error(err)
	}
	lost := faulty{Store: to, out: without(store.OriginLink)}
	var d *transfer.DifferenceError
	err := transfer.Verify(t.Context(), from, &lost, transfer.Options{})
	if !errors.As(err, &d) || d.Of != "section "+page("b", "").Chunks[0].ID {
		t.Errorf("%v, want the link from b to differ, which has one place to go", err)
	}
}

func database(t *testing.T) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), pgtest.Database(t), postgres.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// More edges than are listed at once, from a file to a database and back.
func TestCopyManyEdges(t *testing.T) {
	t.Parallel()
	const pages = 72
	from, between, to := open(t), database(t), open(t)
	var bundles []store.Bundle
	var sections []string
	for i := range pages {
		b := page(fmt.Sprintf("p%d", i), "")
		bundles = append(bundles, b)
		sections = append(sections, b.Chunks[0].ID)
	}
	fill(t, from, bundles...)
	var edges []store.Edge
	for i, source := range sections {
		for _, target := range sections[:i] {
			edges = append(edges, store.Edge{SourceID: source, TargetID: target, Relation: store.SimilarTo, Weight: .5})
		}
	}
	putEdges(t, from, edges)
	for _, hop := range [][2]store.Store{{from, between}, {between, to}} {
		report, err := transfer.Copy(t.Context(), hop[0], hop[1], transfer.Options{})
		if err != nil || report.Edges != len(edges)+1 || report.MissingEdges != 0 {
			t.Fatalf("%+v, %v, want %d edges", report, err, len(edges)+1)
		}
		if err := transfer.Verify(t.Context(), hop[0], hop[1], transfer.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	// The last of many is missed like any other.
	lost := faulty{Store: to, out: func(edges []store.Edge) []store.Edge {
		if len(edges) < 2000 {
			return edges[:len(edges)-1]
		}
		return edges
	}}
	var d *transfer.DifferenceError
	if err := transfer.Verify(t.Context(), from, &lost, transfer.Options{}); !errors.As(err, &d) {
		t.Errorf("%v, want a difference", err)
	}
}

func putEdges(t *testing.T, s store.Store, edges []store.Edge) {
	t.Helper()
	w, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if missing, err := w.PutEdges(t.Context(), edges); err != nil || len(missing) > 0 {
		t.Fatal(len(missing), err)
	}
}
