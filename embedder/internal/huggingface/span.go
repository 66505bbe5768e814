package huggingface

import (
	"math"
	"unicode/utf8"
)

// span is a part of a text on its way to the tokens: what has become of it, always
// valid UTF-8, and for each byte of that the byte of the given text that it came
// from. The origins never descend.
type span struct {
	text string
	from []int32
}

// longestText is how many bytes of a text are looked at: origins have 32 bits.
const longestText = math.MaxInt32

// spanOf is the whole of a text. Each invalid byte becomes U+FFFD.
func spanOf(text string) span {
	text = text[:min(len(text), longestText)]
	if !utf8.ValidString(text) {
		return repaired(text)
	}
	s := span{text: text, from: make([]int32, len(text))}
	for i := range s.from {
		s.from[i] = int32(i)
	}
	return s
}

func repaired(text string) span {
	var b builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			b.addRune(r, int32(i))
		} else {
			for k := range size {
				b.text, b.from = append(b.text, text[i+k]), append(b.from, int32(i+k))
			}
		}
		i += size
	}
	return b.span()
}

func (s span) slice(start, end int) span { return span{s.text[start:end], s.from[start:end]} }

// prepend puts a text before a span that is not empty.
func (s span) prepend(text string) span {
	b := newBuilder(len(text) + len(s.text))
	b.addString(text, s.from[0])
	b.addSpan(s)
	return b.span()
}

// builder makes a span.
type builder struct {
	text []byte
	from []int32
}

func newBuilder(size int) *builder {
	return &builder{make([]byte, 0, size), make([]int32, 0, size)}
}

func (b *builder) span() span { return span{string(b.text), b.from} }

func (b *builder) addString(text string, at int32) {
	b.text = append(b.text, text...)
	for range len(text) {
		b.from = append(b.from, at)
	}
}

func (b *builder) addRune(r rune, at int32) {
	n := len(b.text)
	b.text = utf8.AppendRune(b.text, r)
	for range len(b.text) - n {
		b.from = append(b.from, at)
	}
}

func (b *builder) addSpan(s span) {
	b.text = append(b.text, s.text...)
	b.from = append(b.from, s.from...)
}
