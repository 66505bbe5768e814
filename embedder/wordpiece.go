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
	"unicode/utf8"
)

// wordPiecePrefix begins the ids of WordPiece tokenizers. In a corpus the hash
// of the vocabulary follows, in settings the path of its file.
const wordPiecePrefix = "wordpiece:"

// tokenizerFile is what tokenizers are kept in, beside the model.
const tokenizerFile = "tokenizer.json"

// WordPiece is the tokenizer of BERT and its descendants, among them MiniLM,
// BGE, E5, nomic-embed-text and the static models made of them. It reads the
// tokenizer.json of the model.
//
// Text is cleaned, folded and split at white space and punctuation as that file
// says; each word becomes the longest pieces of the vocabulary, or the unknown
// token if there are none. Names of special tokens in a text are plain text.
type WordPiece struct {
	id    string
	vocab *wordPieceVocabulary
}

var _ Tokenizer = (*WordPiece)(nil)

// LoadWordPiece reads a tokenizer.json, or the one in a folder. Files of other
// models of tokenizers (Unigram, BPE) are refused with their name.
func LoadWordPiece(path string) (*WordPiece, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, tokenizerFile)
	}
	raw, err := readModelFile(path, maxTokenizerBytes)
	if err != nil {
		return nil, fmt.Errorf("load tokenizer: %w", err)
	}
	t, err := parseWordPiece(raw)
	if err != nil {
		return nil, fmt.Errorf("load tokenizer %s: %w", path, err)
	}
	return t, nil
}

func parseWordPiece(raw []byte) (*WordPiece, error) {
	vocab, err := parseTokenizerJSON(raw)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	return &WordPiece{id: fmt.Sprintf("%s%x", wordPiecePrefix, sum[:4]), vocab: vocab}, nil
}

// TokenizerPathError reports a WordPiece tokenizer that is named by its hash,
// as corpora do, where its file is needed.
type TokenizerPathError struct{ ID string }

func (e *TokenizerPathError) Error() string {
	return fmt.Sprintf("the file of tokenizer %s is not known; set EMBEDDING_TOKENIZER=wordpiece:PATH, where PATH is the tokenizer.json whose sha256 begins with %s",
		e.ID, strings.TrimPrefix(e.ID, wordPiecePrefix))
}

var wordPieceID = regexp.MustCompile(`^wordpiece:[0-9a-f]{8}$`)

func newWordPiece(id string) (Tokenizer, error) {
	path := strings.TrimPrefix(id, wordPiecePrefix)
	t, err := LoadWordPiece(path)
	switch {
	case err == nil:
		return t, nil
	case wordPieceID.MatchString(id) && errors.Is(err, fs.ErrNotExist):
		return nil, &TokenizerPathError{ID: id}
	}
	return nil, err
}

// ID is "wordpiece:" and the first 8 hexadecimal digits of the file's sha256.
func (t *WordPiece) ID() string { return t.id }

// Exact is true: the counts are those of the model.
func (t *WordPiece) Exact() bool { return true }

// Count returns the number of tokens of text, without special tokens.
func (t *WordPiece) Count(text string) int {
	n := 0
	t.each(text, func(int32, int) bool { n++; return true })
	return n
}

// Starts returns the byte offset of each token of text. White space belongs to
// the token before it; that before the first token to none. Several tokens may
// begin at one offset, where one character was folded into several.
func (t *WordPiece) Starts(text string) []int {
	starts := make([]int, 0, len(text)/4+1)
	t.each(text, func(_ int32, at int) bool { starts = append(starts, at); return true })
	return starts
}

// each calls yield with the tokens of text and the bytes where they begin, until
// it returns false.
func (t *WordPiece) each(text string, yield func(id int32, at int) bool) {
	w := word{vocab: t.vocab, yield: yield}
	for i, r := range text {
		if !w.add(r, i) {
			return
		}
	}
	w.end()
}

// word collects the folded characters of a word and cuts it into pieces.
type word struct {
	vocab *wordPieceVocabulary
	yield func(id int32, at int) bool
	// folded are the characters, from has for each of their bytes where in the
	// text the character came from, runes counts them all: those beyond the
	// longest word are not kept.
	folded []byte
	from   []int
	runes  int

	ids []int32
	ats []int
}

// add takes the next character of the text. It returns false to stop.
func (w *word) add(r rune, at int) bool {
	f := &w.vocab.folding
	if f.clean {
		// Some white space is made of control characters, and those go first.
		switch {
		case isBertControl(r):
			return true
		case isBertSpace(r):
			return w.end()
		}
	}
	if f.isolateCJK && isBertCJK(r) {
		return w.end() && f.fold(r, func(c rune) bool { w.append(c, at); return true }) && w.end()
	}
	return f.fold(r, func(c rune) bool {
		switch {
		case isBertSpace(c):
			return w.end()
		case isBertPunctuation(c):
			if !w.end() {
				return false
			}
			w.append(c, at)
			return w.end()
		}
		w.append(c, at)
		return true
	})
}

func (w *word) append(c rune, at int) {
	w.runes++
	if w.runes > w.vocab.maxWord && len(w.from) > 0 {
		return
	}
	n := len(w.folded)
	w.folded = utf8.AppendRune(w.folded, c)
	for range len(w.folded) - n {
		w.from = append(w.from, at)
	}
}

// end cuts the word, if there is one, and begins the next.
func (w *word) end() bool {
	if w.runes == 0 {
		return true
	}
	goOn := true
	if w.runes > w.vocab.maxWord || !w.match() {
		goOn = w.yield(w.vocab.unknown, w.from[0])
	} else {
		for i, id := range w.ids {
			if goOn = w.yield(id, w.ats[i]); !goOn {
				break
			}
		}
	}
	w.folded, w.from, w.runes = w.folded[:0], w.from[:0], 0
	return goOn
}

// match finds the longest piece at each place. It returns false when some place
// has none.
func (w *word) match() bool {
	w.ids, w.ats = w.ids[:0], w.ats[:0]
	pieces := w.vocab.first
	for at := 0; at < len(w.folded); pieces = w.vocab.rest {
		end := min(len(w.folded), at+w.vocab.longest)
		id, found := int32(0), false
		for ; end > at; end-- {
			if end < len(w.folded) && !utf8.RuneStart(w.folded[end]) {
				continue
			}
			if id, found = pieces[string(w.folded[at:end])]; found {
				break
			}
		}
		if !found {
			return false
		}
		w.ids, w.ats = append(w.ids, id), append(w.ats, w.from[at])
		at = end
	}
	return true
}
