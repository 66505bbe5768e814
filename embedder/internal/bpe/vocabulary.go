package bpe

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
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

// unpack reads what pack wrote.
func unpack(packed []byte) (*vocabulary, error) {
	if len(packed) < header {
		return nil, fmt.Errorf("a vocabulary of %d bytes", len(packed))
	}
	n, size := binary.LittleEndian.Uint32(packed), binary.LittleEndian.Uint32(packed[4:])
	raw := make([]byte, n+size)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed[header:])), raw); err != nil {
		return nil, fmt.Errorf("inflate the vocabulary: %w", err)
	}
	lengths, text := raw[:n], raw[n:]
	v := &vocabulary{text: text, ends: make([]uint32, n), seed: maphash.MakeSeed()}
	slots := 1
	for slots < 2*len(lengths) {
		slots *= 2
	}
	v.slots = make([]uint32, slots)
	mask, end := uint64(slots-1), uint32(0)
	for rank, length := range lengths {
		start := end
		end += uint32(length)
		if end > size {
			return nil, fmt.Errorf("token %d ends behind the vocabulary", rank)
		}
		v.ends[rank] = end
		i := maphash.Bytes(v.seed, text[start:end]) & mask
		for v.slots[i] != 0 {
			i = (i + 1) & mask
		}
		v.slots[i] = uint32(rank) + 1
	}
	if end != size {
		return nil, fmt.Errorf("%d bytes behind the last token", size-end)
	}
	return v, nil
}

// pack writes the tokens in the order of their ranks: a header, then deflated
// the length of each (a byte) and all their bytes.
func pack(tokens []string) ([]byte, error) {
	var lengths, text []byte
	for _, token := range tokens {
		lengths = append(lengths, byte(len(token)))
		text = append(text, token...)
	}
	packed := binary.LittleEndian.AppendUint32(nil, uint32(len(lengths)))
	packed = binary.LittleEndian.AppendUint32(packed, uint32(len(text)))
	out := bytes.NewBuffer(packed)
	w, err := flate.NewWriter(out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(append(lengths, text...)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
