package convert_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/store"
)

func ExampleConvert() {
	page, err := convert.Convert(context.Background(), `<main>
		<h1 id="tea">Tea</h1>
		<p>Boil <a href="water.html">water</a>.</p>
		<ol><li>Pour it.</li><li>Wait.</li></ol>
	</main>`, convert.Options{URL: "https://example.org/kitchen/tea.html"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(page.Markdown)
	start := strings.Index(page.Markdown, "2.")
	html, _ := page.HTML(start, len(page.Markdown))
	fmt.Println(html, page.Flags(start, len(page.Markdown)) == store.HasSteps, page.Anchors[0])
	// Output:
	// # Tea
	//
	// Boil [water](https://example.org/kitchen/water.html).
	//
	// 1. Pour it.
	// 2. Wait.
	// <ol start="2">
	// <li>Wait.</li>
	// </ol> true tea
}

func ExampleResolve() {
	fmt.Println(convert.Resolve("https://example.org/guide/a.html", "../b.html#c"))
	fmt.Println(convert.Resolve("file:guide/part/a.html", "../b.html"))
	// Output:
	// https://example.org/b.html c
	// file:guide/b.html
}

func ExampleReadHead() {
	head := convert.ReadHead(`<html lang="en"><title>Tea</title><meta name="author" content="Ann"><body>...`)
	fmt.Println(head.Title, head.Language, head.Meta["author"])
	// Output: Tea en Ann
}
