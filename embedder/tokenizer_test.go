package embedder

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/embedder/internal/bpe"
)

func mustTokenizer(t testing.TB, id string) Tokenizer {
	t.Helper()
	tok, err := NewTokenizer(id)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// wholeStarts are the tokens of a text that is encoded in one piece.
func wholeStarts(e *bpe.Encoding, text string) []int {
	starts, at := []int{}, 0
	for _, n := range e.AppendLengths(nil, text) {
		starts = append(starts, at)
		at += int(n)
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
func TestTokenizerAgreesWithTheWhole(t *testing.T) {
	encodings := map[string]*bpe.Encoding{TokenizerCL100K: bpe.CL100K(), TokenizerO200K: bpe.O200K()}
	word := rapid.StringMatching(`[a-zA-Zé检ß]{1,7}|[0-9]{1,5}|[.,'"#*(){}<>|=-]{1,4}|'(s|ll|RE|T)|[ \t\n\r]{1,4}|[\n/ ]{1,4}|` +
		`[\v\f\x{85}\x{2028}\x{17F}\x{A0}\x{2003}\x{300}\x{e31}\x{1F642}\x{200D}\x02\x00\x7f/]|ǅ|²`)
	for id, encoding := range encodings {
		tok := mustTokenizer(t, id)
		rapid.Check(t, func(rt *rapid.T) {
			text := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(rt, "words"), "")
			want := wholeStarts(encoding, text)
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

// What is encoded in one piece has an upper bound, whatever the text.
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
	// At each of the 97 cuts one more at most.
	whole := len(wholeStarts(bpe.CL100K(), text))
	if got := tok.Count(text); got < whole || got > whole+97 {
		t.Errorf("%d tokens, %d of the whole", got, whole)
	}
	if n := segmentEnd(strings.Repeat("é", 20_000)); n > maxSegment || n < maxSegment-1 {
		t.Errorf("a word ends after %d bytes", n)
	}
	if n := segmentEnd(strings.Repeat("\u2003", 20_000)); n > maxSpaceRun+2 {
		t.Errorf("a run of wide spaces ends after %d bytes", n)
	}
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
