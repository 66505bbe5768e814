package indexing

import (
	"html"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// maxWords is how many words of a text are aligned, some 6 MB of prose.
const maxWords = 1 << 20

// word is a byte range of a text with a word in it. The number is that of the
// word in the vocabulary. A loose word is one that converters are known to leave
// out or to write otherwise: of a formula, or of what stands for an image.
type word struct {
	from, to int32
	number   int32
	loose    bool
}

// vocabulary numbers words.
type vocabulary map[string]int32

func (v vocabulary) number(s string) int32 {
	n, ok := v[s]
	if !ok {
		n = int32(len(v))
		v[strings.Clone(s)] = n
	}
	return n
}

// words returns what a reader sees of the text, in order, as far as all
// converters agree about it: letters and digits in lower case, without the
// addresses of links, the signs of markdown, numbers of list items, languages of
// code blocks, elements and entities of HTML.
func (p *page) words(v vocabulary) []word {
	r := wordReader{page: p, vocabulary: v, out: make([]word, 0, min(len(p.text)/6, maxWords))}
	for i := range p.blocks {
		r.block(&p.blocks[i])
	}
	r.loosen()
	return r.out
}

type wordReader struct {
	*page
	vocabulary vocabulary
	out        []word
	hole       int // the next of the page's holes
	// from and to are of the word being read, buf is its folded text.
	from, to int
	buf      []byte
}

func (r *wordReader) block(b *block) {
	code := b.kind == kindFence || b.kind == kindIndented
	from := b.start
	if b.kind == kindFence {
		from = min(lineEnd(r.text, r.contentStart(b)), b.content)
	}
	lineStart := from
	for i := from; i < b.content; {
		for r.hole < len(r.holes) && r.holes[r.hole].to <= i {
			r.hole++
		}
		switch {
		case r.hole < len(r.holes) && r.holes[r.hole].from <= i && !code:
			r.end()
			i = r.holes[r.hole].to
		case i == lineStart && !code && b.kind != kindHeading && afterMarker(r.text, i, b.content) > i:
			r.end()
			i = afterMarker(r.text, i, b.content)
		case r.text[i] == '\n':
			r.end()
			i++
			lineStart = i
		default:
			i = r.rune(i, b.content, code)
		}
	}
	r.end()
}

// maxMarkup is the longest element or address, in bytes, that is left out.
const maxMarkup = 2048

var (
	elementPattern = regexp.MustCompile(`^</?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*)?>`)
	entityPattern  = regexp.MustCompile(`^&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
	addressPattern = regexp.MustCompile(`^://[^\s<>()\[\]"` + "`" + `]+`)
)

// rune reads on at byte i and returns where the next begins.
func (r *wordReader) rune(i, to int, code bool) int {
	c := r.text[i]
	if !code {
		ahead := r.text[i:min(to, i+maxMarkup)]
		switch c {
		case '<':
			if m := elementPattern.FindStringSubmatch(ahead); m != nil && atom.Lookup([]byte(strings.ToLower(m[1]))) != 0 {
				r.end()
				return i + len(m[0])
			}
		case '&':
			if m := entityPattern.FindString(ahead); m != "" {
				for _, d := range html.UnescapeString(m) {
					r.add(d, i, i+len(m))
				}
				return i + len(m)
			}
		case ':':
			if m := addressPattern.FindString(ahead); m != "" {
				r.buf = r.buf[:0]
				return i + len(m)
			}
		}
	}
	if c < utf8.RuneSelf {
		r.add(rune(c), i, i+1)
		return i + 1
	}
	d, n := utf8.DecodeRuneInString(r.text[i:])
	r.add(d, i, i+n)
	return i + n
}

// add appends a character to the word that is being read, or ends it.
func (r *wordReader) add(d rune, from, to int) {
	switch {
	case d < utf8.RuneSelf && ('a' <= d && d <= 'z' || '0' <= d && d <= '9'):
	case unicode.Is(unicode.Cf, d):
		return // a soft hyphen, a joiner
	case unicode.Is(unicode.M, d):
		if len(r.buf) == 0 {
			return
		}
	case alone(d):
		r.end()
		defer r.end()
	case unicode.IsLetter(d) || unicode.IsNumber(d):
		d = unicode.ToLower(d)
	default:
		r.end()
		return
	}
	if len(r.buf) == 0 {
		r.from = from
	}
	r.buf = utf8.AppendRune(r.buf, d)
	r.to = to
}

// alone reports the characters that are words by themselves: of scripts that are
// written without spaces, and symbols such as emoji.
func alone(d rune) bool {
	return d >= 0x0E00 && unicode.In(d, unicode.So, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func (r *wordReader) end() {
	if len(r.buf) == 0 {
		return
	}
	if len(r.out) < maxWords {
		r.out = append(r.out, word{from: int32(r.from), to: int32(r.to), number: r.vocabulary.number(string(r.buf))})
	}
	r.buf = r.buf[:0]
}

// loosen marks the words of formulas and of images.
func (r *wordReader) loosen() {
	for _, m := range r.marks {
		if m.image {
			r.loose(m.labelStart, m.labelEnd)
		}
	}
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.kind == kindFence || b.kind == kindIndented || strings.IndexByte(r.text[b.start:b.content], '$') < 0 {
			continue
		}
		for _, m := range formulas(r.text[b.start:b.content]) {
			r.loose(b.start+m[0], b.start+m[1])
		}
	}
}

func (r *wordReader) loose(from, to int) {
	for i := wordAt(r.out, from); i < len(r.out) && int(r.out[i].from) < to; i++ {
		r.out[i].loose = true
	}
}

// wordAt returns the index of the first word that begins at a byte offset or
// after it.
func wordAt(words []word, at int) int {
	return sort.Search(len(words), func(i int) bool { return int(words[i].from) >= at })
}
