package sqlite

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
)

// findLimit is how many chunks Find returns when no limit is given.
const findLimit = 100

// Find returns the chunks that q means, best first, and how many there are.
func (v *View) Find(ctx context.Context, q store.FindQuery) ([]store.Chunk, int, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	var refs []ref
	switch {
	case q.ChunkID != "" && q.SourceURL == "" && q.Quote == "":
		refs = sn.findID(q)
	case q.SourceURL != "" && q.ChunkID == "" && q.Quote == "":
		refs, err = v.findURL(ctx, sn, q)
	case q.Quote != "" && q.ChunkID == "" && q.SourceURL == "":
		refs, err = v.findQuote(ctx, sn, q)
	default:
		err = errors.New("exactly one of chunk id, source URL and quote can be looked for")
	}
	if err != nil {
		return nil, 0, fail(ctx, "look for a chunk of", v.store.path, err)
	}
	limit := q.Limit
	if limit <= 0 {
		limit = findLimit
	}
	chunks, err := v.chunks(ctx, sn, refs[:min(limit, len(refs))], 0)
	return chunks, len(refs), err
}

// isOf reports whether a chunk is of a level; every one is of the empty level.
func (r ref) isOf(level store.Level) bool {
	isParent := int(r.row) < r.doc.part.Parents
	return level == "" || isParent == (level == store.Parent)
}

func (s *snapshot) findID(q store.FindQuery) []ref {
	id, ok := store.ParseID(q.ChunkID)
	if !ok {
		return nil
	}
	d, r, ok := s.chunkByID(id)
	if at := (ref{d, r}); ok && at.isOf(q.Level) {
		return []ref{at}
	}
	return nil
}

// findURL finds the sections of a page, or their children. An address that no
// document has exactly is looked for as links are.
func (v *View) findURL(ctx context.Context, sn *snapshot, q store.FindQuery) ([]ref, error) {
	url, fragment, _ := strings.Cut(q.SourceURL, "#")
	m := newMatcher(q.Scope)
	named := func(same func(address string) bool) []*document {
		var docs []*document
		for _, d := range sn.docs {
			if (same(d.sourceURL) || same(d.url) || slices.ContainsFunc(d.aliases, same)) && m.refuses(d) == "" {
				docs = append(docs, d)
			}
		}
		return docs
	}
	docs := named(func(address string) bool { return address == url || address == q.SourceURL })
	if len(docs) == 0 {
		key := store.PageKey(url)
		docs = named(func(address string) bool { return address != "" && store.PageKey(address) == key })
	}
	var refs []ref
	for _, d := range docs {
		var parents []ref
		for r := range d.part.Parents {
			if m.admits(d, int32(r)) {
				parents = append(parents, ref{d, int32(r)})
			}
		}
		if fragment != "" && len(parents) > 0 {
			chunks, err := v.chunks(ctx, sn, parents, store.FieldText)
			if err != nil {
				return nil, err
			}
			at := store.LinkTarget(fragment, chunks)
			meant := parents[at]
			parents = slices.Insert(slices.Delete(parents, at, at+1), 0, meant)
		}
		for _, parent := range parents {
			if q.Level != store.Child {
				refs = append(refs, parent)
				continue
			}
			from, to := d.part.ChildrenOf(parent.row)
			for r := from; r < to; r++ {
				refs = append(refs, ref{d, int32(r)})
			}
		}
	}
	return refs, nil
}

// quoted is a chunk that a quote overlaps.
type quoted struct {
	ref
	order int  // the place of its document in listings
	whole bool // the quote is in it from end to end
}

// findQuote finds the chunks that hold a quote, and those that it spans.
func (v *View) findQuote(ctx context.Context, sn *snapshot, q store.FindQuery) ([]ref, error) {
	quote, ok := store.NewQuote(q.Quote)
	if !ok {
		return nil, nil
	}
	sel := sn.in(q.Scope)
	likely, err := v.likely(ctx, sn, quote)
	if err != nil && ctx.Err() != nil {
		return nil, err // else the keyword index is damaged, and all are read
	}
	var found []quoted
	for _, first := range []bool{true, false} {
		// Only if no likely document has it are the others read: the quote may begin
		// and end within words, and words may have been cut.
		if len(found) > 0 {
			break
		}
		for i, d := range sel.docs {
			if likely[d] != first {
				continue
			}
			at, err := v.quotedIn(ctx, sn, d, quote)
			if err != nil {
				return nil, err
			}
			for _, x := range at {
				x.order = i
				if x.isOf(q.Level) && sel.has(i, x.row) {
					found = append(found, x)
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b quoted) int {
		return cmp.Or(-compareBool(a.whole, b.whole), compareBool(a.isOf(store.Parent), b.isOf(store.Parent)),
			cmp.Compare(a.order, b.order), cmp.Compare(a.row, b.row))
	})
	refs := make([]ref, len(found))
	for i, x := range found {
		refs[i] = x.ref
	}
	return refs, nil
}

// has reports whether a row of the i-th document is in the selection.
func (s selection) has(i int, r int32) bool {
	if s.parents == nil {
		return true
	}
	_, ok := slices.BinarySearch(s.parents[i], s.docs[i].part.ParentOf(r))
	return ok
}

// likely returns the documents that hold the rarest word of a quote, of those that
// stand in it as a whole. There is none for a quote of few words.
func (v *View) likely(ctx context.Context, sn *snapshot, quote store.Quote) (map[*document]bool, error) {
	terms, _ := keyword.Distinct(store.Terms(quote.Within()))
	if len(terms) == 0 {
		return nil, nil
	}
	index, err := v.words(ctx, sn)
	if err != nil {
		return nil, err
	}
	reader, err := v.listReader(ctx, index)
	if err != nil {
		return nil, err
	}
	defer reader.close()
	var rarest []postings.List
	fewest := 0
	for _, t := range terms {
		lists, err := reader.lists(ctx, t.Text)
		if err != nil {
			return nil, err
		}
		if df, err := index.frequency(lists); err != nil {
			return nil, err
		} else if df > 0 && (rarest == nil || df < fewest) {
			rarest, fewest = lists, df
		}
	}
	docs := make(map[*document]bool)
	for i, l := range rarest {
		err := index.each(i, l, func(c *wordChild, at *postings.Cursor) {
			if at.Counts.Body > 0 {
				docs[sn.numbered[c.number]] = true
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// quotedIn returns the chunks of a document that the quote is in or spans.
func (v *View) quotedIn(ctx context.Context, sn *snapshot, d *document, quote store.Quote) ([]quoted, error) {
	refs := make([]ref, d.part.Parents)
	for r := range refs {
		refs[r] = ref{d, int32(r)}
	}
	parents, err := v.chunks(ctx, sn, refs, store.FieldText)
	if err != nil {
		return nil, err
	}
	passages := quote.Passages(parents)
	var out []quoted
	for r := range d.part.Rows {
		x := &d.part.Rows[r]
		if some, whole := passages.Meet(int(x.CharStart), int(x.CharEnd)); some {
			out = append(out, quoted{ref: ref{d, int32(r)}, whole: whole})
		}
	}
	return out, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
