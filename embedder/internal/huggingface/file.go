package huggingface

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"unicode/utf8"
)

// Vocabulary says what tokens there are.
type Vocabulary struct {
	// Size counts all tokens, those that only the list of added tokens has
	// included; Highest is the largest number of a token.
	Size, Highest int
	// MedianRunes is the median length of the names of all tokens in characters,
	// rounded down.
	MedianRunes int
	// Unknown is the token of a byte-pair encoding for what has none, -1 if there is
	// no such token. Of a Unigram model it is -1: there the unknown token is a token
	// like others.
	Unknown int32

	names map[string]int64
}

func (v *Vocabulary) add(name string, id int64) error {
	if id < 0 || id >= math.MaxInt32 {
		return fmt.Errorf("has the token %s with the number %d", Quote(name), id)
	}
	v.names[name] = id
	v.Highest = max(v.Highest, int(id))
	return nil
}

// finish counts, and lets go of the names.
func (v *Vocabulary) finish() {
	v.Size = len(v.names)
	lengths := make([]int, 0, len(v.names))
	for name := range v.names {
		lengths = append(lengths, utf8.RuneCountInString(name))
	}
	v.names = nil
	v.MedianRunes = Median(lengths)
}

// Median returns the middle of some numbers, rounded down if there are two; 0 of
// none. It sorts them.
func Median(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	half := len(numbers) / 2
	if len(numbers)%2 == 1 {
		return numbers[half]
	}
	return (numbers[half-1] + numbers[half]) / 2
}

// fileJSON is a tokenizer.json. Truncation and padding are for those who feed the
// model, and the decoder is for those who read from it.
type fileJSON struct {
	Version       json.RawMessage `json:"version"`
	Truncation    json.RawMessage `json:"truncation"`
	Padding       json.RawMessage `json:"padding"`
	AddedTokens   json.RawMessage `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
	Model         json.RawMessage `json:"model"`
}

// ErrWordPiece is the error for a tokenizer.json that has a WordPiece model, or a
// model without a type, as old files of such models have it.
var ErrWordPiece = errors.New("its model is WordPiece")

// Parse reads a tokenizer.json with a model of type BPE or Unigram; for one of type
// WordPiece the error is ErrWordPiece. Whatever part of the file is not known is an
// error that names it.
func Parse(raw []byte) (*Tokenizer, error) {
	var file fileJSON
	if err := fields(raw, &file); err != nil {
		return nil, fmt.Errorf("it is not a tokenizer.json that can be used: it %w", err)
	}
	kind, err := typeOf(file.Model)
	if kind == "WordPiece" || errors.Is(err, errNoType) {
		return nil, ErrWordPiece
	}
	if err != nil {
		return nil, fmt.Errorf("its model %w", err)
	}
	t := &Tokenizer{Vocabulary: Vocabulary{Unknown: noToken, names: map[string]int64{}}}
	if t.normalize, err = newNormalizer(file.Normalizer); err != nil {
		return nil, fmt.Errorf("its normalizer %w", err)
	}
	if t.pre, err = newPreTokenizer(file.PreTokenizer); err != nil {
		return nil, fmt.Errorf("its pre_tokenizer %w", err)
	}
	if t.Special, err = SpecialTokens(file.PostProcessor); err != nil {
		return nil, fmt.Errorf("its post_processor %w", err)
	}
	if err = t.readModel(kind, file.Model); err != nil {
		return nil, fmt.Errorf("its model %w", err)
	}
	if err = t.readAdded(file.AddedTokens); err != nil {
		return nil, fmt.Errorf("its list of added_tokens %w", err)
	}
	t.Vocabulary.finish()
	t.free = make(chan *memory, runtime.GOMAXPROCS(0))
	return t, nil
}

func (t *Tokenizer) readModel(kind string, raw json.RawMessage) (err error) {
	switch kind {
	case "BPE":
		b, err := newBytePairs(raw, t.pre.byteLevel, &t.Vocabulary)
		if err != nil {
			return err
		}
		t.model, t.cut = b, b.cut()
	case "Unigram":
		if t.pre.byteLevel {
			return errors.New("is Unigram, which is not known with ByteLevel")
		}
		if t.model, err = newUnigram(raw, &t.Vocabulary); err != nil {
			return err
		}
	case "":
		return errors.New("is missing")
	default:
		return fmt.Errorf("is %s; those that can be used are BPE, Unigram and WordPiece", Quote(kind))
	}
	if len(t.Vocabulary.names) == 0 {
		return errors.New("has no vocabulary")
	}
	return nil
}

func (t *Tokenizer) readAdded(raw json.RawMessage) error {
	if isNull(raw) {
		return nil
	}
	var all []*addedToken
	if err := fields(raw, &all); err != nil {
		return err
	}
	for _, a := range all {
		if a == nil {
			return errors.New("has an empty entry")
		}
		if id, ok := t.Vocabulary.names[a.Content]; ok {
			a.ID = id // the model's own number counts
		}
		if err := t.Vocabulary.add(a.Content, a.ID); err != nil {
			return err
		}
		if !a.Normalized {
			t.added.add(a.Content, a)
			continue
		}
		name := spanOf(a.Content)
		if t.normalize != nil {
			name = t.normalize(name)
		}
		t.addedNormalized.add(name.text, a)
	}
	return nil
}
