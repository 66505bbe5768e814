package citations

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as a hasty reader takes it, one byte for each character that
// is seen: entities are what they stand for, look-alikes the character that they
// look like, capitals small, and what is not seen is left out.
type folded struct {
	text []byte
	// from and to are where each of its bytes comes from.
	from, to []int
}

// What stands for a character that no marker has, and for a digit.
const (
	otherRune = '?'
	digitRune = '0'
)

// fold folds a text. With tags, elements of HTML are left out too.
func fold(text string, tags bool) folded {
	f := folded{text: make([]byte, 0, len(text)), from: make([]int, 0, len(text)), to: make([]int, 0, len(text))}
	for i := 0; i < len(text); {
		if tags && text[i] == '<' {
			if n := len(element.FindString(text[i:min(len(text), i+maxElement)])); n > 0 {
				i += n
				continue
			}
		}
		start := i
		if text[i] == '\\' && i+1 < len(text) && unicode.IsPunct(rune(text[i+1])) {
			i++
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '&' {
			if named, length := decodeEntity(text[i:]); length > 0 {
				r, n = named, length
			}
		}
		i += n
		if c := foldRune(r); c != 0 {
			f.text, f.from, f.to = append(f.text, c), append(f.from, start), append(f.to, i)
		}
	}
	return f
}

// maxElement bounds an element of HTML, in bytes.
const maxElement = 512

var (
	element = regexp.MustCompile(`^</?[A-Za-z!][^<>]*>`)
	entity  = regexp.MustCompile(`^&(?:#[0-9]{1,9}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z]{2,24});?`)
)

// decodeEntity returns the character of the entity that a text begins with, and
// its length in bytes, 0 when there is none.
func decodeEntity(text string) (r rune, length int) {
	const longest = 32
	if text == "" || text[0] != '&' {
		return 0, 0
	}
	name := entity.FindString(text[:min(len(text), longest)])
	if decoded := html.UnescapeString(name); decoded != name && utf8.RuneCountInString(decoded) == 1 {
		r, _ = utf8.DecodeRuneInString(decoded)
		return r, len(name)
	}
	return 0, 0
}

// foldRune is the byte of a character, 0 for one that is not seen. The marks of
// emphasis count as unseen.
func foldRune(r rune) byte {
	if r >= utf8.RuneSelf {
		r = foldWide(r)
	}
	switch {
	case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
		return '\n'
	case unicode.IsSpace(r):
		return ' '
	case strings.ContainsRune("*_`~", r), isUnseen(r):
		return 0
	case unicode.IsNumber(r):
		return digitRune
	case r >= utf8.RuneSelf:
		return otherRune
	default:
		return byte(unicode.ToLower(r))
	}
}

// isUnseen says that a character leaves no trace: controls, formats, marks on
// others, and the fillers that Unicode counts as letters.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point)
}

// foldWide maps a character beyond ASCII to the one of ASCII that it looks like.
// Forms that differ in width or style are the same by Unicode's compatibility; the
// others are those that a marker or a fence could be made of.
func foldWide(r rune) rune {
	if small, ok := lookAlikes[r]; ok {
		return small
	}
	if r < 0x2000 || r >= 0x3040 && r < 0xfb00 {
		return r
	}
	one, n := utf8.DecodeRuneInString(norm.NFKC.String(string(r)))
	if n > 0 && one < utf8.RuneSelf {
		return one
	}
	return r
}

// lookAlikes are characters of other kinds that look like one of ASCII.
var lookAlikes = func() map[rune]rune {
	m := map[rune]rune{}
	for small, alike := range map[rune]string{
		'[': "【〔〖〘〚⟦⁅❲⦋⦍⦏⟬", ']': "】〕〗〙〛⟧⁆❳⦌⦎⦐⟭",
		'<': "‹〈⟨❮〈❰", '>': "›〉⟩❯〉❱", '/': "∕⁄⧸",
		':': "։׃܃ː˸∶ꓽ꞉", 's': "ѕЅꜱſ", 'o': "оОοΟօ", 'u': "υцսᴜ", 'r': "гᴦꭇ", 'c': "сСϲᴄ", 'e': "еЕεҽᴇ",
		'x': "хХχ", 'p': "рРρ", 't': "тТτ", 'l': "ӏ", 'd': "ԁ",
	} {
		for _, r := range alike {
			m[r] = small
		}
	}
	return m
}()
