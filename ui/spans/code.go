package spans

import (
	"bytes"
	"strconv"
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

const resetStyle = "\x1b[m"

// token is a piece of code with the sequence that colours it, empty for none.
type token struct{ text, open string }

// highlighter colours code as a theme asks. glamour would do it itself, but
// keeps the colours of the first theme it ever rendered with in a global
// registry, so a second theme would get the first one's.
type highlighter struct {
	style *chroma.Style // nil for themes without syntax colours
	open  map[chroma.TokenType]string
}

func newHighlighter(theme *ansi.StyleConfig) *highlighter {
	h := &highlighter{open: map[chroma.TokenType]string{}}
	switch {
	case theme.CodeBlock.Chroma != nil:
		// A style that does not parse costs the colours, not the text.
		h.style, _ = chroma.NewStyle("theme", chromaEntries(theme.CodeBlock.Chroma))
	case theme.CodeBlock.Theme != "":
		h.style = styles.Get(theme.CodeBlock.Theme)
	}
	return h
}

// tokens splits code; joined, the tokens are the code.
func (h *highlighter) tokens(language string, c code) []token {
	text := string(c.text)
	plain := []token{{text: text}}
	if h.style == nil {
		return plain
	}
	lexer := lexers.Fallback
	if l := lexers.Get(language); language != "" && l != nil {
		lexer = chroma.Coalesce(l)
	}
	next, err := lexer.Tokenise(nil, text)
	if err != nil {
		return plain
	}
	var (
		tokens []token
		length int
	)
	for t := next(); t != chroma.EOF; t = next() {
		value := t.Value
		if length+len(value) > len(text) {
			value = strings.TrimSuffix(value, "\n") // lexers end the last line
		}
		if !strings.HasPrefix(text[length:], value) {
			return plain
		}
		length += len(value)
		open := ""
		if strings.TrimSpace(value) != "" {
			open = h.sequence(t.Type)
		}
		tokens = append(tokens, token{text: value, open: open})
	}
	if length != len(text) {
		return plain
	}
	return tokens
}

// sequence returns the SGR sequence of a kind of token. Block backgrounds are
// the theme's business, so the style's own background colour is left out.
func (h *highlighter) sequence(t chroma.TokenType) string {
	if s, ok := h.open[t]; ok {
		return s
	}
	e := h.style.Get(t)
	var params []string
	for _, p := range []struct {
		on    chroma.Trilean
		param string
	}{{e.Bold, "1"}, {e.Italic, "3"}, {e.Underline, "4"}} {
		if p.on == chroma.Yes {
			params = append(params, p.param)
		}
	}
	if e.Colour.IsSet() {
		params = append(params, "38;2;"+rgb(e.Colour))
	}
	if e.Background.IsSet() && e.Background != h.style.Get(chroma.Background).Background {
		params = append(params, "48;2;"+rgb(e.Background))
	}
	s := ""
	if len(params) > 0 {
		s = "\x1b[" + strings.Join(params, ";") + "m"
	}
	h.open[t] = s
	return s
}

func rgb(c chroma.Colour) string {
	var b bytes.Buffer
	for i, v := range []uint8{c.Red(), c.Green(), c.Blue()} {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(strconv.Itoa(int(v)))
	}
	return b.String()
}

func chromaEntries(c *ansi.Chroma) chroma.StyleEntries {
	return chroma.StyleEntries{
		chroma.Text:                chromaEntry(c.Text),
		chroma.Error:               chromaEntry(c.Error),
		chroma.Comment:             chromaEntry(c.Comment),
		chroma.CommentPreproc:      chromaEntry(c.CommentPreproc),
		chroma.Keyword:             chromaEntry(c.Keyword),
		chroma.KeywordReserved:     chromaEntry(c.KeywordReserved),
		chroma.KeywordNamespace:    chromaEntry(c.KeywordNamespace),
		chroma.KeywordType:         chromaEntry(c.KeywordType),
		chroma.Operator:            chromaEntry(c.Operator),
		chroma.Punctuation:         chromaEntry(c.Punctuation),
		chroma.Name:                chromaEntry(c.Name),
		chroma.NameBuiltin:         chromaEntry(c.NameBuiltin),
		chroma.NameTag:             chromaEntry(c.NameTag),
		chroma.NameAttribute:       chromaEntry(c.NameAttribute),
		chroma.NameClass:           chromaEntry(c.NameClass),
		chroma.NameConstant:        chromaEntry(c.NameConstant),
		chroma.NameDecorator:       chromaEntry(c.NameDecorator),
		chroma.NameException:       chromaEntry(c.NameException),
		chroma.NameFunction:        chromaEntry(c.NameFunction),
		chroma.NameOther:           chromaEntry(c.NameOther),
		chroma.Literal:             chromaEntry(c.Literal),
		chroma.LiteralNumber:       chromaEntry(c.LiteralNumber),
		chroma.LiteralDate:         chromaEntry(c.LiteralDate),
		chroma.LiteralString:       chromaEntry(c.LiteralString),
		chroma.LiteralStringEscape: chromaEntry(c.LiteralStringEscape),
		chroma.GenericDeleted:      chromaEntry(c.GenericDeleted),
		chroma.GenericEmph:         chromaEntry(c.GenericEmph),
		chroma.GenericInserted:     chromaEntry(c.GenericInserted),
		chroma.GenericStrong:       chromaEntry(c.GenericStrong),
		chroma.GenericSubheading:   chromaEntry(c.GenericSubheading),
		chroma.Background:          chromaEntry(c.Background),
	}
}

// chromaEntry spells a style in chroma's notation: "#rrggbb bg:#rrggbb bold".
func chromaEntry(p ansi.StylePrimitive) string {
	var words []string
	if p.Color != nil {
		words = append(words, *p.Color)
	}
	if p.BackgroundColor != nil {
		words = append(words, "bg:"+*p.BackgroundColor)
	}
	for _, w := range []struct {
		on   *bool
		word string
	}{{p.Italic, "italic"}, {p.Bold, "bold"}, {p.Underline, "underline"}} {
		if w.on != nil && *w.on {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}
