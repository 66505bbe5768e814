package hostilepages

import "strings"

func markdownPages() []Page {
	rep := strings.Repeat
	one := func(name, text string) Page { return repeat(".md", "markdown: "+name, "", text, "") }
	return []Page{
		one("headings", "# a\n"),
		one("headings and a letter", "## a\nb\n"),
		one("paragraphs", "a\n\n"),
		one("lines", "a\n"),
		halves(".md", "markdown: a heading of half the page", "# ", "long ", "\n\n", "## a\nb\n", ""),
		halves(".md", "markdown: a fence with a long head", "```", "long ", "\n", "a b c\n", "```\n"),
		halves(".md", "markdown: a table with a long head", "| ", "long ", " | b |\n|---|---|\n", "| a | b |\n", ""),
		one("underlines", "a\n=\n"),
		one("rules", "a\n\n---\n\n"),
		one("quotation signs", "> "),
		one("quotations", rep("> ", 500)+"a\n"),
		one("list signs", "- "),
		one("lists", rep("- ", 500)+"a\n"),
		repeat(".md", "markdown: list signs before a letter", "", "- ", "a"),
		halves(".md", "markdown: list signs before spaces", "", "- ", "a", " ", "\n"),
		halves(".md", "markdown: signs of all containers", "", "- > 1. + * 2)\t", "a\n", "      > a\n", ""),
		repeat(".md", "markdown: lists that each line enters deeper", "", deeper("  ", "- a\n", 100), ""),
		repeat(".md", "markdown: quotations that each line enters deeper", "", deeper("> ", "a\n", 100), ""),
		one("code blocks", "```\na\n```\n"),
		one("open fences", "```a\n"),
		one("open brackets", "["),
		one("brackets", "[]"),
		one("open links", "[a]("),
		one("links", "[a](b) "),
		count(".md", "markdown: links, all different", "", "[a](b%d) ", ""),
		one("open images", "!["),
		one("images", "![a](b) "),
		one("thumbnails", "[![a](b)](c)\n\n"),
		count(".md", "markdown: definitions", "", "[a%d]: b\n", ""),
		halves(".md", "markdown: a definition of half the page", "[a]: ", "long", "\n\n", "[a] ", ""),
		halves(".md", "markdown: a definition over underlines", "[", "long ", "]: b\n", "=\n", ""),
		one("footnotes", "[^a] [^a]: "),
		one("stars", "*"),
		one("emphasis of two kinds", "*a_"),
		one("emphasis in headings", "# "+rep("*a*", 60)+"\n"),
		one("backticks", "`"),
		one("backticks of two lengths", "` `` "),
		repeat(".md", "markdown: backticks of growing length", "", deeper("`", " a ", 100), ""),
		one("dollars", "$"),
		one("entities", "&amp;lt;"),
		one("addresses without an end", "<http://a"),
		one("open elements", "<a "),
		one("open comments", "<!--"),
		one("elements of HTML", "<a href='b' id='c'>d</a>\n"),
		repeat(".md", "markdown: columns", "", "| a ", "|\n"),
		Page{Name: "markdown: a wide table", Ext: ".md", Make: func(bytes int) string {
			n := max(1, (bytes-len("|\n|\n"))/8)
			return rep("| a ", n) + "|\n" + rep("|---", n) + "|\n"
		}},
		repeat(".md", "markdown: rows", "| a | b |\n|---|---|\n", "| a | b |\n", ""),
		one("one word", "a"),
		one("Chinese", "中"),
		one("no letter", ". "),
		repeat(".md", "markdown: form feeds", "", "\f", "a"),
		Page{Name: "markdown: aliases in the front matter", Ext: ".md", Make: func(bytes int) string {
			var b strings.Builder
			b.WriteString("---\nl0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n")
			for i := 1; i < 12; i++ {
				at, of := string(rune('0'+i/10))+string(rune('0'+i%10)), string(rune('0'+(i-1)/10))+string(rune('0'+(i-1)%10))
				if i == 1 {
					of = "0"
				}
				b.WriteString("l" + at + ": &l" + at + " [" + strings.TrimSuffix(rep("*l"+of+", ", 10), ", ") + "]\n")
			}
			b.WriteString("---\n")
			return b.String() + rep("a ", max(1, (bytes-b.Len())/2))
		}},
		repeat(".md", "markdown: tags in the front matter", "---\ntags: [a", ", a", "]\n---\nb\n"),
		repeat(".md", "markdown: lists in the front matter", "---\na: ", "[", "\n---\nb\n"),
	}
}
