// Package hostilepages makes pages that were written to exhaust whoever indexes
// them: each holds a great many of one thing, nests it, or names one thing so often
// that what is made of the page outgrows it. They are for tests that bound memory,
// at any size.
package hostilepages

import (
	"fmt"
	"strings"
)

// Page is a hostile page. Ext is the extension of its file, with the dot. Make
// returns a page of about so many bytes, never more unless so few cannot hold it;
// the same size gives the same page.
type Page struct {
	Name, Ext string
	Make      func(bytes int) string
}

// All returns the pages: HTML, markdown, and lines of JSON.
func All() []Page { return append(append(htmlPages(), markdownPages()...), jsonPages()...) }

// repeat fills a page with a text over and over.
func repeat(ext, name, before, text, after string) Page {
	return Page{Name: name, Ext: ext, Make: func(bytes int) string {
		return before + strings.Repeat(text, max(1, (bytes-len(before)-len(after))/len(text))) + after
	}}
}

// count fills a page with a text that holds %d, the numbers from 0 on.
func count(ext, name, before, text, after string) Page {
	return Page{Name: name, Ext: ext, Make: func(bytes int) string {
		var b strings.Builder
		b.Grow(bytes)
		b.WriteString(before)
		for i := 0; ; i++ {
			part := strings.ReplaceAll(text, "%d", fmt.Sprint(i))
			if i > 0 && b.Len()+len(part)+len(after) > bytes {
				break
			}
			b.WriteString(part)
		}
		b.WriteString(after)
		return b.String()
	}}
}

// halves fills the first half of a page with one long thing and the second with
// many that repeat it.
func halves(ext, name, before, long, between, text, after string) Page {
	return Page{Name: name, Ext: ext, Make: func(bytes int) string {
		n := (bytes - len(before) - len(between) - len(after)) / 2
		return before + strings.Repeat(long, max(1, n/len(long))) + between + strings.Repeat(text, max(1, n/len(text))) + after
	}}
}

// numbered is the text with %d once for each number up to n.
func numbered(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// deeper is the sign once before a text, then twice, up to n times.
func deeper(sign, text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(sign, i+1) + text)
	}
	return b.String()
}
