package spans

import (
	"errors"
	"reflect"
	"strings"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"
)

// ErrChangesCase refuses a theme that writes some text in upper, lower or title
// case: it would change the sequences inside the text too, and marked text
// would no longer read as its source.
var ErrChangesCase = errors.New("theme changes the case of text")

// primitives calls visit for each style of a theme. Styles behind pointers,
// which a copy of the theme shares, are left out.
func primitives(theme *ansi.StyleConfig, visit func(*ansi.StylePrimitive)) {
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		if p, ok := v.Addr().Interface().(*ansi.StylePrimitive); ok {
			visit(p)
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Struct {
				walk(f)
			}
		}
	}
	walk(reflect.ValueOf(theme).Elem())
}

func changesCase(theme ansi.StyleConfig) bool {
	found := false
	on := func(b *bool) bool { return b != nil && *b }
	primitives(&theme, func(p *ansi.StylePrimitive) {
		found = found || on(p.Upper) || on(p.Lower) || on(p.Title)
	})
	return found
}

// shownTheme is the theme for the rendering that is shown: as asked for, but
// with quotes that fit and items that hang, and without syntax colours, which the text of code
// blocks already carries.
func shownTheme(theme ansi.StyleConfig) ansi.StyleConfig {
	fitQuotes(&theme.BlockQuote)
	hangLists(&theme.List)
	// The arrow points at an address, which is not shown.
	theme.ImageText.Format = strings.TrimSuffix(theme.ImageText.Format, " →")
	b := &theme.CodeBlock
	if b.Theme == "" && b.Chroma == nil {
		return theme
	}
	// glamour leaves these out too when it highlights.
	b.StylePrimitive = ansi.StylePrimitive{BlockPrefix: b.BlockPrefix, BlockSuffix: b.BlockSuffix}
	b.Theme, b.Chroma = "", nil
	return theme
}

// fitQuotes makes the lines of quotes as long as the width allows. glamour writes
// the token once for each cell of indent and margin, and takes one cell for each
// of indent and two for each of margin from the width: a bar with a blank behind
// it counts right as margin only. Longer tokens are cut to that.
func fitQuotes(b *ansi.StyleBlock) {
	var times uint
	for _, n := range []*uint{b.Indent, b.Margin} {
		if n != nil {
			times += *n
		}
	}
	none := uint(0)
	b.Indent, b.Margin = &times, &none
	if b.IndentToken == nil || xansi.StringWidth(*b.IndentToken) < 2 {
		return
	}
	token := xansi.Truncate(*b.IndentToken, 2, "")
	b.IndentToken, b.Indent, b.Margin = &token, &none, &times
}

// bareTheme is the theme for the rendering that is decoded: the same layout
// without colours and attributes, which makes it several times faster.
func bareTheme(theme ansi.StyleConfig) ansi.StyleConfig {
	theme = shownTheme(theme)
	primitives(&theme, func(p *ansi.StylePrimitive) {
		*p = ansi.StylePrimitive{
			BlockPrefix: p.BlockPrefix, BlockSuffix: p.BlockSuffix,
			Prefix: p.Prefix, Suffix: p.Suffix,
			Format: p.Format,
		}
	})
	return theme
}
