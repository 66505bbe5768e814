package store

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// maxTermRunes bounds a term. Longer runs are hashes and encoded data: a word
// is cut to this length, a longer identifier is kept only in its parts.
const maxTermRunes = 64

// maxStems bounds the stem cache of an [Analyzer], at about 100 bytes a stem.
// English technical prose of any size uses fewer distinct words than this, so
// that only hostile text ever empties the cache.
const maxStems = 1 << 16

// Terms returns the keyword terms of a text, in order and with repetitions.
// Indexing and queries use this one function, so that they agree.
//
// The rule, of which every part is frozen with the indexes that it made:
//
//   - Invalid UTF-8 becomes U+FFFD; the text is brought to NFKC and lower case.
//   - A word is a maximal run of letters, marks, decimal digits and underscores.
//     Everything else separates, so "sklearn.tree" is two words.
//   - A word of several parts joined by underscores yields itself, unstemmed
//     and with single underscores, if it is at most 64 characters long; then its
//     parts: "max_depth" is max_depth, max, depth. CamelCase is not split.
//   - A part in a script written without spaces (Han, Hiragana, Katakana, Thai,
//     Lao, Khmer, Myanmar) yields its overlapping pairs of characters, or itself
//     if it has but one. Such runs and others separate from each other; a mark
//     belongs to the run before it.
//   - Any other part is cut to 64 characters, dropped if it is in the stop list,
//     else stemmed with Porter2 for English.
//
// So a term consists of letters, marks, digits and underscores only.
func Terms(text string) []string {
	return appendTerms(nil, text, stem)
}

// Analyzer makes the same terms as [Terms], remembering stems: stemming is most
// of the work when whole pages are indexed. The zero value is ready, and it may
// be used from several goroutines.
type Analyzer struct {
	mu    sync.RWMutex
	stems map[string]string
}

// Terms returns the keyword terms of text; see [Terms] for the rule.
func (a *Analyzer) Terms(text string) []string {
	return appendTerms(nil, text, a.stem)
}

// Name fills in the terms of what a child is called: HeadingTerms from its
// HeadingPath and TitleTerms from its Title. The outermost heading of a page often
// repeats the title, or its part without the name of the site: such a one is no
// heading beside it.
func (a *Analyzer) Name(c *Chunk) {
	title := a.Terms(c.Title)
	path := c.HeadingPath
	if len(path) > 0 && !slices.ContainsFunc(a.Terms(path[0]), func(t string) bool { return !slices.Contains(title, t) }) {
		path = path[1:]
	}
	c.HeadingTerms = strings.Join(a.Terms(strings.Join(path, "\n")), " ")
	c.TitleTerms = strings.Join(title, " ")
}

func (a *Analyzer) stem(word string) string {
	a.mu.RLock()
	s, ok := a.stems[word]
	a.mu.RUnlock()
	if ok {
		return s
	}
	// The word is a piece of a page; without the copy the cache would keep the
	// page alive.
	word = strings.Clone(word)
	s = stem(word)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stems == nil || len(a.stems) >= maxStems {
		a.stems = make(map[string]string)
	}
	a.stems[word] = s
	return s
}

func stem(word string) string { return english.Stem(word, false) }

func appendTerms(terms []string, text string, stem func(string) string) []string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ToLower(norm.NFKC.String(text))
	for len(text) > 0 {
		start := strings.IndexFunc(text, isWordRune)
		if start < 0 {
			break
		}
		text = text[start:]
		end := strings.IndexFunc(text, isSeparator)
		if end < 0 {
			end = len(text)
		}
		terms = appendWord(terms, text[:end], stem)
		text = text[end:]
	}
	return terms
}

// appendWord adds the terms of one word: of the whole if underscores join
// several parts, and of each part.
func appendWord(terms []string, word string, stem func(string) string) []string {
	if !strings.Contains(word, "_") {
		return appendPart(terms, word, stem)
	}
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == '_' })
	if len(parts) > 1 {
		whole := strings.Join(parts, "_")
		if utf8.RuneCountInString(whole) <= maxTermRunes {
			terms = append(terms, whole)
		}
	}
	for _, part := range parts {
		terms = appendPart(terms, part, stem)
	}
	return terms
}

// appendPart splits a part into dense and other runs and adds their terms.
func appendPart(terms []string, part string, stem func(string) string) []string {
	for len(part) > 0 {
		dense, end := leadingRun(part)
		run := part[:end]
		part = part[end:]
		switch {
		case dense:
			terms = appendPairs(terms, run)
		default:
			run = cutRunes(run, maxTermRunes)
			if !isStopWord(run) {
				terms = append(terms, stem(run))
			}
		}
	}
	return terms
}

// leadingRun returns the kind and the length in bytes of the run that s starts
// with.
func leadingRun(s string) (dense bool, end int) {
	for i, r := range s {
		if i > 0 && unicode.IsMark(r) {
			continue
		}
		d := isDense(r)
		if i == 0 {
			dense = d
		} else if d != dense {
			return dense, i
		}
	}
	return dense, len(s)
}

// appendPairs adds the overlapping pairs of characters of a dense run.
func appendPairs(terms []string, run string) []string {
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		return append(terms, run)
	}
	for start, next := 0, first; next < len(run); {
		_, size := utf8.DecodeRuneInString(run[next:])
		terms = append(terms, run[start:next+size])
		start, next = next, next+size
	}
	return terms
}

func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func isSeparator(r rune) bool { return !isWordRune(r) }

func isDense(r rune) bool {
	if r < 0x0E00 { // Thai, the first of these scripts
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
