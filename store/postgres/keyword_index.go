package postgres

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// wordIndex is an index of words that somebody made in a foreign database.
type wordIndex struct {
	name string
	// expression is what it indexes, as it stands in a statement where c is chunks.
	expression string
	// config is the text search configuration that made its lexemes.
	config string
}

// readWords looks for an index of the words of chunk_text. One whose lexemes were
// made in a way that the catalog does not tell is of no use.
func (l *layout) readWords(ctx context.Context, tx pgx.Tx, chunks *catalog.Table) error {
	indexes, err := catalog.Indexes(ctx, tx, chunks.OID)
	if err != nil {
		return err
	}
	for _, x := range indexes {
		if x.Method != "gin" || x.Class != "tsvector_ops" || !x.Valid || x.Predicate != "" && x.Predicate != "(chunk_level = 'child'::text)" {
			continue
		}
		expression, made := x.Expression, x.Expression
		var generated string
		err := tx.QueryRow(ctx, `SELECT coalesce(min(pg_get_expr(f.adbin, f.adrelid)), '') FROM pg_attribute a
			JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
			WHERE a.attrelid = $1 AND quote_ident(a.attname) = $2 AND a.attgenerated = 's'`, chunks.OID, x.Expression).Scan(&generated)
		if err != nil {
			return err
		}
		if generated != "" {
			expression, made = "c."+x.Expression, generated
		}
		if config := wordConfig(made); config != "" {
			l.words = wordIndex{name: x.Name, expression: expression, config: config}
			return nil
		}
	}
	return nil
}

// wordConfig returns the configuration of an expression that makes lexemes of
// chunk_text and of nothing else, as the catalog prints it, or "".
//
//	wordConfig("to_tsvector('english'::regconfig, chunk_text)") // "english"
func wordConfig(expression string) string {
	m := regexp.MustCompile(`^to_tsvector\('([^']+)'::regconfig, (?:chunk_text|COALESCE\(chunk_text, ''::text\))\)$`).FindStringSubmatch(expression)
	if m == nil {
		return ""
	}
	return m[1]
}

// readIndexed reads the texts that a foreign index finds. The index says which
// texts hold a term, as far as its own analysis agrees with ours, and how many;
// how often and next to what is counted in the texts. The mean length is that of
// the texts that were read.
func (v *View) readIndexed(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) (*keyword.Query, *readTexts, error) {
	q := keyword.NewQuery(spec)
	found.Terms, found.Fields = q.Stats(spec.Terms), spec.Fields
	queries, err := v.askWords(ctx, tx, spec, q, found)
	if err != nil {
		return nil, nil, fmt.Errorf("count words in the index %s: %w", catalog.Printable(v.layout.words.name), err)
	}
	limits := v.store.keywords.limits
	q.Choose(spec, found.KeywordRows, limits.matches)
	found.Terms = q.Stats(spec.Terms)
	words := wordsQuery(q, queries)
	if q.Bound == 0 || words == "" {
		return q, &readTexts{}, nil
	}
	limit := limits.read
	if q.Bound > limits.matches && q.Match != store.MatchOr {
		limit = limits.sampled
	}
	var p params
	conditions := append([]string{"c.chunk_level = 'child'", v.layout.words.expression + " @@ " + p.add(words) + "::text::tsquery"}, v.scopedChunk(&p, spec.Scope)...)
	rows, err := tx.Query(ctx, "SELECT c.id, c.parent_id, c.document_id, c.chunk_text, "+v.layout.nameColumns()+", true FROM "+v.layout.chunksFrom()+
		" WHERE "+all(conditions)+" LIMIT "+strconv.Itoa(limit+1), p...)
	if err != nil {
		return nil, nil, err
	}
	read, counts, err := v.collectTexts(rows, q, limit, false)
	if err != nil {
		return nil, nil, fmt.Errorf("read texts by the index %s: %w", catalog.Printable(v.layout.words.name), err)
	}
	found.KeywordSampled = read.sampled
	found.AvgLength = counts.mean()
	return q, read, nil
}

// askWords counts the texts that hold each term, up to one more than may be ranked,
// and all children. It returns what to ask the index for each term: the term as it
// is, since an English stemmer has made the same of the word already and would cut
// "databas" once more, or what its configuration makes of it, since that may have
// taken "max_depth" apart.
func (v *View) askWords(ctx context.Context, tx pgx.Tx, spec *store.Search, q *keyword.Query, found *store.Found) (map[string]string, error) {
	limits := v.store.keywords.limits
	at := map[string]*keyword.Term{}
	var words []string
	for i := range q.Terms {
		at[q.Terms[i].Text] = &q.Terms[i]
		words = append(words, q.Terms[i].Text)
	}
	for _, phrase := range spec.Phrases {
		for _, word := range phrase {
			if keyword.IsTerm(word) {
				words = append(words, word)
			}
		}
	}
	lexemes := make([]string, len(words))
	for i, word := range words {
		lexemes[i] = quoteLexeme(word)
	}
	queries := make(map[string]string, len(words))
	var batch pgx.Batch
	children := v.layout.table("chunks") + " c WHERE c.chunk_level = 'child'"
	batch.Queue("SELECT t.term, t.query::text, (SELECT count(*) FROM (SELECT FROM "+children+
		" AND "+v.layout.words.expression+" @@ t.query LIMIT "+strconv.Itoa(limits.matches+1)+
		") s) FROM (SELECT w.term, w.lexeme::tsquery || plainto_tsquery($1::text::regconfig, w.term) FROM unnest($2::text[], $3::text[]) w (term, lexeme)) t (term, query)",
		v.layout.words.config, words, lexemes).Query(func(rows pgx.Rows) error {
		var term, query string
		var df int
		_, err := pgx.ForEachRow(rows, []any{&term, &query, &df}, func() error {
			queries[term] = query
			if t := at[term]; t != nil {
				t.DF = df
			}
			return nil
		})
		return err
	})
	totals := v.store.keywords.totals.Load()
	if totals == nil || totals.version != v.meta.Changed {
		totals = &keywordTotals{version: v.meta.Changed}
		batch.Queue("SELECT count(*) FROM " + children).QueryRow(func(row pgx.Row) error { return row.Scan(&totals.rows) })
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	v.store.keywords.totals.Store(totals)
	found.KeywordRows = totals.rows
	return queries, nil
}

// wordsQuery is the tsquery of the texts to read: those that hold any of the words,
// or all.
func wordsQuery(q *keyword.Query, queries map[string]string) string {
	var operands []string
	ask := func(word string) { operands = append(operands, "("+queries[word]+")") }
	for _, t := range q.Terms {
		if t.Used {
			ask(t.Text)
		}
	}
	if !keyword.IsConjunction(q.Match) {
		return joinQueries(operands, " | ")
	}
	for _, run := range q.Phrases {
		for word := range strings.SplitSeq(run, " ") {
			ask(word)
		}
	}
	return joinQueries(operands, " & ")
}
