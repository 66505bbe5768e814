package postgres

import (
	"fmt"
	"strconv"
)

// The types of a column of vectors.
const (
	kindVector = "vector"
	kindHalf   = "halfvec"
)

// The most dimensions that an HNSW index takes of each type.
const (
	maxVectorDims = 2000
	maxHalfDims   = 4000
)

// vectorsIndex is the name of the index of the vectors.
const vectorsIndex = "chunks_embedding_hnsw_idx"

// embeddingType is the type of the column of vectors: "vector(384)".
func embeddingType(kind string, dims int) (string, error) {
	if kind != kindVector && kind != kindHalf {
		return "", fmt.Errorf("%q is no type of vectors", kind)
	}
	if dims < 1 || dims > maxHalfDims {
		return "", fmt.Errorf("vectors of %d dimensions cannot be indexed; pgvector takes 1 to %d: choose an embedder with fewer, or let it shorten them (embedding.dimensions)", dims, maxHalfDims)
	}
	return kind + "(" + strconv.Itoa(dims) + ")", nil
}

// embeddingColumn are the statements that give table chunks an empty column of
// vectors, or none if dims is 0. A column of another type goes with its vectors
// and its index: changing the type would rewrite the table.
func embeddingColumn(table, kind string, dims int) ([]string, error) {
	drop := `ALTER TABLE ` + table + ` DROP COLUMN IF EXISTS embedding`
	if dims == 0 {
		return []string{drop}, nil
	}
	of, err := embeddingType(kind, dims)
	if err != nil {
		return nil, err
	}
	return []string{drop, `ALTER TABLE ` + table + ` ADD COLUMN embedding ` + of}, nil
}

// createIndex is the statement that makes the index of the vectors: cosine, and
// only of what is searched. Its parameters m and ef_construction are pgvector's
// defaults. Above the dimensions that it takes of a vector the index is of
// half-precision values, and so it is for a column of those.
func createIndex(table, kind string, dims int) string {
	expression := "embedding vector_cosine_ops"
	switch {
	case kind == kindHalf:
		expression = "embedding halfvec_cosine_ops"
	case dims > maxVectorDims:
		expression = "(embedding::halfvec(" + strconv.Itoa(dims) + ")) halfvec_cosine_ops"
	}
	return `CREATE INDEX ` + vectorsIndex + ` ON ` + table + ` USING hnsw (` + expression + `)
		WHERE chunk_level = 'child' AND embedding IS NOT NULL`
}
