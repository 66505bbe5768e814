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
)

// wordPage is a document of children of which only the terms matter.
type wordPage struct {
	owner   string
	deleted bool
	texts   []string
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
		rows, length := 0, 0
		for _, text := range p.texts {
			if text != "" {
				rows, length = rows+1, length+keyword.Length(text)
			}
		}
		if _, err := tx.Exec(ctx, `INSERT INTO documents (id, source_url, owner, deleted_at, current_ingestion_id, depth, token_count, parent_count, child_count, term_rows, term_length, changed)
			VALUES ($1, $2, nullif($3, ''), CASE WHEN $4 THEN now() END, 'i', 0, 0, 1, 0, $5, $6, 1)`, id, name, p.owner, p.deleted, rows, length); err != nil {
			return err
		}
		parent := wordID(name + " parent")
		if err := insertChunk(ctx, tx, id, parent, "", p.owner, ""); err != nil {
			return err
		}
		var terms [][]any
		for i, text := range p.texts {
			child := store.Chunk{ID: childOf(name, i), DocumentID: id, ParentID: parent, Terms: text}
			if err := insertChunk(ctx, tx, id, child.ID, parent, p.owner, text); err != nil {
				return err
			}
			if row, ok := termRow(&child); ok {
				terms = append(terms, row)
			}
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"chunk_terms"}, termColumns(), pgx.CopyFromRows(terms)); err != nil {
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
		for _, text := range p.texts {
			words := map[string]bool{}
			for _, w := range strings.Fields(text) {
				if !p.deleted && len(w) <= maxLexeme {
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
type wordChild struct{ id, parent, document, terms string }

// want is what a search must find for an owner.
func (c *wordCorpus) want(owner string, spec store.Search) store.Found {
	var children []wordChild
	for name, p := range c.pages {
		if p.deleted || owner != "" && p.owner != owner {
			continue
		}
		for i, text := range p.texts {
			children = append(children, wordChild{childOf(name, i), wordID(name + " parent"), wordID(name), text})
		}
	}
	return wantKeywords(children, spec)
}

// wantKeywords is the answer by the definitions alone. Of a scope it knows the
// documents.
func wantKeywords(all []wordChild, spec store.Search) store.Found {
	var found store.Found
	length := 0
	df := map[string]int{}
	var children []wordChild
	for _, ch := range all {
		words := strings.Fields(ch.terms)
		if len(words) == 0 {
			continue
		}
		found.KeywordRows++
		length += len(words)
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
	found.AvgLength = store.MeanLengths(store.FieldCounts{Body: length}, found.KeywordRows)
	for _, t := range spec.Terms {
		found.Terms = append(found.Terms, store.TermStat{Term: t, DF: df[t]})
	}
	for _, ch := range children {
		words := strings.Fields(ch.terms)
		row := store.KeywordRow{ID: ch.id, ParentID: ch.parent, DocumentID: ch.document, Length: store.FieldCounts{Body: len(words)}}
		some, every := false, true
		for _, t := range found.Terms {
			tf := 0
			for _, w := range words {
				if w == t.Term && keyword.IsTerm(w) {
					tf++
				}
			}
			row.TF = append(row.TF, store.FieldCounts{Body: tf})
			if tf > 0 {
				idf := math.Log(1 + (float64(found.KeywordRows-t.DF)+0.5)/(float64(t.DF)+0.5))
				row.Score += idf * float64(tf) * 2.2 / (float64(tf) + 1.2*(0.25+0.75*float64(len(words))/found.AvgLength.Body))
			}
			some, every = some || tf > 0, every && tf > 0
		}
		switch spec.Match {
		case store.MatchAnd:
			some = some && every
		case store.MatchWebsearch:
			has := func(run string) bool { return strings.Contains(" "+ch.terms+" ", " "+run+" ") }
			for _, p := range spec.Phrases {
				every = every && has(strings.Join(p, " "))
				some = true
			}
			some = some && every && !slices.ContainsFunc(spec.Excluded, has)
		}
		if some {
			found.Keyword = append(found.Keyword, row)
		}
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	found.KeywordMatches = len(found.Keyword)
	return found
}

// differs says how a search's answer differs from the wanted one, "" if it does
// not.
func differs(got, want store.Found) string {
	switch {
	case got.KeywordRows != want.KeywordRows || math.Abs(got.AvgLength.Body-want.AvgLength.Body) > 1e-9:
		return "the corpus"
	case len(got.Terms) != len(want.Terms), got.KeywordMatches != want.KeywordMatches, len(got.Keyword) != len(want.Keyword), got.KeywordReturned != len(want.Keyword):
		return "the number of terms or rows"
	}
	for i, t := range got.Terms {
		if t.Term != want.Terms[i].Term || t.DF != want.Terms[i].DF {
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
