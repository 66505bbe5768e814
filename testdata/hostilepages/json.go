package hostilepages

import (
	"fmt"
	"strconv"
	"strings"
)

func jsonPages() []Page {
	line := func(name, before, text, after string) Page {
		return repeat(".jsonl", "JSON: "+name, `{"url":"https://h.example/",`+before, text, after+"}\n")
	}
	both := func(name, html, markdown string) Page {
		const format = "{\"url\":\"https://h.example/\",\"html\":%q,\"markdown\":%q}\n"
		return Page{Name: "JSON: " + name, Ext: ".jsonl", Make: func(bytes int) string {
			n := (bytes - len(format)) / 2
			fill := func(text string) string { return strings.Repeat(text, max(1, n/(len(strconv.Quote(text))-len(`""`)))) }
			return fmt.Sprintf(format, fill(html), fill(markdown))
		}}
	}
	return []Page{
		line("lists", `"markdown":"a","metadata":`, "[", ""),
		line("objects", `"markdown":"a","metadata":`, `{"a":`, ""),
		line("metadata", `"markdown":"a","metadata":{"a":"`, "a", `"}`),
		line("tags", `"markdown":"a","tags":["a"`, `,"a"`, "]"),
		line("aliases", `"markdown":"a","url_aliases":["a"`, `,"a"`, "]"),
		line("links", `"markdown":"a","links":[{}`, `,{"url":"b"}`, "]"),
		count(".jsonl", "JSON: links, all different", `{"url":"https://h.example/","markdown":"a","links":[{}`, `,{"url":"b%d"}`, "]}\n"),
		line("a long title over short sections", `"markdown":"`+strings.Repeat(`## a\nb\n`, 4000)+`","title":"`, "long ", `"`),
		line("a long address", `"markdown":"`+strings.Repeat(`## a\n[b](c)\n`, 4000)+`","source_url":"https://h.example/`, "long", `"`),
		both("one word in both", "a ", "a "),
		both("different words", "<p>a b c ", "c b a d "),
		both("open formulas in both", `<p>\( $a$ `, `\( $a$ `),
		both("headings in both", "<h2>a</h2>b", "## a\nb\n"),
	}
}
