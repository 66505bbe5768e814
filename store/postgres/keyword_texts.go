package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// readTexts are the children of a corpus without an index of words, as far as they
// were read.
type readTexts struct {
	// held are those that hold a word of the query, with their terms. They are in
	// scope unless said otherwise.
	held []readText
	// sampled says that not all children were read.
	sampled bool
}

type readText struct {
	match
	fields  keyword.Fields
	outside bool
}

// searchTexts searches the words of texts that it reads one by one: those that an
// index finds, or all.
func (v *View) searchTexts(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	q, read, err := v.readTexts(ctx, tx, spec, found)
	if err != nil {
		return err
	}
	var rows []store.KeywordRow
	v.eachText(q, read, spec, found, func(m *match) { rows = append(rows, m.row(q)) })
	found.KeywordMatches = len(rows)
	found.Keyword = keyword.Best(rows, found, min(max(spec.KeywordRows, 0), v.store.keywords.limits.ranked))
	found.KeywordReturned = len(found.Keyword)
	return nil
}

// eachText calls do with the texts in scope that match.
func (v *View) eachText(q *keyword.Query, read *readTexts, spec *store.Search, found *store.Found, do func(*match)) {
	if q.Bound == 0 {
		return
	}
	counter, score := keyword.NewCounter(q), newScorer(q, spec, found)
	for i := range read.held {
		t := &read.held[i]
		if t.outside || !counter.Count(&t.fields) {
			continue
		}
		t.counts = counter.Counts
		t.score = score.of(&t.match)
		do(&t.match)
	}
}

// readTexts reads the texts of all children if they are few enough, else those in
// scope up to the bound, makes terms of them and counts. The frequencies are then
// the corpus's, or those of what was read.
func (v *View) readTexts(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) (*keyword.Query, *readTexts, error) {
	if v.layout.words.name != "" {
		return v.readIndexed(ctx, tx, spec, found)
	}
	q := keyword.NewQuery(spec)
	found.Terms, found.Fields = q.Stats(spec.Terms), spec.Fields
	if !spec.Unindexed {
		return nil, nil, v.noWords()
	}
	found.KeywordUnindexed = true
	sql, args, sampled, err := v.textsToRead(ctx, tx, spec)
	if err != nil {
		return nil, nil, err
	}
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, nil, err
	}
	read, counts, err := v.collectTexts(rows, q, v.store.keywords.limits.read, true)
	if err != nil {
		return nil, nil, fmt.Errorf("read texts without an index of words: %w", err)
	}
	read.sampled = read.sampled || sampled
	found.KeywordRows, found.AvgLength, found.KeywordSampled = counts.rows, counts.mean(), read.sampled
	q.Choose(spec, found.KeywordRows, v.store.keywords.limits.matches)
	found.Terms = q.Stats(spec.Terms)
	return q, read, nil
}

// textCounts are how many texts with terms were read, and their terms in all.
type textCounts struct {
	rows   int
	length store.FieldCounts
}

// nameColumns are the headings, by lines, and the title of a chunk of a foreign database,
// as a select list for alias c. An index of texts does not find them: beside it they
// do not count.
func (l *layout) nameColumns() string {
	if l.words.name != "" {
		return "'', ''"
	}
	list := func(name string) string {
		return "array_remove(" + column(l.chunks, "c", name, "NULL::text[]") + ", NULL)"
	}
	return "coalesce(array_to_string(" + l.headingPath(list) + ", E'\\n'), ''), coalesce(" + column(l.chunks, "c", "title", "NULL::text") + ", '')"
}

func (c textCounts) mean() store.FieldLengths {
	return store.MeanLengths(c.length, c.rows)
}

// collectTexts makes terms of the first limit texts and keeps those that hold a
// word of the query. With count it counts how many hold each.
func (v *View) collectTexts(rows pgx.Rows, q *keyword.Query, limit int, count bool) (*readTexts, textCounts, error) {
	read := &readTexts{}
	var counts textCounts
	counter := keyword.NewCounter(q.OfAllFields())
	phrases := q.Match == store.MatchWebsearch && len(q.Terms) == 0 // then any text may hold one
	n := 0
	var t readText
	var text, headings, title string
	var parent *uuid.UUID
	var within bool
	terms := keyword.Texts{Analyzer: &v.store.keywords.analyzer}
	_, err := pgx.ForEachRow(rows, []any{(*[16]byte)(&t.id), &parent, (*[16]byte)(&t.document), &text, &headings, &title, &within}, func() error {
		if n++; n > limit {
			read.sampled = true
			return nil
		}
		kept := t
		kept.fields, kept.outside = terms.Of(text, headings, title), !within
		if kept.length = kept.fields.Lengths(); kept.length.Sum() == 0 {
			return nil
		}
		counts.rows++
		counts.length = counts.length.Plus(kept.length)
		if parent != nil {
			kept.parent = *parent
		}
		counter.Count(&kept.fields)
		holds := phrases
		for i, tf := range counter.Counts {
			if tf.Sum() > 0 {
				holds = true
				if count {
					q.Terms[i].DF++
				}
			}
		}
		if holds {
			read.held = append(read.held, kept)
		}
		return nil
	})
	return read, counts, err
}

// textsToRead asks for children with their texts, and whether they are in scope.
func (v *View) textsToRead(ctx context.Context, tx pgx.Tx, spec *store.Search) (sql string, args []any, sampled bool, err error) {
	limit := v.store.keywords.limits.read
	const child = "c.chunk_level = 'child'"
	most := " LIMIT " + strconv.Itoa(limit+1)
	var n int
	err = tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+v.layout.table("chunks")+" c WHERE "+child+most+") s").Scan(&n)
	if err != nil {
		return "", nil, false, err
	}
	var p params
	scoped := all(v.scopedChunk(&p, spec.Scope))
	sql = "SELECT c.id, c.parent_id, c.document_id, c.chunk_text, " + v.layout.nameColumns() + ", "
	if n <= limit {
		sql += "coalesce(" + scoped + ", false) FROM " + v.layout.chunksFrom() + " WHERE " + child
		return sql + most, p, false, nil
	}
	return sql + "true FROM " + v.layout.chunksFrom() + " WHERE " + child + " AND " + scoped + most, p, true, nil
}

// noWords is why words cannot be searched unless it is asked for.
func (v *View) noWords() error {
	if why := v.layout.missing[store.CapKeyword]; why != "" {
		return errors.New(why)
	}
	return errors.New("this database has no index of words")
}

// placeText is placeKeyword where there is no index of words.
func (v *View) placeText(ctx context.Context, tx pgx.Tx, spec *store.Search, p *store.Placement) error {
	var found store.Found
	q, read, err := v.readTexts(ctx, tx, spec, &found)
	if err != nil {
		return err
	}
	p.Terms = found.Terms
	if p.Chunk.ID == "" {
		return nil
	}
	var level, text, headings, title string
	err = tx.QueryRow(ctx, "SELECT c.chunk_level, c.chunk_text, "+v.layout.nameColumns()+" FROM "+v.layout.table("chunks")+
		" c WHERE c.document_id = $1 AND c.id = $2", p.Chunk.DocumentID, p.Chunk.ID).Scan(&level, &text, &headings, &title)
	if err != nil {
		return err
	}
	var fields keyword.Fields
	if level == string(store.Child) {
		terms := keyword.Texts{Analyzer: &v.store.keywords.analyzer}
		fields = terms.Of(text, headings, title)
	}
	own, err := place(q, &found, &fields, p)
	if err != nil || !p.HasKeyword || p.Absence != store.AbsentNone {
		return err
	}
	p.KeywordRank, p.KeywordAtLeast = 1, read.sampled
	v.eachText(q, read, spec, &found, func(m *match) {
		if compareMatches(*m, own) < 0 {
			p.KeywordRank++
		}
	})
	return nil
}
