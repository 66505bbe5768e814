package huggingface

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter yields the words of a span, none of them empty, until yield returns
// false; then it returns false, too.
type splitter func(s span, yield func(span) bool) bool

// preTokenizer is what splits a text into words.
type preTokenizer struct {
	split splitter // nil: the text is one word
	// byteLevel says that the model sees bytes, not characters.
	byteLevel bool
}

// newPreTokenizer reads a pre-tokenizer.
func newPreTokenizer(raw json.RawMessage) (preTokenizer, error) {
	kind, err := typeOf(raw)
	if err != nil || kind == "" {
		return preTokenizer{}, err
	}
	p, err := preTokenizerOf(kind, raw)
	if err != nil && !errors.As(err, new(*partError)) {
		err = &partError{kind, err}
	}
	return p, err
}

func preTokenizerOf(kind string, raw json.RawMessage) (preTokenizer, error) {
	switch kind {
	case "ByteLevel":
		return byteLevelPreTokenizer(raw)
	case "Sequence":
		return sequencePreTokenizer(raw)
	}
	split, err := splitterOf(kind, raw)
	return preTokenizer{split: split}, err
}

func splitterOf(kind string, raw json.RawMessage) (splitter, error) {
	switch kind {
	case "BertPreTokenizer":
		words, signs := splitAt(runes(unicode.IsSpace), removed), splitAt(runes(IsPunctuation), isolated)
		return inTurn(words, signs), fields(raw, &typed{})
	case "WhitespaceSplit":
		return splitAt(runes(unicode.IsSpace), removed), fields(raw, &typed{})
	case "Whitespace":
		return whitespace, fields(raw, &typed{})
	case "Digits":
		return digitsPreTokenizer(raw)
	case "Punctuation":
		return punctuationPreTokenizer(raw)
	case "Metaspace":
		return metaspacePreTokenizer(raw)
	case "Split":
		return splitPreTokenizer(raw)
	case "CharDelimiterSplit":
		var f struct {
			typed
			Delimiter string `json:"delimiter"`
		}
		err := fields(raw, &f)
		return splitAt(runes(func(r rune) bool { return string(r) == f.Delimiter }), removed), err
	}
	return nil, errUnknownType
}

func sequencePreTokenizer(raw json.RawMessage) (preTokenizer, error) {
	var f struct {
		typed
		Parts []json.RawMessage `json:"pretokenizers"`
	}
	if err := fields(raw, &f); err != nil {
		return preTokenizer{}, err
	}
	var all preTokenizer
	for _, part := range f.Parts {
		if all.byteLevel {
			return all, errors.New("has a part behind ByteLevel, which must be the last")
		}
		p, err := newPreTokenizer(part)
		if err != nil {
			return all, err
		}
		all.byteLevel = p.byteLevel
		switch {
		case all.split == nil:
			all.split = p.split
		case p.split != nil:
			all.split = inTurn(all.split, p.split)
		}
	}
	return all, nil
}

// inTurn splits what the first splitter made by the second.
func inTurn(first, second splitter) splitter {
	return func(s span, yield func(span) bool) bool {
		return first(s, func(part span) bool { return second(part, yield) })
	}
}

// gpt2 is the pattern that ByteLevel splits by unless it is told not to.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

func byteLevelPreTokenizer(raw json.RawMessage) (preTokenizer, error) {
	var f struct {
		typed
		AddPrefixSpace bool  `json:"add_prefix_space"`
		TrimOffsets    bool  `json:"trim_offsets"`
		UseRegex       *bool `json:"use_regex"`
	}
	if err := fields(raw, &f); err != nil {
		return preTokenizer{}, err
	}
	p := preTokenizer{byteLevel: true}
	if f.UseRegex == nil || *f.UseRegex {
		find, err := compile(gpt2)
		if err != nil {
			return p, err
		}
		p.split = splitAt(find, isolated)
	}
	if f.AddPrefixSpace {
		p.split = withPrefix(" ", func(span) bool { return true }, p.split)
	}
	return p, nil
}

// withPrefix puts a text before the spans that do not begin with it, where wanted,
// and splits them then, if there is anything to split by.
func withPrefix(prefix string, wanted func(span) bool, then splitter) splitter {
	return func(s span, yield func(span) bool) bool {
		if s.text != "" && !strings.HasPrefix(s.text, prefix) && wanted(s) {
			s = s.prepend(prefix)
		}
		if then == nil {
			return yield(s)
		}
		return then(s, yield)
	}
}

func metaspacePreTokenizer(raw json.RawMessage) (splitter, error) {
	f := struct {
		typed
		Replacement    string `json:"replacement"`
		AddPrefixSpace *bool  `json:"add_prefix_space"`
		PrependScheme  string `json:"prepend_scheme"`
		Split          bool   `json:"split"`
		StrRep         string `json:"str_rep"`
	}{Split: true}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(f.Replacement) != 1 {
		return nil, fmt.Errorf("has the replacement %s, not one character", Quote(f.Replacement))
	}
	always := func(span) bool { return true }
	wanted := always
	switch f.PrependScheme {
	case "", "always":
		if f.AddPrefixSpace != nil && !*f.AddPrefixSpace {
			if f.PrependScheme != "" {
				return nil, errors.New("has an add_prefix_space that contradicts its prepend_scheme")
			}
			wanted = func(span) bool { return false }
		}
	case "never":
		wanted = func(span) bool { return false }
	case "first":
		wanted = func(s span) bool { return s.from[0] == 0 }
	default:
		return nil, fmt.Errorf("has the prepend_scheme %s, which is not known", Quote(f.PrependScheme))
	}
	var then splitter
	if f.Split {
		then = splitAt(literal(f.Replacement), mergedWithNext)
	}
	then = withPrefix(f.Replacement, wanted, then)
	return func(s span, yield func(span) bool) bool {
		return then(s.replace(literal(" "), f.Replacement), yield)
	}, nil
}

func digitsPreTokenizer(raw json.RawMessage) (splitter, error) {
	var f struct {
		typed
		Individual bool `json:"individual_digits"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if f.Individual {
		return splitAt(runes(unicode.IsNumber), isolated), nil
	}
	return splitAt(runes(unicode.IsNumber), contiguous), nil
}

func punctuationPreTokenizer(raw json.RawMessage) (splitter, error) {
	var f struct {
		typed
		Behaviour behaviour `json:"behavior"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if f.Behaviour == "" {
		f.Behaviour = isolated
	}
	return splitAt(runes(IsPunctuation), f.Behaviour), f.Behaviour.check()
}

func splitPreTokenizer(raw json.RawMessage) (splitter, error) {
	var f struct {
		typed
		Pattern   *patternJSON `json:"pattern"`
		Behaviour behaviour    `json:"behavior"`
		Invert    bool         `json:"invert"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if err := f.Behaviour.check(); err != nil {
		return nil, err
	}
	find, err := f.Pattern.finder()
	if err != nil {
		return nil, err
	}
	return splitBy(find, f.Behaviour, f.Invert), nil
}

// whitespace yields the runs of letters and digits, and those of other signs.
func whitespace(s span, yield func(span) bool) bool {
	kindOf := func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 0
		case isWord(r):
			return 1
		}
		return 2
	}
	start, kind := 0, 0
	for i, r := range s.text {
		k := kindOf(r)
		if k == kind {
			continue
		}
		if kind != 0 && !yield(s.slice(start, i)) {
			return false
		}
		start, kind = i, k
	}
	return kind == 0 || start == len(s.text) || yield(s.slice(start, len(s.text)))
}
