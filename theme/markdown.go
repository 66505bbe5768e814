package theme

import "charm.land/glamour/v2/ansi"

// markdown styles rendered text with the colours of a palette; a palette without
// colours gives a style that shows structure by signs alone.
func markdown(p palette) ansi.StyleConfig {
	colour := func(c string) *string {
		if c == "" {
			return nil
		}
		return &c
	}
	yes := ptr(true)
	heading := func(underline, bold, italic bool) ansi.StyleBlock {
		return ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{
			Underline: ptr(underline), Bold: ptr(bold), Italic: ptr(italic),
		}}
	}
	cfg := ansi.StyleConfig{
		Document: ansi.StyleBlock{Margin: ptr(uint(0))},
		BlockQuote: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{},
			Indent:         ptr(uint(1)), IndentToken: ptr("│ "),
		},
		List: ansi.StyleList{LevelIndent: 2},
		Heading: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{
			BlockSuffix: "\n",
		}},
		// Levels differ in lines and weight, because marks take colours away, and
		// the accent is for links.
		H1: heading(true, true, false), H2: heading(true, true, false), H3: heading(false, true, false),
		H4: heading(false, true, true), H5: heading(false, false, true), H6: heading(false, false, true),
		Strikethrough: ansi.StylePrimitive{CrossedOut: yes},
		Emph:          ansi.StylePrimitive{Italic: yes},
		Strong:        ansi.StylePrimitive{Bold: yes},
		HorizontalRule: ansi.StylePrimitive{
			Color: colour(p.rule), Format: "\n────────\n",
		},
		Item:        ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Task:        ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		LinkText:    ansi.StylePrimitive{Color: colour(p.accent), Underline: yes},
		ImageText:   ansi.StylePrimitive{Color: colour(p.faint), Format: "▣ {{.text}}"},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(p.code)}},
		CodeBlock: ansi.StyleCodeBlock{
			StyleBlock: ansi.StyleBlock{
				StylePrimitive: ansi.StylePrimitive{Color: colour(p.code)},
				Margin:         ptr(uint(2)),
			},
		},
		Table: ansi.StyleTable{
			CenterSeparator: ptr("┼"), ColumnSeparator: ptr("│"), RowSeparator: ptr("─"),
		},
		DefinitionTerm:        ansi.StylePrimitive{Bold: yes},
		DefinitionDescription: ansi.StylePrimitive{BlockPrefix: "\n  "},
	}
	if p == (palette{}) {
		// Signs stand for what others say with colours.
		cfg.Code.Prefix, cfg.Code.Suffix = "`", "`"
		cfg.ImageText.Format = "[image: {{.text}}]"
		return cfg
	}
	for _, c := range []string{p.text, p.code, p.keyword, p.literal, p.comment, p.function, p.up, p.down} {
		if c != "" && c[0] != '#' {
			return cfg // the highlighter of code takes "#rrggbb" only
		}
	}
	ink := func(c string) ansi.StylePrimitive { return ansi.StylePrimitive{Color: colour(c)} }
	cfg.CodeBlock.Chroma = &ansi.Chroma{
		Text: ink(p.text), Comment: ink(p.comment), CommentPreproc: ink(p.comment),
		Keyword: ink(p.keyword), KeywordReserved: ink(p.keyword), KeywordNamespace: ink(p.keyword),
		KeywordType: ink(p.keyword), NameTag: ink(p.keyword), NameBuiltin: ink(p.function),
		NameFunction: ink(p.function), NameClass: ink(p.function), NameDecorator: ink(p.function),
		NameAttribute: ink(p.code), LiteralNumber: ink(p.literal), LiteralString: ink(p.literal),
		LiteralStringEscape: ink(p.literal), GenericDeleted: ink(p.down), GenericInserted: ink(p.up),
		GenericEmph: ansi.StylePrimitive{Italic: yes}, GenericStrong: ansi.StylePrimitive{Bold: yes},
	}
	return cfg
}

func ptr[T any](v T) *T { return &v }
