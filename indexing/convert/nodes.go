package convert

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNodes is how many nodes a page may be parsed into, at some 200 bytes each with
// what is kept of them here. A page of the greatest size in which each word of
// highlighted code is an element has half as many.
const maxNodes = 1_500_000

var errNodes = errors.New("the page has too many elements")

// checkNodes fails when a page would be parsed into more than maxNodes nodes. A
// parser opens formats that were not closed again in each paragraph that follows
// (the HTML standard, 13.2.4.3), so that the tree of a page can be a hundred times
// its size: each text and element counts as many nodes more as formats are open.
func checkNodes(page string) error {
	// n tags, half of them formats that the others open again, make n²/4 nodes.
	if n := strings.Count(page, "<"); n < 2000 {
		return nil
	}
	z := html.NewTokenizer(strings.NewReader(page))
	nodes := 0
	open := formats{byTag: map[string]int{}, tags: map[atom.Atom][]string{}}
	for nodes <= maxNodes {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.TextToken:
			nodes += 1 + open.n
		case html.StartTagToken, html.SelfClosingTagToken:
			nodes += 1 + open.n
			open.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			open.end(atom.Lookup(name))
		}
	}
	return errNodes
}

// formats counts the formats that are open, of equal ones at most three, as parsers
// do.
type formats struct {
	n     int
	byTag map[string]int
	tags  map[atom.Atom][]string
}

func (f *formats) start(z *html.Tokenizer) {
	name, _ := z.TagName()
	a := atom.Lookup(name)
	switch a {
	case atom.A, atom.Nobr: // one ends the one before
		f.end(a)
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
	default:
		return
	}
	tag := string(z.Raw())
	if f.byTag[tag] == 3 {
		return
	}
	f.byTag[tag]++
	f.tags[a] = append(f.tags[a], tag)
	f.n++
}

func (f *formats) end(a atom.Atom) {
	tags := f.tags[a]
	if len(tags) == 0 {
		return
	}
	last := tags[len(tags)-1]
	if f.tags[a] = tags[:len(tags)-1]; f.byTag[last] == 1 {
		delete(f.byTag, last)
	} else {
		f.byTag[last]--
	}
	f.n--
}
