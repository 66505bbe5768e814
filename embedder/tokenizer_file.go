package embedder

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
	"github.com/webrag/webrag-tui/file"
)

// The ids of tokenizers that are read from a file begin with these. In a corpus the
// hash of the file follows, in settings its path. hf reads every tokenizer.json,
// wordpiece only those of BERT and its descendants; these have the same id by both
// ways.
const (
	wordPiecePrefix   = "wordpiece:"
	huggingFacePrefix = "hf:"
)

// tokenizerFile is what tokenizers are kept in, beside the model.
const tokenizerFile = "tokenizer.json"

// maxTokenizerBytes is beyond any tokenizer.json: those of the largest
// multilingual vocabularies have some 30 MB.
const maxTokenizerBytes = 64 << 20

// HuggingFace is a tokenizer of one of the types BPE (GPT-2, Llama, Qwen, Gemma,
// ModernBERT) and Unigram (XLM-RoBERTa, bge-m3, multilingual E5, T5). It reads the
// tokenizer.json of the model, and refuses a file with any part that it does not
// know, with a sentence that names the part.
//
// Names of added tokens in a text are these tokens, as the model itself would take
// them.
type HuggingFace struct {
	id  string
	tok *huggingface.Tokenizer
}

// modelTokenizer is a tokenizer from a model's own file, whose tokens have numbers.
type modelTokenizer interface {
	Tokenizer
	// each calls yield with the tokens of a text and the bytes where they begin,
	// until it returns false.
	each(text string, yield func(id int32, at int) bool)
	vocabulary() huggingface.Vocabulary
	// special is how many tokens the model gets around a text.
	special() int
}

var (
	_ modelTokenizer = (*WordPiece)(nil)
	_ modelTokenizer = (*HuggingFace)(nil)
)

// LoadTokenizer reads a tokenizer.json, or the one in a folder: a *WordPiece or a
// *HuggingFace, by the type of its model.
func LoadTokenizer(path string) (Tokenizer, error) { return loadModelTokenizer(path) }

func loadModelTokenizer(path string) (modelTokenizer, error) {
	return readTokenizer(path, func(raw []byte) (modelTokenizer, error) {
		t, err := parseHuggingFace(raw)
		if errors.Is(err, huggingface.ErrWordPiece) {
			return parseWordPiece(raw)
		}
		return t, err
	})
}

// readTokenizer reads a file, or the one in a folder, and says in errors which.
func readTokenizer[T any](path string, parse func(raw []byte) (T, error)) (T, error) {
	var none T
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, tokenizerFile)
	}
	raw, err := file.Read(path, maxTokenizerBytes)
	if err != nil {
		return none, fmt.Errorf("load tokenizer: %w", err)
	}
	t, err := parse(raw)
	if err != nil {
		return none, fmt.Errorf("load tokenizer %s: %w", path, err)
	}
	return t, nil
}

func parseHuggingFace(raw []byte) (*HuggingFace, error) {
	tok, err := huggingface.Parse(raw)
	if err != nil {
		return nil, err
	}
	return &HuggingFace{id: huggingFacePrefix + shortHash(raw), tok: tok}, nil
}

// shortHash is the first 8 hexadecimal digits of a file's sha256.
func shortHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return fmt.Sprintf("%x", sum[:4])
}

// TokenizerPathError reports a tokenizer that is named by the hash of its file, as
// corpora do, where the file is needed.
type TokenizerPathError struct{ ID string }

func (e *TokenizerPathError) Error() string {
	return fmt.Sprintf("the file of tokenizer %s is not known; %s", e.ID, TokenizerSetting(e.ID))
}

// TokenizerSetting says how to set the tokenizer with an id, as it stands in a
// corpus: those from a file are known there by its hash only, since the file may be
// anywhere.
func TokenizerSetting(id string) string {
	if !hashedID.MatchString(id) {
		return "set EMBEDDING_TOKENIZER=" + id
	}
	prefix, hash, _ := strings.Cut(id, ":")
	return fmt.Sprintf("set EMBEDDING_TOKENIZER=%s:PATH, where PATH is the tokenizer.json whose sha256 begins with %s", prefix, hash)
}

var hashedID = regexp.MustCompile(`^(` + wordPiecePrefix + `|` + huggingFacePrefix + `)[0-9a-f]{8}$`)

// newFromFile loads the tokenizer that an id has the path of.
func newFromFile(id string) (Tokenizer, error) {
	var t Tokenizer
	var err error
	if path, ok := strings.CutPrefix(id, huggingFacePrefix); ok {
		t, err = LoadTokenizer(path)
	} else {
		t, err = LoadWordPiece(strings.TrimPrefix(id, wordPiecePrefix))
	}
	switch {
	case err == nil:
		return t, nil
	case hashedID.MatchString(id) && errors.Is(err, fs.ErrNotExist):
		return nil, &TokenizerPathError{ID: id}
	}
	return nil, err
}

// ID is "hf:" and the first 8 hexadecimal digits of the file's sha256.
func (t *HuggingFace) ID() string { return t.id }

// Exact is true: the counts are those of the model.
func (t *HuggingFace) Exact() bool { return true }

// Count returns the number of tokens of text, without those that the model gets
// around it.
func (t *HuggingFace) Count(text string) int { return t.tok.Count(text) }

// Starts returns the byte offset of each token of text; it may lie inside a rune,
// where one character is several tokens. White space that is not a part of any
// token belongs to the one before it.
func (t *HuggingFace) Starts(text string) []int {
	starts := make([]int, 0, len(text)/4+1)
	t.tok.Each(text, func(_ int32, at int) bool { starts = append(starts, at); return true })
	return starts
}

func (t *HuggingFace) each(text string, yield func(id int32, at int) bool) { t.tok.Each(text, yield) }

func (t *HuggingFace) vocabulary() huggingface.Vocabulary { return t.tok.Vocabulary }

func (t *HuggingFace) special() int { return t.tok.Special }
