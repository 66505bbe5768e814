package embedder

import (
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
)

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

// LoadWordPiece reads a tokenizer.json, or the one in a folder. Files of other
// models of tokenizers (Unigram, BPE) are refused with their name; LoadTokenizer
// reads these, too.
func LoadWordPiece(path string) (*WordPiece, error) { return readTokenizer(path, parseWordPiece) }

func parseWordPiece(raw []byte) (*WordPiece, error) {
	vocab, err := parseTokenizerJSON(raw)
	if err != nil {
		return nil, err
	}
	return &WordPiece{id: wordPiecePrefix + shortHash(raw), vocab: vocab}, nil
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

func (t *WordPiece) vocabulary() huggingface.Vocabulary {
	v := t.vocab
	return huggingface.Vocabulary{Size: v.size, Highest: v.highest, MedianRunes: v.medianRunes, Unknown: v.unknown}
}

func (t *WordPiece) special() int { return t.vocab.special }

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
		case huggingface.IsControl(r):
			return true
		case isBertSpace(r):
			return w.end()
		}
	}
	if f.isolateCJK && huggingface.IsCJK(r) {
		return w.end() && f.fold(r, func(c rune) bool { w.append(c, at); return true }) && w.end()
	}
	return f.fold(r, func(c rune) bool {
		switch {
		case isBertSpace(c):
			return w.end()
		case huggingface.IsPunctuation(c):
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
