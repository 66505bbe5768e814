package embedder

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

func mustTokenizer(t testing.TB, id string) Tokenizer {
	t.Helper()
	tok, err := NewTokenizer(id)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// wholeStarts is what the library says about the text in one piece.
func wholeStarts(t testing.TB, c *codec.Codec, text string) []int {
	t.Helper()
	_, tokens, err := c.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	starts, at := []int{}, 0
	for _, token := range tokens {
		starts = append(starts, at)
		at += len(token)
	}
	return starts
}

func TestTokenizerKnowsItsVocabularies(t *testing.T) {
	for _, tt := range []struct {
		id, want string
		exact    bool
		text     string
		starts   []int
	}{
		{"cl100k_base", "cl100k_base", true, "Hello, world!", []int{0, 5, 6, 12}},
		{"o200k_base", "o200k_base", true, "Hello, world!", []int{0, 5, 6, 12}},
		{"approx", "approx:cl100k", false, "tokenization", []int{0, 5}},
		{"approx:cl100k", "approx:cl100k", false, "", []int{}},
		{"cl100k_base", "cl100k_base", true, "<|endoftext|>", []int{0, 1, 2, 6, 8, 11, 12}},
		{"cl100k_base", "cl100k_base", true, "a\x7fb", []int{0, 1, 2}},
		{"cl100k_base", "cl100k_base", true, "a\xff b", []int{0, 1, 2}},
		{"cl100k_base", "cl100k_base", true, "\xff\xfe x\uFFFDy", []int{0, 2, 4, 7}},
	} {
		tok := mustTokenizer(t, tt.id)
		if tok.ID() != tt.want || tok.Exact() != tt.exact {
			t.Errorf("%s: id %s, exact %t", tt.id, tok.ID(), tok.Exact())
		}
		if got := tok.Starts(tt.text); !slices.Equal(got, tt.starts) {
			t.Errorf("%s: starts of %q = %v, want %v", tt.id, tt.text, got, tt.starts)
		}
	}
	var unknown *UnknownTokenizerError
	if _, err := NewTokenizer("p50k"); !errors.As(err, &unknown) || unknown.ID != "p50k" {
		t.Errorf("p50k: %v", err)
	}
}

// Cutting a text must not be visible in its tokens.
func TestTokenizerAgreesWithTheLibrary(t *testing.T) {
	libraries := map[string]*codec.Codec{
		TokenizerCL100K: codec.NewCl100kBase(),
		TokenizerO200K:  codec.NewO200kBase(),
	}
	word := rapid.StringMatching(`[a-zA-Zé检ß]{1,7}|[0-9]{1,5}|[.,'"#*(){}<>|=-]{1,4}|'(s|ll|RE|T)|[ \t\n\r]{1,4}|[\n/ ]{1,4}|` +
		`[\v\f\x{85}\x{2028}\x{17F}\x{A0}\x{2003}\x{300}\x{e31}\x{1F642}\x{200D}\x02\x00/]|ǅ|²`)
	for id, library := range libraries {
		tok := mustTokenizer(t, id)
		rapid.Check(t, func(rt *rapid.T) {
			text := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(rt, "words"), "")
			want := wholeStarts(t, library, text)
			if got := tok.Starts(text); !slices.Equal(got, want) {
				rt.Fatalf("%s: starts of %q = %v, want %v", id, text, got, want)
			}
			if got := tok.Count(text); got != len(want) {
				rt.Fatalf("%s: count of %q = %d, want %d", id, text, got, len(want))
			}
		})
	}
}

// "a\xffb" becomes "a\uFFFDb"; whatever begins inside the replacement begins at
// the byte it stands for.
func TestUnshift(t *testing.T) {
	for _, tt := range []struct{ starts, replaced, want []int }{
		{[]int{0, 1, 2, 3, 4}, []int{1}, []int{0, 1, 1, 1, 2}},
		{[]int{0, 3, 5, 6}, []int{0, 3}, []int{0, 1, 1, 2}},
		{[]int{0, 7}, nil, []int{0, 7}},
	} {
		got := slices.Clone(tt.starts)
		if unshift(got, tt.replaced); !slices.Equal(got, tt.want) {
			t.Errorf("%v with replacements at %v: %v, want %v", tt.starts, tt.replaced, got, tt.want)
		}
	}
}

// U+0002 stands in for U+007F; that is exact only while both are tokens of
// their own and part of no other.
func TestStandInIsPartOfNoOtherToken(t *testing.T) {
	for _, c := range []*codec.Codec{codec.NewCl100kBase(), codec.NewO200kBase()} {
		n := 0
		for id := range uint(201000) {
			token, err := c.Decode([]uint{id})
			if err == nil && strings.ContainsAny(token, "\x02\x7f") {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%s: %d tokens contain U+0002 or U+007F, want 2", c.GetName(), n)
		}
	}
}

// The library needs seconds for 100 KB of this and never ends for 1 MB.
func TestTokenizerBoundsWhiteSpace(t *testing.T) {
	tok := mustTokenizer(t, TokenizerCL100K)
	text := strings.Repeat("\n ", 50_000)
	for rest := text; rest != ""; {
		n := segmentEnd(rest)
		if n > maxSpaceRun {
			t.Fatalf("a segment of %d bytes of white space", n)
		}
		rest = rest[n:]
	}
	// One token a line; at each of the 97 cuts one more at most.
	if got := tok.Count(text); got < 50_000 || got > 50_100 {
		t.Errorf("%d tokens", got)
	}
	if n := segmentEnd(strings.Repeat("é", 20_000)); n > maxSegment || n < maxSegment-1 {
		t.Errorf("a word ends after %d bytes", n)
	}
	if n := segmentEnd(strings.Repeat("\u2003", 20_000)); n > maxSpaceRun+2 {
		t.Errorf("a run of wide spaces ends after %d bytes", n)
	}
}

func TestSpreadKeepsTheLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, n := rapid.IntRange(1, 20_000).Draw(t, "size"), rapid.IntRange(1, 3000).Draw(t, "n")
		sum := 0
		for _, b := range []byte(spread(size, n)) {
			if b == 0 {
				t.Fatal("an empty token")
			}
			sum += int(b)
		}
		if sum != size {
			t.Fatalf("%d bytes of %d", sum, size)
		}
	})
}

func TestTokenizerIsSafeForConcurrentUse(t *testing.T) {
	tok := mustTokenizer(t, TokenizerCL100K)
	want := tok.Starts("Vectors of chunks, side by side.")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := tok.Starts("Vectors of chunks, side by side."); !slices.Equal(got, want) {
					t.Errorf("starts %v, want %v", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestTokenizerForgetsOldSegments(t *testing.T) {
	cache := &segmentCache{lens: map[string]string{}}
	for i := range maxSegments + 5 {
		cache.keep(strings.Repeat("a", i%30)+string(rune(0x4E00+i%20000)), "\x01")
	}
	cache.keep(strings.Repeat("long", 20), "\x01")
	if n := len(cache.lens); n == 0 || n > maxSegments {
		t.Errorf("%d segments are remembered", n)
	}
	if _, ok := cache.lens[strings.Repeat("long", 20)]; ok {
		t.Error("a long segment is remembered")
	}
}

func FuzzTokenizer(f *testing.F) {
	for _, seed := range []string{"", "a\x7fb", "\xff\xfe \x80", "word \n\n  two's", strings.Repeat("\n ", 600), "👩‍👩‍👧 é"} {
		f.Add(seed)
	}
	tokenizers := []Tokenizer{mustTokenizer(f, TokenizerCL100K), mustTokenizer(f, TokenizerO200K)}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		for _, tok := range tokenizers {
			starts := tok.Starts(text)
			if len(starts) != tok.Count(text) {
				t.Fatalf("%d starts, count %d", len(starts), tok.Count(text))
			}
			prev := -1
			for _, at := range starts {
				if at < prev || at >= len(text) || at == prev && utf8.ValidString(text) {
					t.Fatalf("starts %v in %d bytes", starts, len(text))
				}
				prev = at
			}
			if len(text) > 0 && (len(starts) == 0 || starts[0] != 0) {
				t.Fatalf("starts %v", starts)
			}
		}
	})
}

func TestIsApproximate(t *testing.T) {
	for _, id := range []string{TokenizerCL100K, TokenizerO200K, TokenizerApprox, "approx"} {
		if tok := mustTokenizer(t, id); IsApproximate(id) == tok.Exact() || IsApproximate(tok.ID()) == tok.Exact() {
			t.Errorf("%s: approximate %t, exact %t", id, IsApproximate(id), tok.Exact())
		}
	}
	if IsApproximate("wordpiece:0a1b2c3d") || IsApproximate("") || IsApproximate("approximately") {
		t.Error("an exact tokenizer is approximate")
	}
}
