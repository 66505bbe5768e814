package embedder

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
)

// wordPieceVocabulary is what a tokenizer.json says.
type wordPieceVocabulary struct {
	// first are the pieces that begin a word, rest those that go on with it,
	// without their prefix.
	first, rest map[string]int32
	unknown     int32
	// longest is the length of the longest piece in bytes, maxWord that of the
	// longest word in characters: longer ones are unknown.
	longest, maxWord int
	// size counts all tokens, those that only the file's list of added tokens
	// has included; highest is the largest id.
	size, highest int
	// medianRunes is the median length of all tokens in characters, prefixes
	// included, rounded down.
	medianRunes int
	// special is how many tokens the model gets around a text.
	special int
	folding folding
}

type tokenizerJSON struct {
	AddedTokens []struct {
		ID      int64  `json:"id"`
		Content string `json:"content"`
	} `json:"added_tokens"`
	Normalizer   *normalizerJSON `json:"normalizer"`
	PreTokenizer *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         struct {
		Type    string          `json:"type"`
		Unknown *string         `json:"unk_token"`
		Prefix  *string         `json:"continuing_subword_prefix"`
		MaxWord *int            `json:"max_input_chars_per_word"`
		Vocab   json.RawMessage `json:"vocab"`
	} `json:"model"`
}

type normalizerJSON struct {
	Type         string `json:"type"`
	Clean        *bool  `json:"clean_text"`
	IsolateCJK   *bool  `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"`
	Lowercase    *bool  `json:"lowercase"`
}

func parseTokenizerJSON(raw []byte) (*wordPieceVocabulary, error) {
	var file tokenizerJSON
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("it is not a tokenizer.json: %w", err)
	}
	switch file.Model.Type {
	case "WordPiece":
	case "":
		return nil, errors.New("it does not name the type of its model; WordPiece is the one that can be used")
	default:
		return nil, fmt.Errorf("its model is %s, not WordPiece; EMBEDDING_TOKENIZER=%sPATH reads others", quoteShort(file.Model.Type), huggingFacePrefix)
	}
	if p := file.PreTokenizer; p == nil || p.Type != "BertPreTokenizer" {
		name := "none"
		if p != nil {
			name = quoteShort(p.Type)
		}
		return nil, fmt.Errorf("its pre_tokenizer is %s; only BertPreTokenizer can be used", name)
	}
	v := &wordPieceVocabulary{maxWord: valueOr(file.Model.MaxWord, 100)}
	if v.maxWord < 1 {
		return nil, fmt.Errorf("its max_input_chars_per_word is %d, not positive", v.maxWord)
	}
	var err error
	if v.folding, err = file.Normalizer.folding(); err != nil {
		return nil, err
	}
	var tokens map[string]int64
	if err := json.Unmarshal(file.Model.Vocab, &tokens); err != nil || len(tokens) == 0 {
		return nil, errors.New("its vocabulary is not an object of tokens and their numbers")
	}
	if err := v.addTokens(tokens, valueOr(file.Model.Prefix, "##")); err != nil {
		return nil, err
	}
	unknown := valueOr(file.Model.Unknown, "[UNK]")
	id, ok := tokens[unknown]
	if !ok {
		return nil, fmt.Errorf("its vocabulary lacks the unknown token %s", quoteShort(unknown))
	}
	v.unknown = int32(id)
	for _, added := range file.AddedTokens {
		if _, known := tokens[added.Content]; known {
			continue
		}
		if err := v.count(added.Content, added.ID); err != nil {
			return nil, err
		}
		tokens[added.Content] = added.ID
	}
	v.medianRunes = medianRunes(tokens)
	if v.special, err = huggingface.SpecialTokens(file.PostProcessor); err != nil {
		return nil, fmt.Errorf("its post_processor %w", err)
	}
	return v, nil
}

func (n *normalizerJSON) folding() (folding, error) {
	if n == nil {
		return folding{}, nil
	}
	if n.Type != "BertNormalizer" {
		return folding{}, fmt.Errorf("its normalizer is %s; only BertNormalizer can be used", quoteShort(n.Type))
	}
	f := folding{clean: valueOr(n.Clean, true), isolateCJK: valueOr(n.IsolateCJK, true), lowercase: valueOr(n.Lowercase, true)}
	f.stripAccents = valueOr(n.StripAccents, f.lowercase)
	return f, nil
}

func (v *wordPieceVocabulary) addTokens(tokens map[string]int64, prefix string) error {
	v.first, v.rest = make(map[string]int32, len(tokens)), make(map[string]int32, len(tokens)/4)
	seen := make(map[int64]bool, len(tokens))
	for token, id := range tokens {
		if err := v.count(token, id); err != nil {
			return err
		}
		if seen[id] {
			return fmt.Errorf("two tokens of its vocabulary have the number %d", id)
		}
		seen[id] = true
		v.longest = max(v.longest, len(token))
		v.first[token] = int32(id)
		if piece, ok := strings.CutPrefix(token, prefix); ok && piece != "" {
			v.rest[piece] = int32(id)
		}
	}
	return nil
}

func (v *wordPieceVocabulary) count(token string, id int64) error {
	if id < 0 || id >= math.MaxInt32 {
		return fmt.Errorf("token %s has the number %d", quoteShort(token), id)
	}
	v.size++
	v.highest = max(v.highest, int(id))
	return nil
}

func medianRunes(tokens map[string]int64) int {
	lengths := make([]int, 0, len(tokens))
	for token := range tokens {
		lengths = append(lengths, utf8.RuneCountInString(token))
	}
	return huggingface.Median(lengths)
}

func valueOr[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

// quoteShort quotes a word of a file that others wrote, so that it can stand in
// an error.
func quoteShort(s string) string { return huggingface.Quote(s) }
