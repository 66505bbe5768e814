package embedder

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Two words of one length, no grams in common: each vector is a sum of parts that
// can be worked out by hand.
func TestBuiltinSharesWorkedExample(t *testing.T) {
	// 変換 and 検索 are bigrams: eight cells each with the same weight, no grams. Once
	// in the query and twice in the text, 変換 has the factors 1 and 1 + ln 2.
	b := newBuiltin(noWeights)
	s := b.Shares("変換 検索", "変換 the 変換")
	cells := func(word string) map[uint16]float64 {
		v := map[uint16]float64{}
		for k := range uint64(8) {
			c := cell(hash64(word, wordSeed+k))
			v[c>>1] += 1 - 2*float64(c&1)
		}
		return v
	}
	dot := func(a, b map[uint16]float64) (s float64) {
		for c, x := range a {
			s += x * b[c]
		}
		return s
	}
	x, y := cells("変換"), cells("検索")
	if dot(x, x) != 8 || dot(y, y) != 8 || dot(x, y) != 0 {
		t.Fatal("the words share a cell: choose others")
	}
	// So Q = x + y and T = a·x: the cosine is 8/(√16·√8) = √½, all of it from 変換.
	half := math.Sqrt(.5)
	want := Shares{
		Cosine: half,
		Query:  []WordShare{{0, 2, half, false}, {3, 5, 0, false}},
		Text:   []WordShare{{0, 2, half / 2, false}, {3, 6, 0, true}, {7, 9, half / 2, false}},
	}
	if !alike(s.Cosine, want.Cosine) || !sharesAlike(s.Query, want.Query) || !sharesAlike(s.Text, want.Text) {
		t.Errorf("shares are %+v, want %+v", s, want)
	}
}

func alike(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func sharesAlike(a, b []WordShare) bool {
	return slices.EqualFunc(a, b, func(a, b WordShare) bool {
		return a.Start == b.Start && a.End == b.End && a.Ignored == b.Ignored && alike(a.Share, b.Share)
	})
}

// sum adds up shares.
func sum(shares []WordShare) (s float64) {
	for i := range shares {
		s += shares[i].Share
	}
	return s
}

func TestSharesFindSpellingsAndIgnoreStopWords(t *testing.T) {
	s := NewBuiltin().Shares("how does depth decay change the ranking", "The decaying of scores: deep pages rank lower.")
	by := map[string]float64{}
	query := []rune("how does depth decay change the ranking")
	for _, w := range s.Query {
		word := string(query[w.Start:w.End])
		if stop := slices.Contains([]string{"how", "does", "the"}, word); stop != w.Ignored {
			t.Errorf("%q: ignored %t", word, w.Ignored)
		}
		by[word] = w.Share
	}
	if by["decay"] < .1 || by["ranking"] < .05 || by["change"] > .05 || by["change"] > by["ranking"] {
		t.Errorf("shares are %v", by)
	}
}

// explainers are those whose cosines are taken apart.
func explainers(t testing.TB) map[string]interface {
	Embedder
	Explainer
} {
	small := smallModel()
	small.more = []testTensor{{"weights", "F32", []int{6}, []float32{1, 1, .5, 2, 1, 1}}}
	return map[string]interface {
		Embedder
		Explainer
	}{"built-in": NewBuiltin(), "model2vec": small.load(t)}
}

// Both sides add up to the cosine, and that is the one of the vectors.
func TestSharesAddUpToTheCosine(t *testing.T) {
	for name, e := range explainers(t) {
		t.Run(name, func(t *testing.T) {
			texts := rapid.OneOf(
				rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
					"sun", "sunny", "rain", "rains", "the", "depth", "Depth", "decaying", "decay", "検索", "変換", "ﬁle", "e\u0301t", "x\xffy", "?", "\x01", "½", "\n\n",
				}), 0, 30), func(w []string) string { return strings.Join(w, " ") }),
				rapid.String(),
				rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
			)
			rapid.Check(t, func(t *rapid.T) {
				query, text := texts.Draw(t, "query"), texts.Draw(t, "text")
				s := e.Shares(query, text)
				if got := sum(s.Query); math.Abs(got-s.Cosine) > 1e-9 {
					t.Fatalf("the query's shares add up to %.12f, the cosine is %.12f", got, s.Cosine)
				}
				if got := sum(s.Text); math.Abs(got-s.Cosine) > 1e-9 {
					t.Fatalf("the text's shares add up to %.12f, the cosine is %.12f", got, s.Cosine)
				}
				for i, side := range [][]WordShare{s.Query, s.Text} {
					for _, w := range side {
						if w.Start < 0 || w.Start >= w.End || w.End > len([]rune([]string{query, text}[i])) {
							t.Fatalf("a word at %d to %d", w.Start, w.End)
						}
						if w.Ignored && w.Share != 0 {
							t.Fatalf("an ignored word has the share %v", w.Share)
						}
					}
				}
				if strings.TrimSpace(query) == "" || strings.TrimSpace(text) == "" {
					return
				}
				vectors, err := e.EmbedMany(t.Context(), []string{query, text}, RoleQuery)
				if err != nil {
					t.Fatal(err)
				}
				if got := cosine(vectors[0], vectors[1]); math.Abs(got-s.Cosine) > 1e-6 {
					t.Fatalf("the vectors' cosine is %.9f, that of the shares %.9f", got, s.Cosine)
				}
			})
		})
	}
}

func TestModel2VecSharesWorkedExample(t *testing.T) {
	m := smallModel().load(t)
	// Rows: sun (3,4), ##ny (1,0), rain (0,2). The query "sunny, rain!" is (4,4) and
	// (0,2), so Q = (4,6); the text "sun" is (3,4): the cosine is 36/(√52·5), of
	// which "sunny" has 28 parts and "rain" 8.
	s := m.Shares("sunny, rain!", "sun")
	unit := 1 / (math.Sqrt(52) * 5)
	want := []WordShare{{0, 5, 28 * unit, false}, {5, 6, 0, true}, {7, 11, 8 * unit, false}, {11, 12, 0, true}}
	if !alike(s.Cosine, 36*unit) || !sharesAlike(s.Query, want) {
		t.Errorf("%+v, want %v and %+v", s, 36*unit, want)
	}
}

func TestExplainerOf(t *testing.T) {
	b := NewBuiltin()
	if ExplainerOf(b) != Explainer(b) || ExplainerOf(NewCached(b, 1)) != Explainer(b) {
		t.Error("the built-in embedder is not found to be an Explainer")
	}
	if x := ExplainerOf(NewCached(&tableEmbedder{}, 1)); x != nil {
		t.Errorf("%T is said to be an Explainer", x)
	}
}

// tableEmbedder stands for a server: it knows vectors by text.
type tableEmbedder struct {
	vectors map[string][]float32
	asked   [][]string
	err     error
}

func (*tableEmbedder) Info() Info { return Info{} }

func (e *tableEmbedder) EmbedMany(_ context.Context, texts []string, role Role) ([][]float32, error) {
	e.asked = append(e.asked, texts)
	if e.err != nil || role != RoleQuery {
		return nil, e.err
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = e.vectors[text]
	}
	return out, nil
}

func (e *tableEmbedder) EmbedOne(ctx context.Context, text string, role Role) ([]float32, error) {
	v, err := e.EmbedMany(ctx, []string{text}, role)
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

func TestLeaveOneOut(t *testing.T) {
	e := &tableEmbedder{vectors: map[string][]float32{
		" decay?": {.6, .8}, "depth ?": {0, 1},
	}}
	w, err := LeaveOneOut(t.Context(), e, "depth decay?", []float32{.8, .6})
	if err != nil {
		t.Fatal(err)
	}
	// With the text (1, 0): .8 with both, .6 without "depth", 0 without "decay".
	cosine, drops := w.Drops([]float32{1, 0})
	want := []WordShare{{Start: 0, End: 5, Share: .8 - .6}, {Start: 6, End: 11, Share: .8}}
	if math.Abs(cosine-.8) > 1e-7 || !slices.EqualFunc(drops, want, func(a, b WordShare) bool {
		return a.Start == b.Start && a.End == b.End && math.Abs(a.Share-b.Share) < 1e-7
	}) {
		t.Errorf("%v, %+v, want .8, %+v", cosine, drops, want)
	}
	if len(e.asked) != 1 || len(e.asked[0]) != 2 {
		t.Errorf("asked %q, want two texts at once", e.asked)
	}
	e.err = errors.New("gone")
	if _, err := LeaveOneOut(t.Context(), e, "depth decay", nil); !errors.Is(err, e.err) {
		t.Errorf("the error is %v", err)
	}
}

func TestLeaveEachOutCostsWhatItSays(t *testing.T) {
	for query, want := range map[string]int{
		"": 0, "one": 0, "…?": 0, "one, two": 2, "one one": 2, "don't": 2,
		strings.Repeat("word ", 100): maxLeftOut,
	} {
		if got := len(LeaveEachOut(query)); got != want {
			t.Errorf("%q: %d texts, want %d", query, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.String().Draw(t, "query")
		for _, w := range LeaveEachOut(query) {
			if strings.TrimSpace(w.Text) == "" {
				t.Fatalf("%q without the word at %d is blank", query, w.Start)
			}
			if n := len([]rune(query)) - (w.End - w.Start); len([]rune(w.Text)) != n {
				t.Fatalf("%q without the word at %d to %d is %q", query, w.Start, w.End, w.Text)
			}
		}
	})
}
