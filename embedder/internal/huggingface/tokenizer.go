package huggingface

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Tokenizer splits texts as a tokenizer.json says. It may be used from several
// goroutines.
type Tokenizer struct {
	Vocabulary
	// Special is how many tokens the model gets around each text, which are not
	// counted.
	Special int

	added, addedNormalized addedTokens
	normalize              normalizer // nil for none
	pre                    preTokenizer
	model                  model
	// cut returns where a long word may be cut without changing its tokens, its
	// length for nowhere. It may be nil.
	cut func(word string) int

	// free keeps idle memory, at most one a core.
	free chan *memory
}

// memory is what one text needs at a time. Words repeat, and remembering their
// tokens makes it several times faster; it starts anew when full, since the
// frequent ones are back at once.
type memory struct {
	workspace
	words map[string][]token
	out   []token
}

const (
	maxWords     = 32768
	maxWordBytes = 64
)

// Each calls yield with the tokens of a text, in order, and with the byte where
// each begins, until it returns false. The offsets never descend. Characters that
// only the normaliser or the pre-tokenizer put there begin where the one after
// them does. Invalid bytes are read as U+FFFD, each one.
//
// The time is n·log n for a word of n bytes and linear in the number of words.
func (t *Tokenizer) Each(text string, yield func(id int32, at int) bool) {
	m := t.take()
	defer t.giveBack(m)
	words := func(word span) bool { return t.eachOfWord(m, word, yield) }
	t.added.split(spanOf(text), func(s span) bool {
		if t.normalize != nil {
			s = t.normalize(s)
		}
		return t.addedNormalized.split(s, func(s span) bool {
			if t.pre.split == nil {
				return words(s)
			}
			return t.pre.split(s, words)
		}, yield)
	}, yield)
}

// Count returns the number of tokens of a text.
func (t *Tokenizer) Count(text string) int {
	n := 0
	t.Each(text, func(int32, int) bool { n++; return true })
	return n
}

func (t *Tokenizer) eachOfWord(m *memory, word span, yield func(id int32, at int) bool) bool {
	for word.text != "" {
		part := word
		if t.cut != nil {
			part = word.slice(0, t.cut(word.text))
		}
		word = word.slice(len(part.text), len(word.text))
		at := 0
		for _, tok := range t.tokens(m, part.text) {
			if !yield(tok.id, int(part.from[at])) {
				return false
			}
			at += int(tok.size)
		}
	}
	return true
}

// tokens returns the tokens of a word; they are good until it is called again.
func (t *Tokenizer) tokens(m *memory, word string) []token {
	if found, ok := m.words[word]; ok {
		return found
	}
	m.out = t.model.appendTokens(m.out[:0], &m.workspace, word)
	if len(word) <= maxWordBytes {
		if len(m.words) >= maxWords {
			clear(m.words)
		}
		// A clone, so that the memory does not hold on to whole documents.
		m.words[strings.Clone(word)] = append([]token(nil), m.out...)
	}
	return m.out
}

// cut returns what cuts a word of a model whose blanks are spaceMarks, nil for
// others.
func (b *bytePairs) cut() func(word string) int {
	_, hasMark := b.ids[spaceMark]
	if !hasMark || b.uncut || b.byteLevel || b.ignoreMerges || b.prefix+b.suffix != "" {
		return nil
	}
	if b.unknown == noToken && !(b.byteFallback && !slices.Contains(b.bytes[:], noToken)) {
		return nil // what stands beside a character that is dropped may be merged
	}
	return func(word string) int {
		for at := 1; at < len(word); {
			next := strings.Index(word[at:], spaceMark)
			if next < 0 {
				break
			}
			at += next
			if r, _ := utf8.DecodeLastRuneInString(word[:at]); !b.inside[r] && r != '▁' {
				return at
			}
			at += len(spaceMark)
		}
		return len(word)
	}
}

func (t *Tokenizer) take() *memory {
	select {
	case m := <-t.free:
		return m
	default:
		return &memory{words: map[string][]token{}}
	}
}

func (t *Tokenizer) giveBack(m *memory) {
	// What one huge word needed is not kept.
	const large = 1 << 16
	if cap(m.parts) > large || cap(m.paths) > large || cap(m.queue) > large {
		m.workspace, m.out = workspace{}, nil
	}
	select {
	case t.free <- m:
	default:
	}
}
