package huggingface

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram is a model whose tokens have a score, the logarithm of a probability: a
// word becomes those tokens of which it consists that have the largest sum (Kudo
// 2018, found by the algorithm of Viterbi).
type unigram struct {
	pieces map[string]piece
	// longest is the length of the longest token in bytes, by the first byte.
	longest [256]int
	// unknownScore is that of a character without a token.
	unknownScore float64
	unknown      int32
	byteFallback bool
	bytes        [256]int32 // noToken for none
}

type piece struct {
	id    int32
	score float64
}

// pieceJSON is a token and its score in a file: ["▁the", -3.7].
type pieceJSON struct {
	token string
	score float64
}

func (p *pieceJSON) UnmarshalJSON(raw []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
		return errors.New("a token is not a pair of text and score")
	}
	if err := json.Unmarshal(pair[0], &p.token); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &p.score)
}

// unknownPenalty is how far below the worst token a character without one is.
const unknownPenalty = 10

// longestPiece bounds the time of a word: real vocabularies have tokens of some 50
// bytes.
const longestPiece = 1024

func newUnigram(raw json.RawMessage, v *Vocabulary) (*unigram, error) {
	var f struct {
		typed
		Unknown      *int        `json:"unk_id"`
		Vocab        []pieceJSON `json:"vocab"`
		ByteFallback bool        `json:"byte_fallback"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if f.Unknown == nil || *f.Unknown < 0 || *f.Unknown >= len(f.Vocab) {
		return nil, fmt.Errorf("has an unk_id that none of its %d tokens has", len(f.Vocab))
	}
	u := &unigram{pieces: make(map[string]piece, len(f.Vocab)), unknown: int32(*f.Unknown), byteFallback: f.ByteFallback}
	worst := math.Inf(1)
	for id, p := range f.Vocab {
		if err := v.add(p.token, int64(id)); err != nil {
			return nil, err
		}
		if len(p.token) > longestPiece {
			return nil, fmt.Errorf("has a token of %d bytes, more than %d", len(p.token), longestPiece)
		}
		worst = min(worst, p.score)
		if p.token == "" {
			continue
		}
		u.pieces[p.token] = piece{int32(id), p.score}
		u.longest[p.token[0]] = max(u.longest[p.token[0]], len(p.token))
	}
	u.unknownScore = worst - unknownPenalty
	for c := range u.bytes {
		u.bytes[c] = noToken
		if p, ok := u.pieces[fmt.Sprintf("<0x%02X>", c)]; ok {
			u.bytes[c] = p.id
		}
	}
	return u, nil
}

// path is the best way to a place of a word: its score, and where its last token
// begins and what it is.
type path struct {
	score float64
	start int32 // -1: there is no way yet
	id    int32
}

func (u *unigram) appendTokens(out []token, w *workspace, word string) []token {
	w.paths = u.viterbi(w.paths[:0], word)
	n := len(out)
	for end := len(word); end > 0; {
		p := w.paths[end]
		start := int(p.start)
		for p.id == u.unknown && start > 0 && w.paths[start].id == u.unknown {
			start = int(w.paths[start].start) // unknown characters in a row are one token
		}
		out = u.appendReversed(out, word[start:end], p.id)
		end = start
	}
	for i, k := n, len(out)-1; i < k; i, k = i+1, k-1 {
		out[i], out[k] = out[k], out[i]
	}
	return out
}

// viterbi returns the best path to each place between two characters. Of equal
// ones the first found counts, which is the one with the longest last token.
func (u *unigram) viterbi(paths []path, word string) []path {
	for range len(word) + 1 {
		paths = append(paths, path{start: -1})
	}
	try := func(start, end int, score float64, id int32) {
		p := &paths[end]
		if score += paths[start].score; p.start < 0 || score > p.score {
			*p = path{score, int32(start), id}
		}
	}
	for start := 0; start < len(word); {
		_, size := utf8.DecodeRuneInString(word[start:])
		most := min(len(word), start+u.longest[word[start]])
		alone := false
		for end := start + size; end <= most; {
			if p, ok := u.pieces[word[start:end]]; ok {
				try(start, end, p.score, p.id)
				alone = alone || end == start+size
			}
			if end == len(word) {
				break
			}
			_, next := utf8.DecodeRuneInString(word[end:])
			end += next
		}
		if !alone {
			try(start, start+size, u.unknownScore, u.unknown)
		}
		start += size
	}
	return paths
}

// appendReversed appends a token, or the bytes of an unknown one, the last first.
func (u *unigram) appendReversed(out []token, text string, id int32) []token {
	if id != u.unknown {
		return append(out, token{id, int32(len(text))})
	}
	// What is unknown may be, as a whole, the name of a token.
	if p, ok := u.pieces[text]; ok {
		return append(out, token{p.id, int32(len(text))})
	}
	if !u.byteFallback || !hasAll(&u.bytes, text) {
		return append(out, token{u.unknown, int32(len(text))})
	}
	for i := len(text) - 1; i >= 0; i-- {
		out = append(out, token{u.bytes[text[i]], 1})
	}
	return out
}
