package spans

import (
	"regexp"
	"strings"

	"charm.land/glamour/v2/ansi"
)

// hang is how far the lines of a list item stand to the right of its bullet.
const hang = 2

// hangLists makes room for it. glamour puts the lines of an item below its
// bullet; so lists are indented as a whole, and outdent brings the bullets back.
func hangLists(l *ansi.StyleList) {
	if l.IndentToken != nil && *l.IndentToken != " " {
		return
	}
	indent := uint(hang)
	if l.Indent != nil {
		indent += *l.Indent
	}
	l.Indent = &indent
}

// bullets matches what a theme writes in front of list items.
func bullets(theme *ansi.StyleConfig) *regexp.Regexp {
	item := theme.Item.BlockPrefix + theme.Item.Prefix
	number := theme.Enumeration.BlockPrefix + theme.Enumeration.Prefix
	var signs []string
	for _, sign := range []string{item, theme.Task.Ticked, theme.Task.Unticked} {
		if sign = strings.TrimSpace(sign); sign != "" {
			signs = append(signs, regexp.QuoteMeta(sign))
		}
	}
	signs = append(signs, `\d+`+regexp.QuoteMeta(strings.TrimSpace(number)))
	return regexp.MustCompile(`^(?:` + strings.Join(signs, "|") + `)(?: |$)`)
}

// outdent moves bullets left to where the list begins. They have no source and
// stand before all that has.
func (l *layout) outdent(theme *ansi.StyleConfig) {
	if t := theme.List.IndentToken; t != nil && *t != " " {
		return
	}
	bullet := bullets(theme)
	for i := range l.rows {
		r := &l.rows[i]
		for j, g := range r.glyphs {
			if p := l.places[i][j]; p.start < p.end {
				break
			}
			if g.blank || j < hang || !r.glyphs[j-1].blank || !r.glyphs[j-2].blank || !bullet.MatchString(r.text[g.off:]) {
				continue
			}
			l.places[i] = r.without(l.places[i], func(at, _ int) bool { return at < j && at >= j-hang })
			break
		}
	}
}
