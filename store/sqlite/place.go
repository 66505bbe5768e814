package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// Place answers where one chunk stands in each arm of spec, exactly.
func (v *View) Place(ctx context.Context, spec store.Search, chunkID string) (store.Placement, error) {
	if spec.Vector != nil {
		if err := v.checkQuery(spec.Vector); err != nil {
			return store.Placement{}, fmt.Errorf("place a chunk of corpus %s: %w", v.store.path, err)
		}
	}
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return store.Placement{}, err
	}
	p, err := v.place(ctx, sn, &spec, chunkID)
	if err != nil {
		return store.Placement{}, fail(ctx, "place a chunk of", v.store.path, err)
	}
	return p, nil
}

func (v *View) place(ctx context.Context, sn *snapshot, spec *store.Search, chunkID string) (store.Placement, error) {
	t, err := v.target(ctx, sn, chunkID)
	if err != nil {
		return store.Placement{}, err
	}
	p := store.Placement{Chunk: t.chunk, Absence: t.absence, HasVector: t.vector != nil}
	if p.Absence == store.AbsentNone {
		m := newMatcher(spec.Scope)
		p.Absence, p.Condition = m.absence(t.doc, t.row)
	}
	var sel selection
	if p.Absence == store.AbsentNone {
		sel = sn.in(spec.Scope)
	}
	if spec.Vector != nil && t.vector != nil {
		p.Similarity = vector.Exact(spec.Vector, t.vector)
		if p.Absence == store.AbsentNone {
			before, err := sn.before(ctx, spec.Vector, sn.scanned(sel), ref{t.doc, t.row}, p.Similarity, sn.floats(v.conn))
			if err != nil {
				return store.Placement{}, err
			}
			p.VectorRank = 1 + before
		}
	}
	if spec.Terms == nil {
		return p, nil
	}
	return p, v.placeKeyword(ctx, sn, sel, spec, &t, &p)
}

// placeKeyword fills in the keyword arm's part.
func (v *View) placeKeyword(ctx context.Context, sn *snapshot, sel selection, spec *store.Search, t *target, p *store.Placement) error {
	var found store.Found
	w, err := v.startWords(ctx, sn, spec, &found)
	if err != nil {
		return err
	}
	p.Terms = found.Terms
	if t.chunk.ID == "" {
		return nil
	}
	counter := keyword.NewCounter(w.query)
	matches := counter.Count(&t.terms) && w.query.Bound > 0
	p.Keyword = store.KeywordRow{
		ID: t.chunk.ID, ParentID: t.chunk.ParentID, DocumentID: t.chunk.DocumentID,
		TF: w.query.Frequencies(counter.Counts), Length: t.terms.Lengths(),
	}
	keyword.Score(&p.Keyword, &found)
	if !matches {
		return nil
	}
	p.HasKeyword = true
	if p.Absence != store.AbsentNone {
		return nil
	}
	p.KeywordRank = 1
	own := ref{t.doc, t.row}
	_, err = w.each(ctx, sel, func(at int) {
		if w.scores[at] > p.Keyword.Score || w.scores[at] == p.Keyword.Score && w.ref(at).compareID(own) < 0 {
			p.KeywordRank++
		}
	})
	return err
}

// absence returns the first condition of a scope that a chunk does not meet.
func (m *matcher) absence(d *document, r int32) (store.Absence, string) {
	switch condition := m.refuses(d); condition {
	case store.ConditionSourceURL, store.ConditionDocument, store.ConditionExcluded:
		return store.AbsentScope, condition
	case "":
		if !m.admits(d, r) {
			return store.AbsentFilter, store.ConditionHeading
		}
		return store.AbsentNone, ""
	default:
		return store.AbsentFilter, condition
	}
}

// before counts the rows in spans that come before one of a similarity. Only rows
// whose bounds do not tell are read and compared exactly.
func (s *snapshot) before(ctx context.Context, q []float32, spans []span, own ref, similarity float64, read floatReader) (int, error) {
	query := quantise.NewQuery(q)
	var dots [blockRows]int32
	var doubtful []ref
	count, scanned, check := 0, 0, scanCheckRows
	settle := func() error {
		err := read(ctx, doubtful, func(i int, v []float32) {
			exact := vector.Exact(q, v)
			if exact > similarity || exact == similarity && doubtful[i].compareID(own) < 0 {
				count++
			}
		})
		doubtful = doubtful[:0]
		return err
	}
	for _, sp := range spans {
		p := sp.doc.part
		first, end := p.VectorsOf(sp.from, sp.to)
		for i := first; i < end; {
			rows, notes := s.vectors.run(p.Slot+i, p.Slot+end)
			query.Dots(dots[:len(notes)], rows)
			for j, n := range notes {
				switch low, high := query.Bounds(dots[j], n); {
				case float64(high) < similarity:
				case float64(low) > similarity:
					count++
				default:
					doubtful = append(doubtful, ref{sp.doc, p.RowOf(i + j)})
				}
			}
			i += len(notes)
			if scanned += len(notes); scanned >= check {
				check = scanned + scanCheckRows
				if ctx.Err() != nil {
					return 0, context.Cause(ctx)
				}
				if len(doubtful) >= scanCheckRows {
					if err := settle(); err != nil {
						return 0, err
					}
				}
			}
		}
	}
	err := settle()
	return count, err
}

// target is a chunk that is asked after, whether it can be found or not.
type target struct {
	chunk   store.Chunk
	absence store.Absence
	vector  []float32
	terms   keyword.Fields
	// doc and row are where it is in memory, if absence is none.
	doc *document
	row int32
}

// target reads a chunk by its id.
func (v *View) target(ctx context.Context, sn *snapshot, id string) (target, error) {
	u, ok := store.ParseID(id)
	if !ok {
		return target{absence: store.AbsentUnknown}, nil
	}
	t, err := v.storedTarget(ctx, u)
	if err != nil || t.absence != store.AbsentNone {
		return t, err
	}
	if t.doc, t.row, ok = sn.chunkByID(u); !ok {
		// It is all right itself, so that its parent is not.
		return v.orphan(ctx, t)
	}
	t.chunk = t.doc.chunk(t.row)
	if t.doc.part.VectorOf(t.row) < 0 {
		t.vector = nil
	}
	return t, nil
}

// orphan finds the reason why a chunk's parent may not be seen.
func (v *View) orphan(ctx context.Context, t target) (target, error) {
	t.absence = store.AbsentStale
	if u, ok := store.ParseID(t.chunk.ParentID); ok {
		parent, err := v.storedTarget(ctx, u)
		if err != nil {
			return target{}, err
		}
		switch parent.absence {
		case store.AbsentNone, store.AbsentUnknown:
		default:
			t.absence = parent.absence
		}
	}
	return t, nil
}

// storedTarget reads a chunk from the file, with the reason why it may not be seen
// of those that its own row and its document's tell.
func (v *View) storedTarget(ctx context.Context, id uuid.UUID) (target, error) {
	unknown := target{absence: store.AbsentUnknown}
	var c scannedChunk
	var title, owner, url, fetched, current string
	var terms keyword.Fields
	var depth int
	var deleted bool
	var blob []byte
	err := v.conn.QueryRowContext(ctx, `SELECT * FROM (`+chunkQuery+` WHERE id = ?) c CROSS JOIN (
			SELECT coalesce(d.title, ''), coalesce(d.owner, ''), d.source_url, coalesce(c.fetched_at, ''), coalesce(d.current_ingestion_id, ''),
				d.depth, d.deleted_at IS NOT NULL, t.terms, t.heading_terms, t.title_terms, v.v
			FROM chunks c JOIN documents d ON d.id = c.document_id JOIN chunk_texts t ON t.seq = c.seq LEFT JOIN vectors v ON v.seq = c.seq
			WHERE c.id = ?)`, id.String(), id.String()).
		Scan(append(c.targets(), &title, &owner, &url, &fetched, &current, &depth, &deleted, &terms.Body, &terms.Heading, &terms.Title, &blob)...)
	if errors.Is(err, sql.ErrNoRows) {
		return unknown, nil
	}
	if err != nil {
		return target{}, err
	}
	if !v.store.sees(c.owner) || !v.store.sees(owner) {
		return unknown, nil
	}
	t := target{terms: terms}
	switch {
	case c.owner != owner:
		t.absence = store.AbsentOwner
	case deleted:
		t.absence = store.AbsentDeleted
	case current == "" || c.ingestion != current:
		t.absence = store.AbsentStale
	}
	if t.chunk, err = c.alone(); err != nil {
		return target{}, err
	}
	t.chunk.Title, t.chunk.SourceURL, t.chunk.Depth = title, url, depth
	if t.chunk.FetchedAt, err = decodeTime(fetched); err != nil {
		return target{}, fmt.Errorf("chunk %s: %w", c.id, err)
	}
	if blob != nil {
		t.vector = make([]float32, v.meta.Dimensions)
		if vector.Decode(t.vector, blob) != nil || store.CheckUnit(t.vector) != nil {
			t.vector = nil // a damaged vector is none
		}
	}
	return t, nil
}

// alone returns the chunk without what it repeats of its document.
func (c *scannedChunk) alone() (store.Chunk, error) {
	r, err := c.raw()
	if err != nil {
		return store.Chunk{}, fmt.Errorf("chunk %s: %w", c.id, err)
	}
	documentID, err := uuid.Parse(c.documentID)
	if err != nil {
		return store.Chunk{}, fmt.Errorf("chunk %s: document_id: %w", c.id, err)
	}
	r.State &^= part.Embedded | part.Hashed
	d := document{
		id: documentID, owner: c.owner, ingestion: c.ingestion,
		part: &part.Part{Rows: []part.Row{r.Row}, Sections: []part.Section{r.Under}},
	}
	out := d.chunk(0)
	out.ParentID, out.EmbedHash = c.parentID, c.hash
	if c.parentID != "" {
		out.Level = store.Child
	}
	return out, nil
}
