package postgres

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// matching asks for the children that match, up to one more than limit unless that
// is 0. c is chunk_terms here, which has the columns of chunks that a scope asks
// for. A child that is cut is asked for by its words alone. Its words are in any
// field, since an index of words knows no labels: whoever searches fewer must look
// at the counts.
func (v *View) matching(spec *store.Search, q *keyword.Query, limit int) statement {
	var p params
	words, rest := matchQueries(q)
	var held []string
	for _, i := range heldTerms(q) {
		held = append(held, quoteLexeme(q.Terms[i].Text))
	}
	ranks := "ARRAY(SELECT ts_rank(" + rankWeights + ", c.ts, q) FROM unnest(" + p.add(held) + "::text[]::tsquery[]) q)"
	conditions := []string{"c.ts @@ " + p.add(words) + "::text::tsquery"}
	if rest != "" {
		conditions = append(conditions, "(c.cut OR c.ts @@ "+p.add(rest)+"::text::tsquery)")
	}
	conditions = append(append(conditions, v.visibleDocument(&p)...), v.scopedChunk(&p, spec.Scope)...)
	names := ", c.heading_terms, c.title_terms"
	if isOfBodies(q) {
		names = ""
	}
	sql := "SELECT c.id, c.parent_id, c.document_id, c.length, c.cut, " + ranks + names +
		" FROM " + v.layout.table("chunk_terms") + " c JOIN " + v.layout.table("documents") + " d ON d.id = c.document_id" +
		" WHERE " + all(conditions)
	if limit > 0 {
		sql += " LIMIT " + strconv.Itoa(limit+1)
	}
	return statement{sql: sql, args: p}
}

// isOfBodies reports whether a query is of the body alone, so that what a child is
// called needs to be read of those rows only that are returned.
func isOfBodies(q *keyword.Query) bool { return q.Fields == store.FieldWeights{} }

// matchQueries returns the tsquery of the words that a match holds, any or all of
// them, and that of what else a web search asks for: phrases and exclusions.
func matchQueries(q *keyword.Query) (words, rest string) {
	var operands []string
	for _, t := range q.Terms {
		if t.Used {
			operands = append(operands, quoteLexeme(t.Text))
		}
	}
	if !keyword.IsConjunction(q.Match) {
		return joinQueries(operands, " | "), ""
	}
	var others []string
	labels := searchedLabels(q.Fields)
	for _, run := range q.Phrases {
		for word := range strings.SplitSeq(run, " ") {
			operands = append(operands, quoteLexeme(word))
		}
		others = append(others, phraseQuery(run, labels))
	}
	for _, run := range q.Without {
		others = append(others, "!"+phraseQuery(run, labels))
	}
	return joinQueries(operands, " & "), joinQueries(others, " & ")
}

// searchedLabels are the labels of the places in fields that are searched, as they
// stand behind a lexeme; none for all fields.
func searchedLabels(fields store.FieldWeights) string {
	switch {
	case fields.Heading != 0 && fields.Title != 0:
		return ""
	case fields.Heading != 0:
		return ":BD"
	case fields.Title != 0:
		return ":AD"
	}
	return ":D"
}

// phraseQuery is the tsquery of terms that follow one another in places of some
// labels.
func phraseQuery(run, labels string) string {
	words := strings.Split(run, " ")
	for i, word := range words {
		words[i] = quoteLexeme(word) + labels
	}
	return "(" + strings.Join(words, " <-> ") + ")"
}

// joinQueries joins operands in halves: a chain of thousands would be as deep.
func joinQueries(operands []string, operator string) string {
	switch n := len(operands); n {
	case 0:
		return ""
	case 1:
		return operands[0]
	default:
		return "(" + joinQueries(operands[:n/2], operator) + operator + joinQueries(operands[n/2:], operator) + ")"
	}
}

// quoteLexeme writes a term as a tsquery has it: what stands in quotes is taken as
// it is.
func quoteLexeme(term string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(term) + "'"
}
