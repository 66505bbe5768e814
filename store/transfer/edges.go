package transfer

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
)

// edgeList reads a listing of edges from its beginning to its end.
type edgeList struct {
	view  store.View
	query store.EdgeQuery

	read  []store.Edge // and not yet taken by next
	ended bool
}

// page returns the next edges, none at the end.
func (l *edgeList) page(ctx context.Context) ([]store.Edge, error) {
	if l.ended {
		return nil, nil
	}
	l.query.Page = store.Page{Limit: edgePage}
	edges, err := l.view.Edges(ctx, l.query)
	if err != nil {
		return nil, err
	}
	if l.ended = len(edges) < edgePage; !l.ended {
		l.query.After = edges[len(edges)-1]
	}
	return edges, nil
}

// next returns the next edge, nil at the end. It stays the next until it is taken.
func (l *edgeList) next(ctx context.Context) (e *store.Edge, err error) {
	if len(l.read) == 0 {
		if l.read, err = l.page(ctx); err != nil || len(l.read) == 0 {
			return nil, err
		}
	}
	return &l.read[0], nil
}

func (l *edgeList) take() { l.read = l.read[1:] }

// verifyEdges compares the edges of two views, both of which list them in one
// order. Both ends of an edge that a shows are in documents that were copied, which
// are given with the keys of their addresses.
func verifyEdges(ctx context.Context, from store.Info, a, b store.View, copied map[string][]string) error {
	isShared, err := sharedAddresses(ctx, b, copied)
	if err != nil {
		return err
	}
	source, target := edgeList{view: a}, edgeList{view: b}
	for {
		want, err := source.next(ctx)
		if err != nil || want == nil {
			return err
		}
		var got *store.Edge
		for {
			if got, err = target.next(ctx); err != nil {
				return err
			}
			if got == nil || store.CompareListed(*got, *want) >= 0 {
				break
			}
			target.take() // it is beside what was copied
		}
		if got != nil && got.ID != want.ID {
			got = nil
		}
		isOwn := want.Origin == store.OriginLink && (from.Foreign || isShared[want.TargetDocumentID])
		if err := compareEdges(want, got); err != nil && !isOwn {
			return err
		}
		source.take()
	}
}

// compareEdges returns how got, which is nil where there is none, differs.
func compareEdges(want, got *store.Edge) error {
	of, edge := "section "+want.SourceID, fmt.Sprintf("its %s edge to %s", want.Relation, want.TargetID)
	if got == nil {
		return &DifferenceError{Of: of, What: edge, Source: "there, of origin " + string(want.Origin), Copy: "missing"}
	}
	if field, s, t := firstDifference(*want, *got); field != "" {
		return &DifferenceError{Of: of, What: "the " + field + " of " + edge, Source: s, Copy: t}
	}
	return nil
}

// sharedAddresses returns the documents among copied one of whose addresses is
// also that of a document that v has beside them.
func sharedAddresses(ctx context.Context, v store.View, copied map[string][]string) (map[string]bool, error) {
	beside := make(map[string]bool)
	err := eachDocument(ctx, v, func(d store.Document) error {
		if _, ok := copied[d.ID]; !ok {
			for _, key := range addressKeys(&d) {
				beside[key] = true
			}
		}
		return nil
	})
	shared := make(map[string]bool)
	for id, keys := range copied {
		for _, key := range keys {
			if beside[key] {
				shared[id] = true
			}
		}
	}
	return shared, err
}

// addressKeys are the keys by which links find a document.
func addressKeys(d *store.Document) []string {
	var keys []string
	for _, address := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
		if key := store.PageKey(address); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}
