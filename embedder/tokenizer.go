package embedder

import (
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/bpe"
)

// The ids of the tokenizers.
const (
	TokenizerCL100K = "cl100k_base"
	TokenizerO200K  = "o200k_base"
	// TokenizerApprox counts as cl100k_base does, for models whose own
	// vocabulary is not at hand. NewTokenizer also takes "approx".
	TokenizerApprox = "approx:cl100k"
)

// IsApproximate reports whether the counts of the tokenizer with an id are
// estimates, to be marked as such. It knows that of ids whose tokenizer cannot be
// loaded here, as those in corpora may be.
func IsApproximate(id string) bool { return id == "approx" || strings.HasPrefix(id, "approx:") }

// UnknownTokenizerError reports a tokenizer id that NewTokenizer does not know.
type UnknownTokenizerError struct{ ID string }

func (e *UnknownTokenizerError) Error() string {
	return fmt.Sprintf("unknown tokenizer %q (known: %s, %s, hf:PATH, wordpiece:PATH, approx)", e.ID, TokenizerCL100K, TokenizerO200K)
}

// NewTokenizer returns the tokenizer with an id, or an UnknownTokenizerError.
// The first one of a vocabulary takes some 10 to 20 ms to load it.
//
// "hf:" and a path loads a tokenizer.json from there, "wordpiece:" and a path only
// one with a WordPiece model; with the hash that is their id in a corpus instead of a
// path they are a TokenizerPathError.
//
// Of the others, Starts may lie inside a rune, because one emoji can be several tokens.
// Counts are exact but for runs of white space above 1 KB and of anything else
// without white space above 16 KB, where each further KB (16 KB) may add a
// token. Invalid bytes are counted as U+FFFD, one for each.
func NewTokenizer(id string) (Tokenizer, error) {
	if strings.HasPrefix(id, wordPiecePrefix) || strings.HasPrefix(id, huggingFacePrefix) {
		return newFromFile(id)
	}
	t := &bytePair{id: id, exact: true, free: make(chan *segmentCache, runtime.GOMAXPROCS(0))}
	switch id {
	case TokenizerCL100K:
		t.encoding = bpe.CL100K()
	case TokenizerO200K:
		t.encoding = bpe.O200K()
	case TokenizerApprox, "approx":
		t.id, t.exact, t.encoding = TokenizerApprox, false, bpe.CL100K()
	default:
		return nil, &UnknownTokenizerError{ID: id}
	}
	return t, nil
}

// bytePair is a byte-pair tokenizer. Texts are cut into segments, which repeat
// (most are a word with its space), and remembering them makes it several times
// faster.
type bytePair struct {
	id       string
	exact    bool
	encoding *bpe.Encoding
	// free keeps idle caches, at most one a core.
	free chan *segmentCache
}

func (t *bytePair) ID() string  { return t.id }
func (t *bytePair) Exact() bool { return t.exact }

// Count returns the number of tokens of text.
func (t *bytePair) Count(text string) int {
	text, _ = sanitise(text)
	n := 0
	t.each(text, func(lens string) { n += len(lens) })
	return n
}

// Starts returns the byte offset of each token of text.
func (t *bytePair) Starts(text string) []int {
	text, replaced := sanitise(text)
	starts := make([]int, 0, len(text)/4+1)
	at := 0
	t.each(text, func(lens string) {
		for i := range len(lens) {
			starts = append(starts, at)
			at += int(lens[i])
		}
	})
	unshift(starts, replaced)
	return starts
}

// each calls yield with the token lengths of one segment after the other, a
// byte for each token.
func (t *bytePair) each(text string, yield func(lens string)) {
	cache := t.take()
	defer t.giveBack(cache)
	for len(text) > 0 {
		segment := text[:segmentEnd(text)]
		text = text[len(segment):]
		lens, ok := cache.lens[segment]
		if !ok {
			lens = string(t.encoding.AppendLengths(nil, segment))
			cache.keep(segment, lens)
		}
		yield(lens)
	}
}

func (t *bytePair) take() *segmentCache {
	select {
	case c := <-t.free:
		return c
	default:
		return &segmentCache{lens: map[string]string{}}
	}
}

func (t *bytePair) giveBack(c *segmentCache) {
	select {
	case t.free <- c:
	default:
	}
}

// segmentCache remembers the token lengths of short segments. It starts anew
// when full: the frequent ones are back at once.
type segmentCache struct{ lens map[string]string }

const (
	maxSegments    = 32768
	maxCachedBytes = 32
)

func (c *segmentCache) keep(segment, lens string) {
	if len(segment) > maxCachedBytes {
		return
	}
	if len(c.lens) >= maxSegments {
		clear(c.lens)
	}
	// A clone, so that the cache does not hold on to whole documents.
	c.lens[strings.Clone(segment)] = lens
}

// sanitise returns text as valid UTF-8. Each invalid byte becomes U+FFFD, two
// bytes longer; replaced has their offsets in the result.
func sanitise(text string) (clean string, replaced []int) {
	if utf8.ValidString(text) {
		return text, nil
	}
	var sb strings.Builder
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			replaced = append(replaced, sb.Len())
		}
		sb.WriteRune(r)
	}
	return sb.String(), replaced
}

// unshift moves ascending offsets in a sanitised text back to the original.
// Those inside a replacement move to the byte it stands for.
func unshift(starts, replaced []int) {
	if len(replaced) == 0 {
		return
	}
	const grown = len("\uFFFD") - 1
	n := 0 // replacements that begin before the offset
	for i, at := range starts {
		for n < len(replaced) && replaced[n] < at {
			n++
		}
		starts[i] = at - n*grown
		if n > 0 && at < replaced[n-1]+grown+1 {
			starts[i] = replaced[n-1] - (n-1)*grown
		}
	}
}
