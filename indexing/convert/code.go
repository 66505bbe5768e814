package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/webrag/webrag-tui/store"
)

// maxFence is how long the fence of a code block may be: each piece of the block looks
// for its end.
const maxFence = 1000

// code writes a code block. Its fence is longer than any run of backticks in it, or
// where that is too long, of tildes.
func (c *converter) code(n *html.Node) {
	var b strings.Builder
	var notes preNotes
	notes.text(&b, n)
	text := strings.Trim(b.String(), "\n")
	if isBlank(text) {
		return
	}
	sign, fence := byte('`'), max(3, longestRun(text, '`')+1)
	if fence > maxFence {
		sign, fence = '~', max(3, longestRun(text, '~')+1)
	}
	if fence > maxFence {
		c.err = errAmplified
		return
	}
	from := strings.Index(b.String(), text)
	c.begin(kindPre, n, n, store.HasCode).number = c.indent()
	c.line()
	for range fence {
		c.buf = append(c.buf, sign)
	}
	c.buf = append(c.buf, codeLanguage(n, text)...)
	for line := range strings.SplitSeq(text, "\n") {
		if !c.step() {
			break
		}
		from += len(line) + len("\n")
		notes.place(c, from, len(c.buf)+len("\n"))
		if line == "" {
			c.buf = append(c.buf, '\n')
			c.blank()
			continue
		}
		c.next()
		c.buf = append(c.buf, line...)
	}
	c.next()
	for range fence {
		c.buf = append(c.buf, sign)
	}
	c.done()
	c.end()
}

// preText writes the text of a pre element as it stands.
func preText(b *strings.Builder, n *html.Node) { (*preNotes)(nil).text(b, n) }

// preNotes are the links and the fragments inside a pre element, whose text has
// no room for them, by their offsets in that text. A nil one takes no notes.
type preNotes struct {
	ids   []Target
	links []preLink
}

type preLink struct {
	at         int
	href, text string
}

// text writes the text of an element of program text.
func (p *preNotes) text(b *strings.Builder, n *html.Node) {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		switch {
		case ch.Type == html.TextNode:
			b.WriteString(unixLines(ch.Data))
		case ch.Type != html.ElementNode || isPermalink(ch):
		case ch.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			from := b.Len()
			if id := attr(ch, "id"); p != nil && id != "" {
				p.ids = append(p.ids, Target{At: from, ID: id})
			}
			p.text(b, ch)
			if href := attr(ch, "href"); p != nil && ch.DataAtom == atom.A && href != "" {
				p.links = append(p.links, preLink{from, href, b.String()[from:]})
			}
			if isBlock(ch) && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
}

// place gives what stands before an offset of the text to the line at an offset
// of the markdown.
func (p *preNotes) place(c *converter, before, at int) {
	for len(p.ids) > 0 && p.ids[0].At < before {
		c.targets = append(c.targets, Target{At: at, ID: p.ids[0].ID})
		p.ids = p.ids[1:]
	}
	for len(p.links) > 0 && p.links[0].at < before && c.linked <= min(c.maxOut, maxLinked) {
		l := p.links[0]
		p.links = p.links[1:]
		target, anchor := c.resolver.resolve(l.href)
		if text := strings.Join(strings.Fields(l.text), " "); text != "" && (target != "" || anchor != "") {
			c.keepLink(Link{At: at, TargetURL: target, Anchor: anchor, Text: text})
		}
	}
}

// unixLines replaces carriage returns, which only character references bring.
func unixLines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// codeLanguage is the language of a code block, lower case, or empty: what its
// own class, its code element or up to three ancestors say, else Python for an
// interactive session.
func codeLanguage(pre *html.Node, text string) string {
	for n, i := pre, 0; n != nil && i <= 3; n, i = n.Parent, i+1 {
		if lang, ok := languageClass(n); ok {
			if lang != "" {
				return lang
			}
			break
		}
		if n != pre {
			continue
		}
		if code := firstElement(pre); code != nil && code.DataAtom == atom.Code {
			if lang, ok := languageClass(code); ok && lang != "" {
				return lang
			}
		}
	}
	if strings.HasPrefix(text, ">>> ") {
		return "python"
	}
	return ""
}

// languageClass reads the language from the class or data-lang attribute of an
// element. ok is true when it names one, also one that means none.
func languageClass(n *html.Node) (lang string, ok bool) {
	if l := attr(n, "data-lang"); l != "" {
		return languageName(l), true
	}
	brush := false
	eachToken(attr(n, "class"), func(token string) bool {
		switch {
		case brush:
			lang, ok = token, true
		case token == "brush:":
			brush = true
		case strings.HasPrefix(token, "brush:"):
			lang, ok = token[len("brush:"):], true
		case strings.HasPrefix(token, "language-"):
			lang, ok = token[len("language-"):], true
		case strings.HasPrefix(token, "highlight-source-"):
			lang, ok = token[len("highlight-source-"):], true
		case strings.HasPrefix(token, "highlight-"):
			lang, ok = token[len("highlight-"):], true
		case strings.HasPrefix(token, "lang-"):
			lang, ok = token[len("lang-"):], true
		}
		return !ok
	})
	return languageName(strings.TrimRight(lang, ";,")), ok
}

// languageName makes names of the same language equal. A name that is none, or
// that would not be one word after a fence, is empty.
func languageName(s string) string {
	const longest = 24
	s = strings.ToLower(s)
	if len(s) > longest {
		return ""
	}
	for i := range len(s) {
		if b := s[i]; !isLetter(b) && (b < '0' || b > '9') && b != '+' && b != '#' && b != '-' && b != '.' && b != '_' {
			return ""
		}
	}
	switch s {
	case "python3", "python2", "py", "py3", "pycon", "pycon3", "ipython", "ipython3", "ipythonconsole":
		return "python"
	case "none", "text", "default", "plaintext", "plain", "txt", "nohighlight", "guess":
		return ""
	}
	return s
}
