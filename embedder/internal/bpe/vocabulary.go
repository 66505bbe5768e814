package bpe

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
)

// vocabulary finds the rank of a token. Tokens stand one behind the other in the
// order of their ranks, and are found through a table of hashes: a map would
// take five times as long to fill, and twice the memory.
type vocabulary struct {
	text  []byte   // all tokens
	ends  []uint32 // by rank, where its token ends in text
	slots []uint32 // open addressing: rank + 1, 0 for an empty slot
	seed  maphash.Seed
}

// rank returns the rank of a token, false for what is none.
func (v *vocabulary) rank(token string) (uint32, bool) {
	mask := uint64(len(v.slots) - 1)
	for i := maphash.String(v.seed, token) & mask; ; i = (i + 1) & mask {
		slot := v.slots[i]
		if slot == 0 {
			return 0, false
		}
		if string(v.token(slot-1)) == token {
			return slot - 1, true
		}
	}
}

func (v *vocabulary) token(rank uint32) []byte {
	start := uint32(0)
	if rank > 0 {
		start = v.ends[rank-1]
	}
	return v.text[start:v.ends[rank]]
}

// header is the number of tokens and that of the bytes of all of them, each in
// four bytes, little-endian.
const header = 8

// planes are the bytes of a token in a packed vocabulary: three of each of the
// ranks of its halves, the lowest first.
const planes = 6

// unpack reads what pack wrote.
func unpack(packed []byte) (*vocabulary, error) {
	if len(packed) < header {
		return nil, fmt.Errorf("a vocabulary of %d bytes", len(packed))
	}
	n, size := int(binary.LittleEndian.Uint32(packed)), int(binary.LittleEndian.Uint32(packed[4:]))
	raw := make([]byte, planes*n)
	inflated := flate.NewReader(bytes.NewReader(packed[header:]))
	if _, err := io.ReadFull(inflated, raw); err != nil {
		return nil, fmt.Errorf("inflate the vocabulary: %w", err)
	}
	if extra, err := io.ReadFull(inflated, make([]byte, 1)); extra > 0 || !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than %d tokens", n)
	}
	v := &vocabulary{text: make([]byte, 0, size), ends: make([]uint32, n), seed: maphash.MakeSeed()}
	for rank := range n {
		half := func(plane int) int {
			return int(raw[plane*n+rank]) | int(raw[(plane+1)*n+rank])<<8 | int(raw[(plane+2)*n+rank])<<16
		}
		switch left, right := half(0), half(3); {
		case left == rank && right <= math.MaxUint8:
			v.text = append(v.text, byte(right))
		case left < rank && right < rank:
			v.text = append(append(v.text, v.token(uint32(left))...), v.token(uint32(right))...) //nolint:gosec // three bytes
		default:
			return nil, fmt.Errorf("token %d is made of %d and %d", rank, left, right)
		}
		if len(v.text) > size {
			return nil, fmt.Errorf("token %d ends behind the vocabulary", rank)
		}
		v.ends[rank] = uint32(len(v.text)) //nolint:gosec // at most size, which has four bytes
	}
	if len(v.text) != size {
		return nil, fmt.Errorf("%d bytes behind the last token", size-len(v.text))
	}
	v.fill()
	return v, nil
}

// fill makes the table of hashes.
func (v *vocabulary) fill() {
	slots := 1
	for slots < 2*len(v.ends) {
		slots *= 2
	}
	v.slots = make([]uint32, slots)
	mask := uint64(slots - 1)
	for rank := range uint32(len(v.ends)) { //nolint:gosec // as above
		i := maphash.Bytes(v.seed, v.token(rank)) & mask
		for v.slots[i] != 0 {
			i = (i + 1) & mask
		}
		v.slots[i] = rank + 1
	}
}

// pack writes the tokens in the order of their ranks: a header, then deflated
// what each is made of. That is a byte, which has its own rank as its left half and
// its value as its right one, or two tokens of lower ranks, the left one as long as
// can be: pairs take a quarter less than the bytes of the tokens would.
func pack(tokens []string) ([]byte, error) {
	ranks, size := make(map[string]int, len(tokens)), 0
	raw := make([]byte, planes*len(tokens))
	for rank, token := range tokens {
		left, right, err := halves(token, ranks)
		if err != nil {
			return nil, err
		}
		for plane, b := range []int{left, left >> 8, left >> 16, right, right >> 8, right >> 16} {
			raw[plane*len(tokens)+rank] = byte(b)
		}
		ranks[token] = rank
		size += len(token)
	}
	packed := binary.LittleEndian.AppendUint32(nil, uint32(len(tokens)))
	packed = binary.LittleEndian.AppendUint32(packed, uint32(size)) //nolint:gosec // some megabytes
	out := bytes.NewBuffer(packed)
	w, err := flate.NewWriter(out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// halves says what the next token is made of, given the ranks of those before it.
func halves(token string, ranks map[string]int) (left, right int, err error) {
	if len(token) == 1 {
		return len(ranks), int(token[0]), nil
	}
	for i := len(token) - 1; i > 0; i-- {
		left, ok := ranks[token[:i]]
		right, found := ranks[token[i:]]
		if ok && found {
			return left, right, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is not made of two tokens before it", token)
}
