package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/bpe"
)

// token is a token of a word: its number and how many bytes of the word it is.
type token struct{ id, size int32 }

// A model splits a word, which is not empty, into tokens. It appends them; their
// sizes add up to the length of the word, but for characters that it drops.
type model interface {
	appendTokens(out []token, w *workspace, word string) []token
}

// workspace is memory that models use again for the next word.
type workspace struct {
	parts []part
	queue bpe.Queue
	paths []path
}

// bytePairs is a byte-pair encoding: the neighbours that were merged first in
// training are merged first, beginning with characters or, byteLevel, with bytes.
type bytePairs struct {
	ids    map[string]int32
	merges map[uint64]merge
	// bytes are the tokens that a byte begins as: of a byte-level model all, else
	// those of a character that has no token, if byteFallback. noToken for none.
	bytes                                 [256]int32
	byteLevel, byteFallback, ignoreMerges bool
	unknown                               int32 // noToken: unknown characters are dropped
	fuseUnknown                           bool
	// prefix goes before all characters of a word but the first, suffix behind the
	// last.
	prefix, suffix string
	// inside has the characters that some token has before a spaceMark; between any
	// other one and a spaceMark a word may be cut.
	inside map[rune]bool
	// uncut says that words are not cut, because a token may begin with one that
	// any character becomes.
	uncut bool
}

var byteName = regexp.MustCompile(`<0x[0-9A-F]{2}>$`)

// merge is what two tokens become, and its rank among the merges.
type merge struct{ rank, id int32 }

const (
	noToken = -1
	// spaceMark stands for a blank in the tokens of sentencepiece.
	spaceMark = "▁"
)

func pairOf(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

func newBytePairs(raw json.RawMessage, byteLevel bool, v *Vocabulary) (*bytePairs, error) {
	var f struct {
		typed
		Dropout      *float64         `json:"dropout"`
		Unknown      *string          `json:"unk_token"`
		Prefix       *string          `json:"continuing_subword_prefix"`
		Suffix       *string          `json:"end_of_word_suffix"`
		FuseUnknown  bool             `json:"fuse_unk"`
		ByteFallback bool             `json:"byte_fallback"`
		IgnoreMerges bool             `json:"ignore_merges"`
		Vocab        map[string]int64 `json:"vocab"`
		Merges       json.RawMessage  `json:"merges"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if f.Dropout != nil && *f.Dropout != 0 {
		return nil, errors.New("has a dropout, which makes counts random")
	}
	b := &bytePairs{
		byteLevel: byteLevel, byteFallback: f.ByteFallback, ignoreMerges: f.IgnoreMerges, fuseUnknown: f.FuseUnknown, unknown: noToken,
		ids: make(map[string]int32, len(f.Vocab)),
	}
	for t, id := range f.Vocab {
		if err := v.add(t, id); err != nil {
			return nil, err
		}
		b.ids[t] = int32(id)
	}
	if f.Unknown != nil {
		id, ok := b.ids[*f.Unknown]
		if !ok {
			return nil, fmt.Errorf("lacks the unknown token %s in its vocabulary", Quote(*f.Unknown))
		}
		b.unknown, v.Unknown = id, id
	}
	if f.Prefix != nil {
		b.prefix = *f.Prefix
	}
	if f.Suffix != nil {
		b.suffix = *f.Suffix
	}
	if byteLevel && b.prefix+b.suffix != "" {
		return nil, errors.New("has a prefix or a suffix of tokens, which is not known with ByteLevel")
	}
	if err := b.readMerges(f.Merges); err != nil {
		return nil, err
	}
	b.readBytes()
	return b, nil
}

var errMerges = errors.New("has merges that are neither strings nor pairs of them")

// readMerges reads the merges: pairs, or strings with a blank between the two.
func (b *bytePairs) readMerges(raw json.RawMessage) error {
	var pairs [][]string
	list := bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("[")), " \t\r\n")
	if len(list) > 0 && list[0] == '[' {
		if err := json.Unmarshal(raw, &pairs); err != nil {
			return errMerges
		}
	} else {
		var lines []string
		if err := json.Unmarshal(raw, &lines); err != nil {
			return errMerges
		}
		pairs = make([][]string, 0, len(lines))
		for _, line := range lines {
			if !strings.HasPrefix(line, "#version") {
				pairs = append(pairs, strings.Split(line, " "))
			}
		}
	}
	b.merges, b.inside = make(map[uint64]merge, len(pairs)), map[rune]bool{}
	for rank, p := range pairs {
		if len(p) != 2 {
			return fmt.Errorf("has a merge of %d parts, %s", len(p), Quote(strings.Join(p, " ")))
		}
		merged := p[0] + strings.TrimPrefix(p[1], b.prefix)
		left, okLeft := b.ids[p[0]]
		right, okRight := b.ids[p[1]]
		id, ok := b.ids[merged]
		if !okLeft || !okRight || !ok {
			return fmt.Errorf("has a merge of %s and %s that is not in its vocabulary", Quote(p[0]), Quote(p[1]))
		}
		b.merges[pairOf(left, right)] = merge{int32(rank), id}
		if strings.HasPrefix(p[1], spaceMark) {
			r, _ := utf8.DecodeLastRuneInString(p[0])
			b.inside[r] = true
			b.uncut = b.uncut || left == b.unknown || byteName.MatchString(p[0])
		}
	}
	return nil
}

// readBytes finds the tokens of single bytes, and for a byte-level model what its
// tokens are in bytes.
func (b *bytePairs) readBytes() {
	toByte := map[rune]byte{}
	next := rune(256)
	for c := range 256 {
		name := fmt.Sprintf("<0x%02X>", c)
		if b.byteLevel {
			r := rune(c)
			if !isPrintable(c) {
				r, next = next, next+1
			}
			toByte[r] = byte(c)
			name = string(r)
		}
		id, ok := b.ids[name]
		if !ok {
			id = noToken
		}
		b.bytes[c] = id
	}
	if !b.byteLevel {
		return
	}
	words := make(map[string]int32, len(b.ids))
	var raw []byte
	for t, id := range b.ids {
		raw = raw[:0]
		for _, r := range t {
			c, ok := toByte[r]
			if !ok {
				raw = nil // no text becomes this token
				break
			}
			raw = append(raw, c)
		}
		if len(raw) > 0 {
			words[string(raw)] = id
		}
	}
	b.ids = words
}

// isPrintable says that a byte stands for itself in the tokens of byte-level
// models; the others, and only those, are the characters from U+0100 on.
func isPrintable(c int) bool {
	return c >= '!' && c <= '~' || c >= 0xA1 && c <= 0xAC || c >= 0xAE
}

func (b *bytePairs) appendTokens(out []token, w *workspace, word string) []token {
	if b.ignoreMerges {
		if id, ok := b.ids[word]; ok {
			return append(out, token{id, int32(len(word))})
		}
	}
	w.parts = b.appendParts(w.parts[:0], word)
	return w.merge(out, b.merges)
}

// part is a token in the making. One that was merged into the one before it has
// size 0.
type part struct{ id, size, prev, next int32 }

// appendParts begins with a part for each character or byte.
func (b *bytePairs) appendParts(parts []part, word string) []part {
	add := func(id int32, size int) {
		n := int32(len(parts))
		parts = append(parts, part{id: id, size: int32(size), prev: n - 1, next: n + 1})
	}
	unknown := 0 // bytes of an unknown token that has not been added yet
	flush := func() {
		if unknown > 0 {
			add(b.unknown, unknown)
		}
		unknown = 0
	}
	for i := 0; i < len(word); {
		size := 1
		var id int32
		if b.byteLevel {
			id = b.bytes[word[i]]
		} else {
			_, size = utf8.DecodeRuneInString(word[i:])
			id = b.characterToken(word, i, i+size)
		}
		switch {
		case id != noToken:
			flush()
			add(id, size)
		case b.byteFallback && !b.byteLevel && hasAll(&b.bytes, word[i:i+size]):
			flush()
			for k := range size {
				add(b.bytes[word[i+k]], 1)
			}
		case b.unknown != noToken:
			if !b.fuseUnknown {
				flush()
			}
			unknown += size
		}
		i += size
	}
	flush()
	return parts
}

func (b *bytePairs) characterToken(word string, start, end int) int32 {
	c := word[start:end]
	if start > 0 && b.prefix != "" {
		c = b.prefix + c
	}
	if end == len(word) && b.suffix != "" {
		c += b.suffix
	}
	if id, ok := b.ids[c]; ok {
		return id
	}
	return noToken
}

// hasAll says that each byte of a text has a token.
func hasAll(tokens *[256]int32, text string) bool {
	for i := range len(text) {
		if tokens[text[i]] == noToken {
			return false
		}
	}
	return true
}

// merge merges the parts and appends what is left of them. The time is n·log n.
func (w *workspace) merge(out []token, merges map[uint64]merge) []token {
	w.queue = w.queue[:0]
	last := int32(len(w.parts)) - 1
	offer := func(i int32) {
		if p := &w.parts[i]; p.next <= last {
			if m, ok := merges[pairOf(p.id, w.parts[p.next].id)]; ok {
				w.queue.Push(uint32(m.rank), i)
			}
		}
	}
	for i := range w.parts {
		offer(int32(i))
	}
	for len(w.queue) > 0 {
		rank, i := w.queue.Pop()
		p := &w.parts[i]
		if p.size == 0 || p.next > last {
			continue
		}
		gone := &w.parts[p.next]
		m, ok := merges[pairOf(p.id, gone.id)]
		if !ok || uint32(m.rank) != rank {
			continue // from before one of the two was merged with another
		}
		p.id, p.size, p.next = m.id, p.size+gone.size, gone.next
		gone.size = 0
		if p.next <= last {
			w.parts[p.next].prev = i
		}
		offer(i)
		if p.prev >= 0 {
			offer(p.prev)
		}
	}
	for i := int32(0); i <= last; i = w.parts[i].next {
		out = append(out, token{w.parts[i].id, w.parts[i].size})
	}
	return out
}
