package huggingface

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form brings spans into a Unicode normal form (Unicode Standard Annex 15).
//
// It takes only the tables from package norm: that one breaks up runs of more than
// 30 marks with a joiner, which the reference does not do, and its iterator, which
// would say where characters came from, panics on some such runs.
type form struct {
	decomposed norm.Form // NFD or NFKD
	compose    bool
}

var (
	nfc  = form{norm.NFD, true}
	nfd  = form{norm.NFD, false}
	nfkc = form{norm.NFKD, true}
	nfkd = form{norm.NFKD, false}
)

// character is one of a normal form, on its way there.
type character struct {
	r     rune
	class uint8 // canonical combining class, 0 for what starts a sequence
	at    int32
}

func (f form) normalize(s span) span {
	if isASCII(s.text) {
		return s
	}
	b := newBuilder(len(s.text))
	var cs []character
	for start := 0; start < len(s.text); {
		end := start
		for end < len(s.text) && (end == start || !f.begins(s.text[end:])) {
			_, size := utf8.DecodeRuneInString(s.text[end:])
			end += size
		}
		segment := s.slice(start, end)
		start = end
		if len(segment.text) == 1 {
			b.addSpan(segment)
			continue
		}
		cs = f.appendDecomposed(cs[:0], segment)
		orderMarks(cs)
		if f.compose {
			cs = composed(cs)
		}
		// Marks may have changed places, but origins must not descend.
		for i := len(cs) - 2; i >= 0; i-- {
			cs[i].at = min(cs[i].at, cs[i+1].at)
		}
		at := 0
		for _, c := range cs {
			n := len(b.text)
			b.addRune(c.r, c.at)
			// A character that stayed as it was keeps the origin of each byte.
			added := string(b.text[n:])
			for at < len(segment.text) && segment.from[at] < c.at {
				at++
			}
			if end := at + len(added); end <= len(segment.text) && segment.text[at:end] == added {
				copy(b.from[n:], segment.from[at:end])
			}
		}
	}
	return b.span()
}

// begins says that what begins a text never changes or merges with what is before
// it.
func (f form) begins(text string) bool {
	if text[0] < utf8.RuneSelf {
		return true
	}
	p := f.decomposed.PropertiesString(text)
	if !p.BoundaryBefore() {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	if d := p.Decomposition(); d != nil {
		r, _ = utf8.DecodeRune(d) // a compatibility letter, say
	}
	return !isVowelOrTail(r)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (f form) appendDecomposed(cs []character, s span) []character {
	for i, r := range s.text {
		at := s.from[i]
		if lead, vowel, tail := DecomposeHangul(r); lead != 0 {
			cs = append(cs, character{lead, 0, at}, character{vowel, 0, at})
			if tail != 0 {
				cs = append(cs, character{tail, 0, at})
			}
			continue
		}
		p := f.decomposed.PropertiesString(s.text[i:])
		d := p.Decomposition()
		if d == nil {
			cs = append(cs, character{r, p.CCC(), at})
			continue
		}
		for len(d) > 0 {
			c, size := utf8.DecodeRune(d)
			cs = append(cs, character{c, f.decomposed.Properties(d).CCC(), at})
			d = d[size:]
		}
	}
	return cs
}

// orderMarks sorts each run of marks by their classes.
func orderMarks(cs []character) {
	for start := 0; start < len(cs); start++ {
		end := start
		for end < len(cs) && cs[end].class != 0 {
			end++
		}
		slices.SortStableFunc(cs[start:end], func(a, b character) int { return int(a.class) - int(b.class) })
		start = end
	}
}

// composed puts together what has a character of its own: a starter with each mark
// behind it that no other of its class keeps away.
func composed(cs []character) []character {
	out := cs[:0]
	starter := -1
	for _, c := range cs {
		if starter >= 0 {
			last := out[len(out)-1].class
			if len(out)-1 == starter || last < c.class {
				if r, ok := composite(out[starter].r, c.r); ok {
					out[starter].r = r
					continue
				}
			}
		}
		if c.class == 0 {
			starter = len(out)
		}
		out = append(out, c)
	}
	return out
}

// composite returns the one character that two are.
func composite(a, b rune) (rune, bool) {
	pair := string(a) + string(b)
	if norm.NFC.PropertiesString(pair[len(string(a)):]).BoundaryBefore() {
		return 0, false
	}
	one := norm.NFC.String(pair)
	r, size := utf8.DecodeRuneInString(one)
	return r, size == len(one)
}

// isVowelOrTail says that a rune is a letter that may go on a Hangul syllable.
func isVowelOrTail(r rune) bool { return r >= 0x1161 && r <= 0x1175 || r >= 0x11A8 && r <= 0x11C2 }

// DecomposeHangul returns the letters of a syllable block, zeros for anything
// else. Unicode defines it by arithmetic (The Unicode Standard, 3.12), so tables
// do not have it.
func DecomposeHangul(r rune) (lead, vowel, tail rune) {
	const (
		syllables, last    = 0xAC00, 0xD7A3
		leads, vowels      = 0x1100, 0x1161
		beforeTails        = 0x11A7
		perVowel, perGroup = 28, 588
	)
	if r < syllables || r > last {
		return 0, 0, 0
	}
	s := r - syllables
	if t := s % perVowel; t != 0 {
		tail = beforeTails + t
	}
	return leads + s/perGroup, vowels + s%perGroup/perVowel, tail
}
