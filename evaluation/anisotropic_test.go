package evaluation_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata/anisotropic"
)

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestTheLeaningVectorsAreWhatTheyClaim compares all pairs of 40 topics with 10
// vectors each.
func TestTheLeaningVectorsAreWhatTheyClaim(t *testing.T) {
	t.Parallel()
	const topics, variants = 40, 10
	space := anisotropic.NewSpace(7, topics, anisotropic.MinDims)
	var vectors [][]float32
	for i := range topics * variants {
		vectors = append(vectors, space.Vector(i/variants, uint64(i%variants)))
	}
	related, unrelated := [2]float64{1, -1}, [2]float64{1, -1}
	for i, a := range vectors {
		if length := math.Sqrt(dot(a, a)); math.Abs(length-1) > 1e-6 {
			t.Fatalf("a vector has the length %v", length)
		}
		for j, b := range vectors[:i] {
			bounds := &unrelated
			if i/variants == j/variants {
				bounds = &related
			}
			c := dot(a, b)
			bounds[0], bounds[1] = min(bounds[0], c), max(bounds[1], c)
		}
	}
	t.Logf("unrelated %.3f, related %.3f", unrelated, related)
	if unrelated[0] < .4 || unrelated[1] > .7 || related[0] < .75 || related[1] > .95 {
		t.Errorf("cosines of unrelated vectors are within %.3f, of related ones within %.3f", unrelated, related)
	}
	if again := anisotropic.NewSpace(7, topics, anisotropic.MinDims).Vector(3, 4); dot(again, vectors[34]) < 1-1e-6 {
		t.Error("the same seed gives another vector")
	}
}

func TestLiftingRaisesEveryCosine(t *testing.T) {
	a, b := []float32{1, 0}, []float32{.6, .8}
	la, lb := anisotropic.Lift(a, .5), anisotropic.Lift(b, .5)
	if got := dot(la, lb); math.Abs(got-.8) > 1e-6 {
		t.Errorf("a cosine of .6 becomes %v, want .5+.5·.6", got)
	}
	if got := dot(la, la); math.Abs(got-1) > 1e-6 {
		t.Errorf("a lifted vector has the length %v", got)
	}
}

const (
	leaningTopics = 300
	perTopic      = 4
)

// leaning gives a text the vector of the topic that its words name: "topic017".
type leaning struct{ *anisotropic.Space }

func (leaning) Info() embedder.Info {
	return embedder.Info{ID: "leaning/512", Model: "leaning", Dims: anisotropic.MinDims, Tokenizer: "cl100k_base", InProcess: true}
}

func (l leaning) EmbedOne(_ context.Context, text string, _ embedder.Role) ([]float32, error) {
	at := strings.LastIndex(text, "topic")
	var topic int
	if _, err := fmt.Sscanf(text[at:], "topic%d", &topic); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	return l.Vector(topic, h.Sum64()), nil
}

func (l leaning) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		var err error
		if vectors[i], err = l.EmbedOne(ctx, text, role); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// leaningLibrary has sections on 300 topics, four on each, on pages of twenty.
func leaningLibrary(t *testing.T) *library {
	t.Helper()
	pages := fstest.MapFS{}
	for page := range leaningTopics * perTopic / 20 {
		var text strings.Builder
		for section := range 20 {
			n := page*20 + section
			fmt.Fprintf(&text, "## Section %d\n\n%s\n\n", n, strings.Repeat(fmt.Sprintf("topic%03d words%d ", n%leaningTopics, n), 15))
		}
		pages[fmt.Sprintf("page%02d.md", page)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	l := newLibrary(t)
	l.deps.Embedder = leaning{anisotropic.NewSpace(3, leaningTopics, anisotropic.MinDims)}
	report := l.add(source.ScanFS(t.Context(), pages, "leaning", source.Options{}))
	if !report.Calibrated {
		t.Fatalf("a corpus of %d pages has no scale of its own", report.Added)
	}
	return l
}

// TestFloorsOnLeaningVectors: where unrelated cosines are near .5 a raw floor of
// .3 cuts nothing. The same floor on the corpus's own scale keeps what is related
// and lets one in two hundred of the rest through, as it says; 1 % are allowed.
func TestFloorsOnLeaningVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	t.Parallel()
	l := leaningLibrary(t)
	v, err := l.deps.Store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	scale := v.Meta().Calibration
	if scale.P50 < .5 || scale.P50 > .6 || scale.P995 < .6 || scale.P995 > .7 || scale.Chunks != leaningTopics*perTopic {
		t.Errorf("the scale is %+v", scale)
	}
	for _, topic := range []int{0, 42, 123, 299} {
		query := fmt.Sprintf("what is topic%03d", topic)
		raw := l.ask(query, func(p *param.Params) { p.Mode, p.FloorScale = param.ModeChunk, param.FloorRaw })
		if raw.ChildrenKept != 60 {
			t.Errorf("topic %d: a cosine of .3 keeps %d children, not all of the 60 that are searched", topic, raw.ChildrenKept)
		}
		res := l.ask(query, func(p *param.Params) { p.Mode, p.FloorScale = param.ModeChunk, param.FloorCalibrated })
		if most := perTopic + leaningTopics*perTopic/100; res.ChildrenKept < perTopic || res.ChildrenKept > most {
			t.Errorf("topic %d: the scale's .3 keeps %d children, want %d to %d", topic, res.ChildrenKept, perTopic, most)
		}
		for i := range res.Items {
			item := &res.Items[i]
			ours := strings.Contains(item.ChunkText, fmt.Sprintf("topic%03d", topic))
			if first := item.Rank <= perTopic; ours != first {
				t.Errorf("topic %d: rank %d is on it: %v", topic, item.Rank, ours)
			}
			if shown := param.Calibrated(scale, item.RawSimilarity); ours != (shown > .4) {
				t.Errorf("topic %d: rank %d is shown at %.2f, on it: %v", topic, item.Rank, shown, ours)
			}
		}
	}
}

// TestRecallOnLeaningVectors compares the store's search with a comparison of all
// vectors. What leans has much length in common, which leaves fewer digits for
// what differs.
func TestRecallOnLeaningVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	t.Parallel()
	ctx := t.Context()
	l := leaningLibrary(t)
	v, err := l.deps.Store.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	query, err := l.deps.Embedder.EmbedOne(ctx, "topic123 asked", embedder.RoleQuery)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 100
	found, err := v.Search(ctx, store.Search{Vector: query, VectorRows: limit, Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	want := bruteForce(ctx, t, v, query)[:limit]
	got := make([]string, len(found.Vector))
	for i, row := range found.Vector {
		got[i] = row.ID
	}
	if !slices.Equal(got, want) {
		t.Errorf("the search returns %d rows, not the %d nearest", len(got), limit)
	}
}

// bruteForce lists the children by cosine, then id.
func bruteForce(ctx context.Context, t *testing.T, v store.View, query []float32) []string {
	t.Helper()
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range parents {
		ids = append(ids, parents[i].ID)
	}
	children, err := v.Children(ctx, ids, store.FieldEmbedding)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(children, func(a, b store.Chunk) int {
		return cmp.Or(cmp.Compare(dot(query, b.Embedding), dot(query, a.Embedding)), cmp.Compare(a.ID, b.ID))
	})
	ids = ids[:0]
	for i := range children {
		ids = append(ids, children[i].ID)
	}
	return ids
}

// TestASmallCorpusOfLeaningVectorsHasNoScale holds what is not solved: below a
// thousand children a scale cannot be measured, an embedder that is not ours has
// no constants, and so a floor is read as a cosine, with a notice.
func TestASmallCorpusOfLeaningVectorsHasNoScale(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	l.deps.Embedder = leaning{anisotropic.NewSpace(3, 2, anisotropic.MinDims)}
	page := "## One\n\n" + strings.Repeat("topic000 words ", 30) + "\n\n## Two\n\n" + strings.Repeat("topic001 words ", 30) + "\n"
	report := l.add(source.ScanFS(t.Context(), fstest.MapFS{"small.md": {Data: []byte(page)}}, "small", source.Options{}))
	if report.Calibrated {
		t.Fatal("two children have a scale")
	}
	res := l.ask("topic000", func(p *param.Params) { p.Mode, p.FloorScale = param.ModeChunk, param.FloorCalibrated })
	if len(res.Items) != 2 {
		t.Errorf("%d sections pass a floor that is a cosine of .3", len(res.Items))
	}
	if !slices.ContainsFunc(res.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeUncalibrated.Code }) {
		t.Errorf("no notice says that there is no scale: %+v", res.Notices)
	}
}
