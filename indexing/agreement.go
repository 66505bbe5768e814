package indexing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

// LeastAgreement is the cosine from which vectors count as made by the same
// model. The same model run elsewhere, quantised or in half precision stays above
// it, another prefix or another model does not.
const LeastAgreement = 0.98

// LikelyAgreement is the cosine from which the same model probably made the
// vectors, of the text together with other text around it. Other models stay far
// below: their vectors lie in no common space.
const LikelyAgreement = 0.8

const (
	// agreementTexts is how many stored passages are embedded anew: more than one,
	// because some may have been embedded with more than their text.
	agreementTexts = 5
	// agreementParents is how many sections are searched for them.
	agreementParents = 50
	// agreementRunes is the length from which a passage says something.
	agreementRunes = 20
)

// Agreement embeds some passages of a corpus anew and returns the median cosine
// of their vectors with those that are stored: 1 for the model that made them, up
// to rounding. It is 0, with texts 0, when no passage has a vector to compare. It
// is one call of the embedder with at most five texts. Vectors of other
// dimensions are a [store.MismatchError].
func Agreement(ctx context.Context, v store.View, e embedder.Embedder) (cosineOf float64, texts int, err error) {
	sample, err := storedVectors(ctx, v)
	if err != nil || len(sample) == 0 {
		return 0, 0, err
	}
	inputs := make([]string, len(sample))
	for i := range sample {
		inputs[i] = sample[i].ChunkText
	}
	vectors, err := e.EmbedMany(ctx, inputs, embedder.RoleDocument)
	if err != nil {
		return 0, 0, fmt.Errorf("embed stored passages anew: %w", err)
	}
	cosines := make([]float64, len(sample))
	for i, stored := range sample {
		if len(stored.Embedding) != len(vectors[i]) {
			m := v.Meta()
			return 0, 0, &store.MismatchError{Have: m.EmbedderID, HaveDims: len(stored.Embedding), Want: e.Info().ID, WantDims: len(vectors[i])}
		}
		cosines[i] = cosine(stored.Embedding, vectors[i])
	}
	slices.Sort(cosines)
	return cosines[len(cosines)/2], len(cosines), nil
}

// storedVectors are passages with their vectors: the longer ones of the first
// sections, with different texts.
func storedVectors(ctx context.Context, v store.View) ([]store.Chunk, error) {
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{Limit: agreementParents})
	if err != nil || len(parents) == 0 {
		return nil, err
	}
	ids := make([]string, len(parents))
	for i := range parents {
		ids[i] = parents[i].ID
	}
	const fields = store.FieldText | store.FieldEmbedding
	children, err := v.Children(ctx, ids, fields)
	if err == nil && len(children) == 0 {
		// Where there are no sections, each passage is its own.
		children, err = v.Chunks(ctx, ids, fields)
	}
	if err != nil {
		return nil, err
	}
	children = slices.DeleteFunc(children, func(c store.Chunk) bool {
		return len(c.Embedding) == 0 || strings.TrimSpace(c.ChunkText) == ""
	})
	short := func(c store.Chunk) int {
		// Images are embedded with words that are kept elsewhere.
		if c.Flags.Has(store.HasImage) || len([]rune(c.ChunkText)) < agreementRunes {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(children, func(a, b store.Chunk) int { return short(a) - short(b) })
	seen := map[string]bool{}
	var sample []store.Chunk
	for i := range children {
		if c := &children[i]; !seen[c.ChunkText] && len(sample) < agreementTexts {
			seen[c.ChunkText] = true
			sample = append(sample, *c)
		}
	}
	return sample, nil
}
