// Package words cuts text into the stems that the built-in embedder hashes and
// that its weight table counts.
//
// Every choice in it is part of the vector format builtin-hash-v1: the
// characters that make a word, the stop list, the length limit and the stemmer.
// A change here is a new version of the format, never an edit, because stored
// vectors would silently stop matching new ones.
//
//	var s words.Scanner
//	s.Reset("Retrieving chunks")
//	for s.Next() {
//		if !words.IsStop(s.Word()) {
//			fmt.Println(words.Stem(s.Word()))
//		}
//	}
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// MaxRunes is where a word is cut. Longer runs of letters are data, not words.
const MaxRunes = 64

// Scanner walks through the words of a text. Its zero value is ready for Reset;
// it keeps its buffers between texts. It is for one goroutine.
type Scanner struct {
	text  string // valid UTF-8, NFKC; lowered while scanning
	pos   int
	word  []byte // the current word
	from  int    // its first byte in text
	to    int    // behind its last one
	dense bool

	// While a dense run lasts, prev holds its last rune and word is rewritten
	// to the bigram that ends at the current one.
	run     bool
	prev    rune
	prevAt  int
	paired  bool // a bigram of this run was given out
	scratch []byte
}

// Reset starts on text. Invalid bytes separate words, as U+FFFD does.
func (s *Scanner) Reset(text string) {
	*s = Scanner{text: text, word: s.word[:0], scratch: s.scratch}
	if isASCII(text) {
		return
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if !norm.NFKC.IsNormalString(text) {
		s.scratch = norm.NFKC.AppendString(s.scratch[:0], text)
		text = string(s.scratch)
	}
	s.text = text
}

// Next moves to the next word and says whether there is one.
func (s *Scanner) Next() bool {
	for s.pos < len(s.text) {
		if s.run {
			if s.nextBigram() {
				return true
			}
			continue
		}
		r, size := s.rune()
		if !isWordRune(r) {
			s.pos += size
			continue
		}
		if isDense(r) {
			s.run, s.prev, s.prevAt, s.paired = true, r, s.pos, false
			s.pos += size
			if s.pos == len(s.text) {
				break
			}
			continue
		}
		s.plain()
		return true
	}
	return s.endRun()
}

// Word returns the current word in lower case, at most MaxRunes runes. Dense
// words are bigrams, or a lone rune. It is overwritten by Next.
func (s *Scanner) Word() []byte { return s.word }

// Dense says that the current word comes from a script written without spaces.
// Such words are neither stemmed nor spelled out in character grams.
func (s *Scanner) Dense() bool { return s.dense }

// plain reads a run of letters, marks and digits up to its end, keeping the
// first MaxRunes runes.
func (s *Scanner) plain() {
	s.read()
	s.to = s.pos
}

func (s *Scanner) read() {
	s.word, s.from, s.dense = s.word[:0], s.pos, false
	for n := 0; s.pos < len(s.text); n++ {
		if c := s.text[s.pos]; c < utf8.RuneSelf {
			c = asciiWord[c]
			if c == 0 {
				return
			}
			if n < MaxRunes {
				s.word = append(s.word, c)
			}
			s.pos++
			continue
		}
		r, size := s.rune()
		if !isWordRune(r) || isDense(r) && !unicode.IsMark(r) {
			return
		}
		if n < MaxRunes {
			s.word = utf8.AppendRune(s.word, r)
		}
		s.pos += size
	}
}

// nextBigram takes one more rune of a dense run. It returns false when the run
// ended without a word; a lone rune is a word.
func (s *Scanner) nextBigram() bool {
	r, size := s.rune()
	if !isWordRune(r) || !isDense(r) && !unicode.IsMark(r) {
		return s.endRun()
	}
	s.word, s.dense = utf8.AppendRune(utf8.AppendRune(s.word[:0], s.prev), r), true
	s.from, s.to = s.prevAt, s.pos+size
	s.prev, s.prevAt, s.paired = r, s.pos, true
	s.pos += size
	return true
}

// endRun leaves a dense run and gives out its rune if it had only one.
func (s *Scanner) endRun() bool {
	lone := s.run && !s.paired
	s.run = false
	if lone {
		s.word, s.dense = utf8.AppendRune(s.word[:0], s.prev), true
		s.from, s.to = s.prevAt, s.pos
	}
	return lone
}

// rune decodes the lower-cased rune at the current position.
func (s *Scanner) rune() (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s.text[s.pos:])
	return unicode.ToLower(r), size
}

// Stem returns the Porter2 stem of a plain word.
func Stem(word []byte) string { return english.Stem(string(word), false) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[byte(r)] != 0
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nd, r)
}

// isDense reports the scripts that put no spaces between words.
func isDense(r rune) bool {
	// U+0E00 is the lowest of them; most text never passes this line.
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// asciiWord maps an ASCII letter or digit to its lower case, all else to 0.
var asciiWord = [256]byte{
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
	'a': 'a', 'b': 'b', 'c': 'c', 'd': 'd', 'e': 'e', 'f': 'f', 'g': 'g', 'h': 'h', 'i': 'i', 'j': 'j',
	'k': 'k', 'l': 'l', 'm': 'm', 'n': 'n', 'o': 'o', 'p': 'p', 'q': 'q', 'r': 'r', 's': 's', 't': 't',
	'u': 'u', 'v': 'v', 'w': 'w', 'x': 'x', 'y': 'y', 'z': 'z',
	'A': 'a', 'B': 'b', 'C': 'c', 'D': 'd', 'E': 'e', 'F': 'f', 'G': 'g', 'H': 'h', 'I': 'i', 'J': 'j',
	'K': 'k', 'L': 'l', 'M': 'm', 'N': 'n', 'O': 'o', 'P': 'p', 'Q': 'q', 'R': 'r', 'S': 's', 'T': 't',
	'U': 'u', 'V': 'v', 'W': 'w', 'X': 'x', 'Y': 'y', 'Z': 'z',
}
