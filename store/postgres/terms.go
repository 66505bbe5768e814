package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// The limits of a tsvector, as PostgreSQL documents them: the bytes of a lexeme,
// its positions, the greatest position, and the bytes of all.
const (
	maxLexeme          = 2046
	maxLexemePositions = 255
	maxPosition        = 16_383
	maxTermVector      = 1 << 20
)

// termColumns are the columns of chunk_terms, in the order of termRow.
func termColumns() []string {
	return []string{"document_id", "id", "parent_id", "length", "cut", "ts"}
}

// termRow returns a child's row of chunk_terms for a COPY. A chunk without terms
// has none.
func termRow(c *store.Chunk) (row []any, ok bool) {
	if c.Terms == "" {
		return nil, false
	}
	vector, length, cut := termVector(c.Terms)
	return []any{c.DocumentID, c.ID, c.ParentID, length, cut, vector}, true
}

// termVector returns what the index holds of terms that single spaces separate:
// each as it is, with its places, counted from 1. No parser of the server has a
// say in it, which would take "max_depth" apart. length is the number of terms.
//
// A tsvector has a place for what a passage holds, and not for what a hostile page
// may hold. cut says that it lacks some of the places: then neither counts nor
// phrases can be read off it. Of a term too long for it nothing is left at all;
// [store.Terms] makes none.
func termVector(terms string) (v pgtype.TSVector, length int, cut bool) {
	v.Valid = true
	at := make(map[string]int)
	size := 0
	for word := range strings.SplitSeq(terms, " ") {
		length++
		i, known := at[word]
		if !known {
			// The entry, and what aligns and counts its positions.
			grown := size + len(word) + 8
			if len(word) > maxLexeme || grown > maxTermVector {
				cut = true
				continue
			}
			size = grown
			i = len(v.Lexemes)
			at[word] = i
			v.Lexemes = append(v.Lexemes, pgtype.TSVectorLexeme{Word: word})
		}
		lexeme := &v.Lexemes[i]
		if length > maxPosition || len(lexeme.Positions) == maxLexemePositions || size+2 > maxTermVector {
			cut = true
			continue
		}
		size += 2
		lexeme.Positions = append(lexeme.Positions, pgtype.TSVectorPosition{Position: uint16(length)})
	}
	return v, length, cut
}
