package embedder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// noWeights gives every stem the weight 255, so that these goldens depend on
// the algorithm alone.
const noWeights weightTable = ""

func vectorHash(t *testing.T, v []float32) string {
	t.Helper()
	var buf bytes.Buffer
	if err := binary.Write(&buf, binary.LittleEndian, v); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(buf.Bytes())
	return hex.EncodeToString(sum[:])
}

func cosine(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func TestHashGoldens(t *testing.T) {
	for _, tt := range []struct {
		text   string
		seed   uint64
		hash   uint64
		bucket int
		minus  bool
	}{
		{"retriev", 16, 0x1607ea85ef64ccbb, 605, true},
		{"retriev", 23, 0xcd17a36ae42e28cb, 101, true},
		{"<re", 32, 0x7e2bd07325f80540, 672, false},
		{"検索", 16, 0x2434df4d948ab7c2, 993, false},
	} {
		got := hash64(tt.text, tt.seed)
		c := cell(got)
		if got != tt.hash || int(c>>1) != tt.bucket || (c&1 == 1) != tt.minus {
			t.Errorf("hash of %q with seed %d = %x, cell %d/%d", tt.text, tt.seed, got, c>>1, c&1)
		}
	}
	b := newBuiltin(noWeights)
	for n, want := range map[int]int64{1: 4096, 2: 6935, 3: 8596, 10: 13527, 255: 26793} {
		if b.tf[n] != want {
			t.Errorf("tf[%d] = %d, want %d", n, b.tf[n], want)
		}
	}
	for m, want := range map[int]int64{1: 65536, 3: 37837, 8: 23170, 18: 15447, 189: 4767} {
		if b.inv[m] != want {
			t.Errorf("inv[%d] = %d, want %d", m, b.inv[m], want)
		}
	}
}

func TestBuiltinGoldensWithoutWeights(t *testing.T) {
	const zero = "ad7facb2586fc6e966c004d7d1d16b024f5805ff7cb47c7a85dabd8b48892ca7"
	for _, tt := range []struct {
		text    string
		sums    map[int]int64
		nonZero int
		sha     string
	}{
		{
			"Retrieval",
			map[int]int64{3: 24200601600, 51: -24200601600, 67: -16134082560},
			26,
			"88c294c20fa2d29af568bfd24ebc5c2c915b62dea970c6bdaee1b6e4fd80b951",
		},
		{
			"The retriever retrieves chunks; chunks are retrieved.",
			map[int]int64{3: 50788176600, 63: 40974407250},
			41,
			"92524feecfda7bfcb0275983c407053c4d54a0fbba20f68671c50cce06c709ec",
		},
		{"Café ﬁle №5 don't", nil, 48, "acac970e0d8c1e4b12f35ebe47e4830c51758c8f5841b0ee62d9387480c4174d"},
		{"検索エンジン search", nil, 60, "823d1ade9ef6d116c2abee68e2f3169d296c1c90481cf2409493b9cd3eb8400a"},
		{"", nil, 0, zero},
		{"the and of", nil, 0, zero},
		{"🙂", nil, 0, zero},
		{"abc\xffdef", nil, -1, "840c4491e4ab0a6f2cd12d2944f3c34c63309d2a7ee53fcf835c40a6508bae26"},
		{"abc def", nil, -1, "840c4491e4ab0a6f2cd12d2944f3c34c63309d2a7ee53fcf835c40a6508bae26"},
	} {
		h := newHasher(newBuiltin(noWeights))
		v := h.embed(tt.text)
		if got := vectorHash(t, v); got != tt.sha {
			t.Errorf("%q: sha256 %s, want %s", tt.text, got, tt.sha)
		}
		for i, want := range tt.sums {
			if h.acc[i] != want {
				t.Errorf("%q: sum[%d] = %d, want %d", tt.text, i, h.acc[i], want)
			}
		}
		nonZero := 0
		for _, x := range v {
			if x != 0 {
				nonZero++
			}
		}
		if tt.nonZero >= 0 && nonZero != tt.nonZero {
			t.Errorf("%q: %d components are not zero, want %d", tt.text, nonZero, tt.nonZero)
		}
	}
}

func TestBuiltinCountsUpTo255(t *testing.T) {
	h := newHasher(newBuiltin(noWeights))
	h.sum(strings.Repeat("chunk ", 255))
	want := h.acc
	h.sum(strings.Repeat("chunk ", 300))
	if h.acc != want {
		t.Error("300 occurrences count more than 255")
	}
}

func TestBuiltinCosineOfWordForms(t *testing.T) {
	b := newBuiltin(noWeights)
	one, err := b.EmbedOne(t.Context(), "Retrieval", RoleQuery)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.EmbedOne(t.Context(), "The retriever retrieves chunks; chunks are retrieved.", RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	if got := cosine(one, two); math.Abs(got-.827553) > 1e-6 {
		t.Errorf("cosine = %f, want .827553", got)
	}
}

func TestBuiltinInfo(t *testing.T) {
	info := NewBuiltin().Info()
	if !strings.HasPrefix(info.ID, "builtin-hash-v1/1024/") || len(info.ID) != len("builtin-hash-v1/1024/")+8 {
		t.Errorf("id %q", info.ID)
	}
	if info.Dims != 1024 || !info.Lexical || !info.InProcess || info.Tokenizer != "cl100k_base" {
		t.Errorf("info %+v", info)
	}
}

func TestBuiltinRefusesBlankTexts(t *testing.T) {
	var empty *EmptyInputError
	vecs, err := NewBuiltin().EmbedMany(t.Context(), []string{"a word", " \n"}, RoleDocument)
	if !errors.As(err, &empty) || empty.Index != 1 || vecs != nil {
		t.Errorf("got %v, %v", vecs, err)
	}
	if vecs, err = NewBuiltin().EmbedMany(t.Context(), nil, RoleDocument); err != nil || len(vecs) != 0 {
		t.Errorf("no texts: %v, %v", vecs, err)
	}
}

func TestBuiltinStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	texts := slices.Repeat([]string{"some words"}, 100)
	vecs, err := NewBuiltin().EmbedMany(ctx, texts, RoleDocument)
	if !errors.Is(err, context.Canceled) || vecs != nil {
		t.Errorf("got %d vectors, %v", len(vecs), err)
	}
}

// The cache must not be visible in the vectors: not by what was embedded
// before, not by being full, not by who else is embedding.
func TestBuiltinVectorsDependOnTheTextAlone(t *testing.T) {
	shared := NewBuiltin()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z é検索.'-]{1,40}x`), 1, 40).Draw(t, "texts")
		got, err := shared.EmbedMany(context.Background(), texts, RoleDocument)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if fresh := newHasher(shared).embed(text); !slices.Equal(fresh, got[i]) {
				t.Fatalf("%q depends on what came before", text)
			}
		}
	})
}

func TestBuiltinCacheIsBounded(t *testing.T) {
	h := newHasher(NewBuiltin())
	var sb strings.Builder
	for i := range maxCached + 10 {
		sb.WriteString(" w")
		for ; i > 0; i /= 26 {
			sb.WriteByte(byte('a' + i%26))
		}
	}
	before := h.embed("retrieval of chunks")
	h.embed(sb.String())
	if n := len(h.plain) + len(h.feats); n != 0 {
		t.Errorf("%d words are still remembered", n)
	}
	if !slices.Equal(before, h.embed("retrieval of chunks")) {
		t.Error("the vector changed with the cache")
	}
}

func TestBuiltinIsSafeForConcurrentUse(t *testing.T) {
	b := NewBuiltin()
	want := newHasher(b).embed("vectors of chunks")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				got, err := b.EmbedOne(context.Background(), "vectors of chunks", RoleQuery)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("differs, or %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func FuzzBuiltin(f *testing.F) {
	f.Add("Café ﬁle №5 don't")
	f.Add("検索エンジン\xff a\u0301\u0e31")
	f.Add(strings.Repeat("é", 100))
	b := NewBuiltin()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		v := newHasher(b).embed(text)
		var norm float64
		for _, x := range v {
			norm += float64(x) * float64(x)
		}
		if norm != 0 && math.Abs(norm-1) > 1e-5 {
			t.Fatalf("squared length %g", norm)
		}
	})
}
