package webragtest

const site = "https://docs.example.com/"

// Page is a page of the corpus, as it was before the indexer cut it. Its text is in
// no database.
type Page struct {
	// Name is what the page is there for.
	Name, SourceURL, Markdown string
}

// Pages are the pages of every vintage:
//
//   - guide: text before the first section; three blank lines between paragraphs
//   - windows: line ends of Windows, so that headings end in a carriage return
//   - shell: a comment in a code block that looks like a heading and cuts the block
//   - limits: a paragraph over the ceiling of parents, each sentence a child
//   - flat: no headings; parents of four children; no title
//   - signs: characters beyond the first plane; a sentence of doubled spaces whose
//     words are children
//   - pictures: an image, and a table with its HTML
func Pages() []Page {
	pages := []Page{
		{Name: "guide", SourceURL: site + "guide/"},
		{Name: "windows", SourceURL: site + "guide/windows"},
		{Name: "shell", SourceURL: site + "guide/shell"},
		{Name: "limits", SourceURL: site + "guide/limits"},
		{Name: "flat", SourceURL: site + "blog/first-flight"},
		{Name: "signs", SourceURL: site + "guide/signs"},
		{Name: "pictures", SourceURL: site + "guide/pictures"},
	}
	for i := range pages {
		pages[i].Markdown = read("pages/" + pages[i].Name + ".md")
	}
	return pages
}
