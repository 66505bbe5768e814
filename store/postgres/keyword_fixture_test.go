package postgres

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// wordPage is a document of children of which only the terms matter. Where names are
// given, they are the terms of the headings and of the title of each child.
type wordPage struct {
	owner   string
	deleted bool
	texts   []string
	names   [][2]string
}

// child returns the terms of the i-th child.
func (p *wordPage) child(i int) store.Chunk {
	c := store.Chunk{Terms: p.texts[i]}
	if i < len(p.names) {
		c.HeadingTerms, c.TitleTerms = p.names[i][0], p.names[i][1]
	}
	return c
}

// wordCorpus is a corpus of terms, written as a writer does, beside a map of what
// it must hold.
type wordCorpus struct {
	store *Store
	conn  *pgx.Conn
	// owned are the stores of all owners.
	owned map[string]*Store
	pages map[string]wordPage
}

func newWordCorpus(t *testing.T) *wordCorpus {
	t.Helper()
	dsn := made(t, ownSchema())
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	c := &wordCorpus{conn: conn, owned: map[string]*Store{}, pages: map[string]wordPage{}}
	for _, owner := range []string{"", "ann", "bob", "carol"} {
		c.owned[owner] = open(t, dsn, Options{Owner: owner})
	}
	c.store = c.owned[""]
	return c
}

func wordID(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// childOf is the id of a page's i-th child.
func childOf(page string, i int) string { return wordID(page + string(rune('A'+i))) }

// change runs do in a transaction with the next version of the corpus.
func (c *wordCorpus) change(do func(tx pgx.Tx) error) error {
	ctx := context.Background()
	tx, err := c.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "UPDATE corpus_meta SET changed = changed + 1"); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// put writes a page, or removes it if p is nil.
func (c *wordCorpus) put(name string, p *wordPage) error {
	ctx := context.Background()
	return c.change(func(tx pgx.Tx) error {
		l, id := c.store.layout.Load(), wordID(name)
		if err := countTerms(ctx, tx, l, []string{id}, -1); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM documents WHERE id = $1", id); err != nil {
			return err
		}
		delete(c.pages, name)
		if p == nil {
			return nil
		}
		c.pages[name] = *p
		var s record.Sums
		for i := range p.texts {
			child := p.child(i)
			s.AddTerms(&child)
		}
		if _, err := tx.Exec(ctx, `INSERT INTO documents (id, source_url, owner, deleted_at, current_ingestion_id, depth, token_count, parent_count, child_count, term_rows, term_length, heading_length, title_length, changed)
			VALUES ($1, $2, nullif($3, ''), CASE WHEN $4 THEN now() END, 'i', 0, 0, 1, 0, $5, $6, $7, $8, 1)`, id, name, p.owner, p.deleted, s.TermRows, s.Length.Body, s.Length.Heading, s.Length.Title); err != nil {
			return err
		}
		parent := wordID(name + " parent")
		if err := insertChunk(ctx, tx, id, parent, "", p.owner, ""); err != nil {
			return err
		}
		var terms [][]any
		for i, text := range p.texts {
			child := p.child(i)
			child.ID, child.DocumentID, child.ParentID = childOf(name, i), id, parent
			if err := insertChunk(ctx, tx, id, child.ID, parent, p.owner, text); err != nil {
				return err
			}
			if row, _, ok := record.TermRow(&child); ok {
				terms = append(terms, row)
			}
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"chunk_terms"}, record.TermColumns(), pgx.CopyFromRows(terms)); err != nil {
			return err
		}
		return countTerms(ctx, tx, l, []string{id}, 1)
	})
}

func insertChunk(ctx context.Context, tx pgx.Tx, document, id, parent, owner, terms string) error {
	_, err := tx.Exec(ctx, `INSERT INTO chunks (id, document_id, parent_id, chunk_level, chunk_index, chunk_text, has_table, has_code, has_math,
			has_definition_list, has_admonition, has_steps, has_image, cont, char_start, char_end, token_start, token_end, terms, depth, owner, source_url, ingestion_id)
		VALUES ($1, $2, nullif($3, '')::uuid, CASE $3 WHEN '' THEN 'parent' ELSE 'child' END, 0, '', false, false, false,
			false, false, false, false, false, 0, 0, 0, 0, nullif($5, ''), 0, nullif($4, ''), 'x', 'i')`, id, document, parent, owner, terms)
	return err
}

// hide deletes a page softly, or brings it back.
func (c *wordCorpus) hide(name string, hidden bool) error {
	ctx := context.Background()
	return c.change(func(tx pgx.Tx) error {
		p, id := c.pages[name], wordID(name)
		if p.deleted == hidden {
			return nil
		}
		p.deleted = hidden
		c.pages[name] = p
		if hidden {
			if err := countTerms(ctx, tx, c.store.layout.Load(), []string{id}, -1); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "UPDATE documents SET deleted_at = CASE WHEN $2 THEN now() END WHERE id = $1", id, hidden); err != nil || hidden {
			return err
		}
		return countTerms(ctx, tx, c.store.layout.Load(), []string{id}, 1)
	})
}

// stats reads term_stats by owner and term.
func (c *wordCorpus) stats() (map[[2]string]int, error) {
	rows, err := c.conn.Query(context.Background(), "SELECT owner, term, df FROM term_stats")
	if err != nil {
		return nil, err
	}
	stats := map[[2]string]int{}
	var key [2]string
	var df int
	_, err = pgx.ForEachRow(rows, []any{&key[0], &key[1], &df}, func() error {
		stats[key] = df
		return nil
	})
	return stats, err
}

// wantStats counts the same from the pages.
func (c *wordCorpus) wantStats() map[[2]string]int {
	stats := map[[2]string]int{}
	for _, p := range c.pages {
		for i := range p.texts {
			words := map[string]bool{}
			child := p.child(i)
			for _, w := range strings.Fields(child.Terms + " " + child.HeadingTerms + " " + child.TitleTerms) {
				if !p.deleted && len(w) <= record.MaxLexeme {
					words[w] = true
				}
			}
			for w := range words {
				stats[[2]string{p.owner, w}]++
			}
		}
	}
	return stats
}

// search runs the keyword arm for an owner.
func (c *wordCorpus) search(owner string, spec store.Search) (found store.Found, err error) {
	err = c.view(owner, func(v *View, tx pgx.Tx) error {
		found = store.Found{}
		return v.searchKeywords(context.Background(), tx, &spec, &found)
	})
	return found, err
}

// view runs do in a view of an owner.
func (c *wordCorpus) view(owner string, do func(v *View, tx pgx.Tx) error) error {
	opened, err := c.owned[owner].Read(context.Background())
	if err != nil {
		return err
	}
	v := opened.(*View)
	return cmp.Or(v.do(context.Background(), "search", func(tx pgx.Tx) error { return do(v, tx) }), v.Close())
}

// wordChild is a child as the definitions see it.
type wordChild struct {
	id, parent, document string
	fields               [3]string // body, headings, title
}

// want is what a search must find for an owner.
func (c *wordCorpus) want(owner string, spec store.Search) store.Found {
	var children []wordChild
	for name, p := range c.pages {
		if p.deleted || owner != "" && p.owner != owner {
			continue
		}
		for i := range p.texts {
			child := p.child(i)
			children = append(children, wordChild{childOf(name, i), wordID(name + " parent"), wordID(name), [3]string{child.Terms, child.HeadingTerms, child.TitleTerms}})
		}
	}
	return wantKeywords(children, spec)
}

// wantKeywords is the answer by the definitions alone. Of a scope it knows the
// documents.
func wantKeywords(all []wordChild, spec store.Search) store.Found {
	found := store.Found{Fields: spec.Fields}
	var length store.FieldCounts
	df := map[string]int{}
	var children []wordChild
	for _, ch := range all {
		words := strings.Fields(strings.Join(ch.fields[:], " "))
		if len(words) == 0 {
			continue
		}
		found.KeywordRows++
		length = length.Plus(ch.lengths())
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			if keyword.IsTerm(w) {
				df[w]++
			}
		}
		if len(spec.Scope.DocumentIDs) == 0 || slices.Contains(spec.Scope.DocumentIDs, ch.document) {
			children = append(children, ch)
		}
	}
	found.AvgLength = store.MeanLengths(length, found.KeywordRows)
	for i, t := range spec.Terms {
		stat := store.TermStat{Term: t, DF: df[t], Weight: 1}
		if spec.TermWeights != nil {
			stat.Weight = spec.TermWeights[i]
		}
		found.Terms = append(found.Terms, stat)
	}
	for _, ch := range children {
		if row, ok := ch.row(&found, &spec); ok {
			found.Keyword = append(found.Keyword, row)
		}
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	found.KeywordMatches = len(found.Keyword)
	return found
}

func (ch *wordChild) lengths() store.FieldCounts {
	return store.FieldCounts{Body: len(strings.Fields(ch.fields[0])), Heading: len(strings.Fields(ch.fields[1])), Title: len(strings.Fields(ch.fields[2]))}
}

// row counts and scores a child, and says whether it matches.
func (ch *wordChild) row(found *store.Found, spec *store.Search) (store.KeywordRow, bool) {
	row := store.KeywordRow{ID: ch.id, ParentID: ch.parent, DocumentID: ch.document, Length: ch.lengths()}
	searched := ch.fields
	if spec.Fields.Heading == 0 {
		searched[1] = ""
	}
	if spec.Fields.Title == 0 {
		searched[2] = ""
	}
	some, every := false, true
	for _, t := range found.Terms {
		var tf [3]int
		for i, terms := range searched {
			for _, w := range strings.Fields(terms) {
				if w == t.Term && keyword.IsTerm(w) {
					tf[i]++
				}
			}
		}
		counts := store.FieldCounts{Body: tf[0], Heading: tf[1], Title: tf[2]}
		row.TF = append(row.TF, counts)
		// The body alone is written out once more, so that a mistake in the formula of
		// the package under store does not prove itself right; the fields are storetest's.
		if counts.Sum() > 0 && counts.Sum() == counts.Body {
			idf := math.Log(1 + (float64(found.KeywordRows-t.DF)+0.5)/(float64(t.DF)+0.5))
			row.Score += t.Weight * idf * float64(tf[0]) * 2.2 / (float64(tf[0]) + 1.2*(0.25+0.75*float64(row.Length.Body)/found.AvgLength.Body))
		} else {
			row.Score += store.BM25F(t, counts, row.Length, found.KeywordRows, found.AvgLength, found.Fields)
		}
		some, every = some || counts.Sum() > 0, every && counts.Sum() > 0
	}
	switch spec.Match {
	case store.MatchAnd:
		some = some && every
	case store.MatchWebsearch:
		has := func(run string) bool {
			return slices.ContainsFunc(searched[:], func(terms string) bool { return strings.Contains(" "+terms+" ", " "+run+" ") })
		}
		for _, p := range spec.Phrases {
			every = every && has(strings.Join(p, " "))
			some = true
		}
		some = some && every && !slices.ContainsFunc(spec.Excluded, has)
	}
	return row, some
}

// differs says how a search's answer differs from the wanted one, "" if it does
// not.
func differs(got, want store.Found) string {
	switch {
	case got.KeywordRows != want.KeywordRows || got.AvgLength != want.AvgLength, got.Fields != want.Fields:
		return "the corpus"
	case len(got.Terms) != len(want.Terms), got.KeywordMatches != want.KeywordMatches, len(got.Keyword) != len(want.Keyword), got.KeywordReturned != len(want.Keyword):
		return "the number of terms or rows"
	}
	for i, t := range got.Terms {
		if t.Term != want.Terms[i].Term || t.DF != want.Terms[i].DF || t.Weight != want.Terms[i].Weight {
			return "a term"
		}
	}
	at := map[string]store.KeywordRow{}
	for _, w := range want.Keyword {
		at[w.ID] = w
	}
	for i, row := range got.Keyword {
		w, ok := at[row.ID]
		switch {
		case !ok:
			return "a row"
		case row.ParentID != w.ParentID || row.DocumentID != w.DocumentID || row.Length != w.Length || !slices.Equal(row.TF, w.TF):
			return "the counts of a row"
		case math.Abs(row.Score-w.Score) > 1e-9, math.Abs(row.Score-want.Keyword[i].Score) > 1e-9:
			return "a score"
		case i > 0 && keyword.Compare(got.Keyword[i-1], row) >= 0:
			return "the order"
		}
	}
	return ""
}
