package huggingface

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token of its own wherever its name stands in a text.
type addedToken struct {
	ID      int64  `json:"id"`
	Content string `json:"content"`
	// SingleWord takes it only where no letter or digit stands beside it; LStrip and
	// RStrip take the white space before and behind it along.
	SingleWord bool `json:"single_word"`
	LStrip     bool `json:"lstrip"`
	RStrip     bool `json:"rstrip"`
	// Normalized looks for it in the normalised text.
	Normalized bool `json:"normalized"`
	Special    bool `json:"special"`
}

// addedTokens finds added tokens, the longest that begins at a place.
type addedTokens struct {
	tokens map[string]*addedToken
	// lengths are those of the tokens that begin with a byte, descending.
	lengths [256][]int
}

func (a *addedTokens) add(name string, t *addedToken) {
	if name == "" {
		return
	}
	if a.tokens == nil {
		a.tokens = map[string]*addedToken{}
	}
	a.tokens[name] = t
	all := &a.lengths[name[0]]
	if !slices.Contains(*all, len(name)) {
		*all = append(*all, len(name))
		slices.SortFunc(*all, func(x, y int) int { return y - x })
	}
}

// next returns the first added token of a text from a place on and where it begins.
func (a *addedTokens) next(text string, at int) (*addedToken, string, int) {
	for ; at < len(text); at++ {
		for _, n := range a.lengths[text[at]] {
			if n > len(text)-at {
				continue
			}
			if t, ok := a.tokens[text[at:at+n]]; ok {
				return t, text[at : at+n], at
			}
		}
	}
	return nil, "", len(text)
}

// split yields the added tokens of a span, and what is between them as rest.
func (a *addedTokens) split(s span, rest func(span) bool, yield func(id int32, at int) bool) bool {
	if len(a.tokens) == 0 {
		return s.text == "" || rest(s)
	}
	done := 0
	for from := 0; ; {
		t, name, start := a.next(s.text, from)
		if t == nil {
			return done >= len(s.text) || rest(s.slice(done, len(s.text)))
		}
		end := start + len(name)
		from = end
		if t.SingleWord && (endsInWord(s.text[:start]) || beginsWithWord(s.text[end:])) {
			continue
		}
		if t.LStrip {
			start = max(done, len(strings.TrimRightFunc(s.text[:start], unicode.IsSpace)))
		}
		if t.RStrip {
			end = len(s.text) - len(strings.TrimLeftFunc(s.text[end:], unicode.IsSpace))
		}
		if start < done { // the one before it took it along
			start = done
		}
		if start > done && !rest(s.slice(done, start)) {
			return false
		}
		if !yield(int32(t.ID), int(s.from[min(start, len(s.from)-1)])) {
			return false
		}
		done = max(done, end)
	}
}

func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

func endsInWord(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size > 0 && isWord(r)
}

func beginsWithWord(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && isWord(r)
}
