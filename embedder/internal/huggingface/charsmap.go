package huggingface

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// charsMap is what sentencepiece makes of its normalisation rules: a double-array
// trie whose values are places in a list of replacements, each ended by a zero.
type charsMap struct {
	units        []uint32
	replacements string
	// ascii says of each byte whether it stands for itself, so that most text need
	// not be looked up.
	ascii [utf8.RuneSelf]bool
}

func precompiledNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Map string `json:"precompiled_charsmap"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	blob, err := base64.StdEncoding.DecodeString(f.Map)
	if err != nil {
		return nil, errors.New("has a precompiled_charsmap that is not base64")
	}
	m, err := newCharsMap(blob)
	if err != nil {
		return nil, fmt.Errorf("has a precompiled_charsmap that %w", err)
	}
	return m.normalize, nil
}

// newCharsMap reads a map: the size of the trie in four bytes, little-endian, the
// trie, the replacements.
func newCharsMap(blob []byte) (*charsMap, error) {
	const unit = 4
	if len(blob) < unit {
		return nil, errors.New("is cut short")
	}
	size, rest := binary.LittleEndian.Uint32(blob), blob[unit:]
	if int64(size) > int64(len(rest)) || size%unit != 0 || size == 0 {
		return nil, fmt.Errorf("has a trie of %d bytes in %d", size, len(rest))
	}
	m := &charsMap{units: make([]uint32, size/unit), replacements: string(rest[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(rest[i*unit:])
	}
	if !utf8.ValidString(m.replacements) {
		return nil, errors.New("has replacements that are not UTF-8")
	}
	for c := range m.ascii {
		by, found := m.lookUp(string(rune(c)))
		m.ascii[c] = !found || by == string(rune(c))
	}
	m.ascii['\r'] = false // it is one cluster with the line feed
	return m, nil
}

// lookUp returns what stands for the shortest beginning of a text that is in the
// map. The trie is that of darts-clone: a unit has its label in the lowest byte, in
// bit 8 whether a value hangs on it, and above that the offset of its children.
func (m *charsMap) lookUp(text string) (string, bool) {
	at := offsetOf(m.units[0])
	for i := range len(text) {
		c := uint32(text[i])
		if c == 0 {
			break
		}
		at ^= c
		if int64(at) >= int64(len(m.units)) {
			break
		}
		u := m.units[at]
		if u&(1<<31|0xFF) != c {
			break
		}
		at ^= offsetOf(u)
		if u>>8&1 == 1 {
			return m.replacement(at)
		}
	}
	return "", false
}

func offsetOf(u uint32) uint32 { return (u >> 10) << ((u & (1 << 9)) >> 6) }

// replacement is the text that the value at a place points at.
func (m *charsMap) replacement(at uint32) (string, bool) {
	if int64(at) >= int64(len(m.units)) {
		return "", false
	}
	start := m.units[at] &^ (1 << 31)
	if int64(start) >= int64(len(m.replacements)) || !utf8.RuneStart(m.replacements[start]) {
		return "", int64(start) == int64(len(m.replacements))
	}
	by, _, _ := strings.Cut(m.replacements[start:], "\x00")
	return by, true
}

// normalize replaces what is in the map: a character as the reader sees it
// (grapheme cluster) if it has less than six bytes, else code point by code point.
// Of a cluster only its beginning is looked up, and what follows that goes with it:
// the models were trained on texts that had gone through this.
func (m *charsMap) normalize(s span) span {
	if m.isPlain(s.text) {
		return s
	}
	b := newBuilder(len(s.text))
	for at := 0; at < len(s.text); {
		if n := m.plainRun(s.text[at:]); n > 0 {
			b.addSpan(s.slice(at, at+n))
			at += n
			continue
		}
		clusters := graphemes.FromString(s.text[at:])
		clusters.Next()
		n := len(clusters.Value())
		m.addCluster(b, s.slice(at, at+n))
		at += n
	}
	return b.span()
}

func (m *charsMap) addCluster(b *builder, s span) {
	const longest = 6
	if len(s.text) < longest {
		if by, found := m.lookUp(s.text); found {
			b.addString(by, s.from[0])
			return
		}
	}
	for i, r := range s.text {
		if by, found := m.lookUp(s.text[i : i+utf8.RuneLen(r)]); found {
			b.addString(by, s.from[i])
		} else {
			b.addSpan(s.slice(i, i+utf8.RuneLen(r)))
		}
	}
}

func (m *charsMap) isPlain(text string) bool { return m.plainRun(text) == len(text) }

// plainRun is how many bytes at the beginning of a text stand for themselves. The
// last one before anything else is not among them, because it may be part of a
// cluster with what follows.
func (m *charsMap) plainRun(text string) int {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || !m.ascii[c] {
			return max(0, i-1)
		}
	}
	return len(text)
}
