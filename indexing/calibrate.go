package indexing

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

const (
	// calibrationSamples is how many pseudo-queries are made, calibrationStride
	// that each is compared with every eleventh chunk.
	calibrationSamples = 400
	calibrationStride  = 11
	// queryWords is the length of a pseudo-query, which is that of a question, and
	// minWords that of a chunk it is taken from.
	queryWords, minWords = 8, 20
	// minChunks is the smallest corpus whose scale can be measured. In a smaller
	// one the upper 0.5 % of pairs are related ones: with 76 children on one
	// subject the 99.5th percentile was .49, above most right answers.
	minChunks = 1000
	// mostCompared bounds the chunks that are compared: of a larger corpus it is every second,
	// third and so on. Half a million pairs and more say the same of the 99.5th percentile.
	mostCompared = 50_000
	// drift is the growth of a corpus after which it is measured again.
	drift = 0.2
	// maxP995 is where a scale is too narrow to be used.
	maxP995 = 0.95
)

// calibrated is implemented by embedders that know the scale of their cosines.
type calibrated interface {
	DefaultCalibration() (p50, p995 float64)
}

// DefaultCalibration is the embedder's own scale, zero when it has none.
func DefaultCalibration(e embedder.Embedder) store.Calibration {
	c, ok := e.(calibrated)
	if !ok {
		return store.Calibration{}
	}
	p50, p995 := c.DefaultCalibration()
	return store.Calibration{EmbedderID: e.Info().ID, P50: p50, P995: p995}
}

// calibrate measures the corpus's cosine scale when it is due, and when
// embedding costs nothing or the user asked for it.
func (r *run) calibrate(ctx context.Context) error {
	info := r.o.Embedder.Info()
	if !info.InProcess && !r.o.Calibrate {
		return nil
	}
	children, err := r.countChildren(ctx)
	if err != nil {
		return err
	}
	have := r.w.Meta().Calibration
	tried := max(have.Chunks, have.Tried)
	moved := math.Abs(float64(children - tried))
	due := have.EmbedderID != info.ID || have.Chunks > 0 && have.Own == 0 || moved > drift*float64(tried)
	if !due && !r.o.Calibrate || children < minChunks && have == DefaultCalibration(r.o.Embedder) {
		return nil
	}
	r.stage = StageCalibrate
	r.progress()
	v, err := r.w.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	c, err := Calibrate(ctx, v, r.o.Embedder)
	if err != nil {
		return fmt.Errorf("measure the cosine scale: %w", err)
	}
	if c == have {
		return nil
	}
	r.report.Calibrated = c.Chunks > 0 || have.Chunks > 0
	return r.w.SetCalibration(ctx, c)
}

// countChildren counts the children of the corpus.
func (r *run) countChildren(ctx context.Context) (int, error) {
	if c, ok := r.w.(store.ChildCounter); ok {
		return c.CountChildren(ctx)
	}
	v, err := r.w.View(ctx)
	if err != nil {
		return 0, err
	}
	defer v.Close()
	s, err := v.Stats(ctx, store.Scope{})
	return s.Children, err
}

// Calibrate measures the cosine scale of a corpus: short runs of words from 400
// of its chunks, spread evenly over their ids, are embedded as if they were
// questions. They are compared with every eleventh other chunk, which are unrelated
// by chance, for the median and the 99.5th percentile; and with their own chunk, for
// the 5th percentile of what a question reaches with its answer: where the chunks
// are alike, the unrelated ones come nearer than that, and a floor there would
// refuse most questions. A corpus that is too small or too uniform gets the
// embedder's own constants, with Chunks 0; Tried then says that it is too uniform,
// so that it is not measured again in vain. It embeds 400 short texts, and of a corpus
// of more than 50,000 chunks it looks at so many at most, spread evenly over their ids;
// the same corpus gives the same scale.
func Calibrate(ctx context.Context, v store.View, e embedder.Embedder) (store.Calibration, error) {
	ids, err := childIDs(ctx, v)
	if err != nil || len(ids) < minChunks {
		return DefaultCalibration(e), err
	}
	all := len(ids)
	ids = thinned(ids, mostCompared)
	queries, err := pseudoQueries(ctx, v, ids, e)
	if err != nil {
		return store.Calibration{}, err
	}
	cosines, own, err := compare(ctx, v, ids, queries)
	if err != nil {
		return store.Calibration{}, err
	}
	p50, p995 := cosines.percentile(.5), cosines.percentile(.995)
	if cosines.n == 0 || p50 >= p995 || p995 >= maxP995 {
		c := DefaultCalibration(e)
		c.EmbedderID, c.Tried = e.Info().ID, all
		return c, nil
	}
	return store.Calibration{EmbedderID: e.Info().ID, P50: p50, P995: p995, Own: own.percentile(.05), Chunks: all}, nil
}

// thinned are every m-th of a list, with the smallest m that leaves so many at most.
func thinned(ids []string, most int) []string {
	m := max(1, (len(ids)+most-1)/most)
	some := make([]string, 0, len(ids)/m+1)
	for i := 0; i < len(ids); i += m {
		some = append(some, ids[i])
	}
	return some
}

// childrenOf reads children by their ids, in no order: their texts or their vectors.
func childrenOf(ctx context.Context, v store.View, ids []string, fields store.Fields) ([]store.Chunk, error) {
	if s, ok := v.(store.Sampler); ok {
		return s.Sample(ctx, ids, fields)
	}
	return v.Chunks(ctx, ids, fields)
}

// childIDs lists the ids of all children in ascending order.
func childIDs(ctx context.Context, v store.View) ([]string, error) {
	if s, ok := v.(store.Sampler); ok {
		ids, err := s.ChildIDs(ctx)
		slices.Sort(ids)
		return ids, err
	}
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
	if err != nil {
		return nil, err
	}
	parentIDs := make([]string, len(parents))
	for i := range parents {
		parentIDs[i] = parents[i].ID
	}
	var ids []string
	for part := range slices.Chunk(parentIDs, 1024) {
		children, err := v.Children(ctx, part, 0)
		if err != nil {
			return nil, err
		}
		for i := range children {
			ids = append(ids, children[i].ID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// pseudoQuery is the vector of a few words of the chunk with index from; it is
// compared with the chunks whose index has the remainder residue.
type pseudoQuery struct {
	from, residue int
	vector        []float32
}

func pseudoQueries(ctx context.Context, v store.View, ids []string, e embedder.Embedder) ([]pseudoQuery, error) {
	var wanted []string
	for k := range calibrationSamples {
		wanted = append(wanted, ids[sampleIndex(k, len(ids))])
	}
	slices.Sort(wanted)
	chunks, err := childrenOf(ctx, v, slices.Compact(wanted), store.FieldText)
	if err != nil {
		return nil, err
	}
	text := make(map[string]string, len(chunks))
	for i := range chunks {
		text[chunks[i].ID] = chunks[i].ChunkText
	}
	var queries []pseudoQuery
	var texts []string
	for k := range calibrationSamples {
		at := sampleIndex(k, len(ids))
		words := strings.Fields(text[ids[at]])
		if len(words) < minWords {
			continue
		}
		start := 31 * k % (len(words) - queryWords)
		q := strings.Join(words[start:start+queryWords], " ")
		if !hasWords(q) {
			continue
		}
		queries = append(queries, pseudoQuery{from: at, residue: k % calibrationStride})
		texts = append(texts, q)
	}
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := e.EmbedMany(ctx, texts, embedder.RoleQuery)
	if err != nil {
		return nil, err
	}
	for i := range queries {
		queries[i].vector = vectors[i]
	}
	return queries, nil
}

// sampleIndex spreads the samples over n chunks; 7919 is a prime.
func sampleIndex(k, n int) int { return (7919*k + 13) % n }

// compare reads the vectors of the corpus a block at a time and counts the cosines
// of each query with its share of them, and with the chunk that it was taken from.
func compare(ctx context.Context, v store.View, ids []string, queries []pseudoQuery) (others, own *histogram, err error) {
	others, own = &histogram{}, &histogram{}
	index := make(map[string]int, len(ids))
	for i, id := range ids {
		index[id] = i
	}
	for part := range slices.Chunk(ids, 1024) {
		chunks, err := childrenOf(ctx, v, part, store.FieldEmbedding)
		if err != nil {
			return nil, nil, err
		}
		for i := range chunks {
			at := index[chunks[i].ID]
			vector := chunks[i].Embedding
			if vector == nil {
				continue
			}
			for _, q := range queries {
				switch {
				case isZero(q.vector):
				case q.from == at:
					own.add(cosine(q.vector, vector))
				case q.residue == at%calibrationStride:
					others.add(cosine(q.vector, vector))
				}
			}
		}
	}
	return others, own, nil
}

// cosine of unit vectors, in float64 and index order.
func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// histogram counts cosines in steps of 0.0001, so that the percentiles of any
// corpus take the same memory.
type histogram struct {
	counts [20001]int
	n      int
}

func (h *histogram) add(c float64) {
	bin := int(math.Round((max(-1, min(1, c)) + 1) * 10000))
	h.counts[bin]++
	h.n++
}

// percentile returns the smallest counted value that at least the share p of
// the values does not exceed.
func (h *histogram) percentile(p float64) float64 {
	need := max(1, int(math.Ceil(p*float64(h.n))))
	sum := 0
	for bin, n := range h.counts {
		if sum += n; sum >= need {
			return float64(bin)/10000 - 1
		}
	}
	return 0
}
