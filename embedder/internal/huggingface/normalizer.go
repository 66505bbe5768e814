package huggingface

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// A normalizer turns a span into another one.
type normalizer func(span) span

// newNormalizer reads a normalizer, nil for none.
func newNormalizer(raw json.RawMessage) (normalizer, error) {
	kind, err := typeOf(raw)
	if err != nil || kind == "" {
		return nil, err
	}
	n, err := normalizerOf(kind, raw)
	if err != nil && !errors.As(err, new(*partError)) {
		err = &partError{kind, err}
	}
	return n, err
}

// partError says in which part of a sequence something is wrong.
type partError struct {
	kind string
	err  error
}

func (e *partError) Error() string { return fmt.Sprintf("%s %s", Quote(e.kind), e.err) }
func (e *partError) Unwrap() error { return e.err }

var errUnknownType = errors.New("is not known")

func normalizerOf(kind string, raw json.RawMessage) (normalizer, error) {
	switch kind {
	case "NFC":
		return nfc.normalize, fields(raw, &typed{})
	case "NFD":
		return nfd.normalize, fields(raw, &typed{})
	case "NFKC":
		return nfkc.normalize, fields(raw, &typed{})
	case "NFKD":
		return nfkd.normalize, fields(raw, &typed{})
	case "Lowercase":
		return lowercase, fields(raw, &typed{})
	case "StripAccents":
		return dropping(unicode.M), fields(raw, &typed{})
	case "Strip":
		return stripNormalizer(raw)
	case "Prepend":
		return prependNormalizer(raw)
	case "Replace":
		return replaceNormalizer(raw)
	case "BertNormalizer":
		return bertNormalizer(raw)
	case "Precompiled":
		return precompiledNormalizer(raw)
	case "Sequence":
		return sequenceNormalizer(raw)
	}
	return nil, errUnknownType
}

func sequenceNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Normalizers []json.RawMessage `json:"normalizers"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	var all []normalizer
	for _, part := range f.Normalizers {
		n, err := newNormalizer(part)
		if err != nil {
			return nil, err
		}
		if n != nil {
			all = append(all, n)
		}
	}
	return func(s span) span {
		for _, n := range all {
			s = n(s)
		}
		return s
	}, nil
}

func lowercase(s span) span {
	if strings.IndexFunc(s.text, func(r rune) bool { return unicode.ToLower(r) != r }) < 0 {
		return s
	}
	b := newBuilder(len(s.text))
	for i, r := range s.text {
		if r == 'İ' { // the only one with two
			b.addString("i\u0307", s.from[i])
		} else {
			b.addRune(unicode.ToLower(r), s.from[i])
		}
	}
	return b.span()
}

// dropping leaves out the characters of some classes.
func dropping(classes ...*unicode.RangeTable) normalizer {
	return func(s span) span {
		if strings.IndexFunc(s.text, func(r rune) bool { return unicode.In(r, classes...) }) < 0 {
			return s
		}
		b := newBuilder(len(s.text))
		for i, r := range s.text {
			if !unicode.In(r, classes...) {
				b.addRune(r, s.from[i])
			}
		}
		return b.span()
	}
}

func stripNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Left  *bool `json:"strip_left"`
		Right *bool `json:"strip_right"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	if f.Left == nil || f.Right == nil {
		return nil, errors.New("has no strip_left or no strip_right")
	}
	return func(s span) span {
		start, end := 0, len(s.text)
		if *f.Left {
			start = end - len(strings.TrimLeftFunc(s.text, unicode.IsSpace))
		}
		if *f.Right {
			end = max(start, len(strings.TrimRightFunc(s.text, unicode.IsSpace)))
		}
		return s.slice(start, end)
	}, nil
}

func prependNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Prepend string `json:"prepend"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	return func(s span) span {
		if s.text == "" {
			return s
		}
		return s.prepend(f.Prepend)
	}, nil
}

func replaceNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Pattern *patternJSON `json:"pattern"`
		Content string       `json:"content"`
	}
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	find, err := f.Pattern.finder()
	if err != nil {
		return nil, err
	}
	return func(s span) span { return s.replace(find, f.Content) }, nil
}

// replace puts a text in place of each match.
func (s span) replace(find finder, by string) span {
	start, end := find(s.text)
	if start < 0 {
		return s
	}
	b := newBuilder(len(s.text))
	for start >= 0 {
		b.addSpan(s.slice(0, start))
		b.addString(by, s.from[start])
		s = s.slice(end, len(s.text))
		start, end = find(s.text)
	}
	b.addSpan(s)
	return b.span()
}

func bertNormalizer(raw json.RawMessage) (normalizer, error) {
	var f struct {
		typed
		Clean        bool  `json:"clean_text"`
		IsolateCJK   bool  `json:"handle_chinese_chars"`
		StripAccents *bool `json:"strip_accents"`
		Lowercase    bool  `json:"lowercase"`
	}
	f.Clean, f.IsolateCJK, f.Lowercase = true, true, true
	if err := fields(raw, &f); err != nil {
		return nil, err
	}
	decompose, drop := nfd.normalize, dropping(unicode.Mn)
	return func(s span) span {
		if f.Clean {
			s = cleaned(s)
		}
		if f.IsolateCJK {
			s = withSpacesAround(s, IsCJK)
		}
		if f.StripAccents == nil && f.Lowercase || f.StripAccents != nil && *f.StripAccents {
			s = drop(decompose(s))
		}
		if f.Lowercase {
			s = lowercase(s)
		}
		return s
	}, nil
}

// cleaned drops control characters and makes all white space blanks.
func cleaned(s span) span {
	b := newBuilder(len(s.text))
	for i, r := range s.text {
		switch {
		case IsControl(r):
		case unicode.IsSpace(r):
			b.addRune(' ', s.from[i])
		default:
			b.addRune(r, s.from[i])
		}
	}
	return b.span()
}

func withSpacesAround(s span, is func(rune) bool) span {
	if strings.IndexFunc(s.text, is) < 0 {
		return s
	}
	b := newBuilder(len(s.text))
	for i, r := range s.text {
		if !is(r) {
			b.addRune(r, s.from[i])
			continue
		}
		b.addRune(' ', s.from[i])
		b.addRune(r, s.from[i])
		b.addRune(' ', s.from[i])
	}
	return b.span()
}
