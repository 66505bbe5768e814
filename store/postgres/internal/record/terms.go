package record

import (
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// The limits of a tsvector, as PostgreSQL documents them: the bytes of a lexeme,
// its positions, the greatest position, and the bytes of all.
const (
	MaxLexeme          = 2046
	MaxLexemePositions = 255
	MaxPosition        = 16_383
	maxTermVector      = 1 << 20
)

// TermColumns are the columns of chunk_terms, in the order of TermRow.
func TermColumns() []string {
	return []string{"document_id", "id", "parent_id", "length", "cut", "ts", "heading_terms", "title_terms"}
}

// TermRow returns a child's row of chunk_terms, and what it says of its words. A
// chunk without terms has none.
func TermRow(c *store.Chunk) (row []any, vector pgtype.TSVector, ok bool) {
	if !HasTerms(c) {
		return nil, vector, false
	}
	vector, cut := TermVector(c)
	return []any{c.DocumentID, c.ID, c.ParentID, keyword.Length(c.Terms), cut, vector, c.HeadingTerms, c.TitleTerms}, vector, true
}

// HasTerms reports whether words can find a chunk.
func HasTerms(c *store.Chunk) bool {
	return c.Terms != "" || c.HeadingTerms != "" || c.TitleTerms != ""
}

// The labels of the places of terms in headings and in titles. Those of a body have
// none, which is the label D.
const (
	headingLabel = pgtype.TSVectorWeightB
	titleLabel   = pgtype.TSVectorWeightA
)

// TermVector returns what the index holds of a child's terms: each as it is, with
// its places, counted from 1: first those in the body, then, behind a gap that no
// phrase goes over, those in the headings, and so those in the title. No parser of
// the server has a say in it, which would take "max_depth" apart.
//
// A tsvector has a place for what a passage holds, and not for what a hostile page
// may hold. cut says that it lacks some of the places: then neither counts nor
// phrases can be read off it. Of a term too long for it nothing is left at all;
// [store.Terms] makes none.
func TermVector(c *store.Chunk) (v pgtype.TSVector, cut bool) {
	words := 3 + strings.Count(c.Terms, " ") + strings.Count(c.HeadingTerms, " ") + strings.Count(c.TitleTerms, " ")
	w := vectorWriter{at: make(map[string]int, words), lexemes: make([]pgtype.TSVectorLexeme, 0, words), first: make([]pgtype.TSVectorPosition, words)}
	w.add(c.Terms, pgtype.TSVectorWeightD)
	w.add(c.HeadingTerms, headingLabel)
	w.add(c.TitleTerms, titleLabel)
	return pgtype.TSVector{Lexemes: w.lexemes, Valid: true}, w.cut
}

type vectorWriter struct {
	lexemes []pgtype.TSVectorLexeme
	// at is where among them each word is, place the last position, size about how
	// many bytes they take.
	at          map[string]int
	place, size int
	cut         bool
	// first has room for the first position of each word: most have no other.
	first []pgtype.TSVectorPosition
}

// add writes the terms of a field.
func (w *vectorWriter) add(terms string, label pgtype.TSVectorWeight) {
	if terms == "" {
		return
	}
	for word := range strings.SplitSeq(terms, " ") {
		w.place++
		i, known := w.at[word]
		if !known {
			// The entry, and what aligns and counts its positions.
			grown := w.size + len(word) + 8
			if len(word) > MaxLexeme || grown > maxTermVector {
				w.cut = true
				continue
			}
			w.size = grown
			i = len(w.lexemes)
			w.at[word] = i
			w.lexemes = append(w.lexemes, pgtype.TSVectorLexeme{Word: word, Positions: w.first[i : i : i+1]})
		}
		lexeme := &w.lexemes[i]
		if w.place > MaxPosition || len(lexeme.Positions) == MaxLexemePositions || w.size+2 > maxTermVector {
			w.cut = true
			continue
		}
		w.size += 2
		lexeme.Positions = append(lexeme.Positions, pgtype.TSVectorPosition{Position: uint16(w.place), Weight: label})
	}
	w.place++
}
