package store

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLinkText bounds the text of a link in a description, in characters. A card
// that is one link can hold a paragraph.
const maxLinkText = 120

// LinkEdge is the references edge of a hyperlink, from the section that holds it
// to the [LinkTarget] among parents, those of the page that it leads to, in order.
//
// It returns false when the page has no parents, and when the section is the one
// that holds the link. Of source and parents only ids, SectionHeading, Title,
// Anchor and Anchors are read.
func LinkEdge(l Link, source Chunk, parents []Chunk) (Edge, bool) {
	if len(parents) == 0 {
		return Edge{}, false
	}
	return linkEdge(l, source, &parents[LinkTarget(l.Anchor, parents)])
}

func linkEdge(l Link, source Chunk, target *Chunk) (Edge, bool) {
	if target.ID == source.ID {
		return Edge{}, false
	}
	return Edge{
		ID:         EdgeID(source.ID, target.ID, References),
		DocumentID: source.DocumentID, SourceID: source.ID,
		TargetDocumentID: target.DocumentID, TargetID: target.ID,
		Relation: References, Weight: WeightReferences,
		Description: describeLink(l, target), Origin: OriginLink,
	}, true
}

// LinkPage is a page that many links lead to: it finds their targets without a scan
// of the page for each, in which a table of contents would cost the square of its
// length. It is used by one goroutine.
type LinkPage struct {
	// Parents are those of the page, in order. They do not change once an edge was
	// made.
	Parents []Chunk
	// at has the parent of each fragment, nil until a link has one.
	at map[string]int
}

// Edge is [LinkEdge] among the page's parents.
func (p *LinkPage) Edge(l Link, source Chunk) (Edge, bool) {
	if len(p.Parents) == 0 {
		return Edge{}, false
	}
	if l.Anchor != "" && p.at == nil {
		p.index()
	}
	at, found := p.at[l.Anchor]
	if !found || l.Anchor == "" {
		at = pageStart(p.Parents)
	}
	return linkEdge(l, source, &p.Parents[at])
}

// index notes which parent each fragment means: those that hold it come before
// those that begin with it, and of several the first.
func (p *LinkPage) index() {
	p.at = make(map[string]int, len(p.Parents))
	note := func(anchor string, at int) {
		if _, noted := p.at[anchor]; !noted {
			p.at[anchor] = at
		}
	}
	for i := range p.Parents {
		for _, anchor := range p.Parents[i].Anchors {
			note(anchor, i)
		}
	}
	for i := range p.Parents {
		note(p.Parents[i].Anchor, i)
	}
}

// LinkTarget returns which of a page's parents a fragment means: the one that has
// it among its Anchors, else the one whose Anchor it is, else the beginning of the
// page. A section that was cut begins in one parent and gives its Anchor to those
// that go on with it. There must be a parent.
func LinkTarget(anchor string, parents []Chunk) int {
	if anchor == "" {
		return pageStart(parents)
	}
	at := slices.IndexFunc(parents, func(p Chunk) bool { return slices.Contains(p.Anchors, anchor) })
	if at < 0 {
		at = slices.IndexFunc(parents, func(p Chunk) bool { return p.Anchor == anchor })
	}
	if at < 0 {
		return pageStart(parents)
	}
	return at
}

// pageStart is where a link to a whole page arrives: the first parent, or the
// second if only that one stands under the page's title. What comes before a title
// is a banner, which nobody links to.
func pageStart(parents []Chunk) int {
	if len(parents) < 2 || parents[0].SectionHeading != "" {
		return 0
	}
	if title := edgeLabel(parents[1].Title); title != "" && edgeLabel(parents[1].SectionHeading) == title {
		return 1
	}
	return 0
}

// describeLink says in words what a link does.
func describeLink(l Link, target *Chunk) string {
	name := edgeLabel(target.SectionHeading)
	if name == "" {
		name = edgeLabel(target.Title)
	}
	text := "links to this page"
	if name != "" {
		text = `links to "` + name + `"`
	}
	if from := edgeLabel(l.Text); from != "" {
		text += ` from "` + from + `"`
	}
	return text
}

// edgeLabel joins the words of a text with single spaces and cuts what is too long
// for a label.
func edgeLabel(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if utf8.RuneCountInString(s) <= maxLinkText {
		return s
	}
	return strings.TrimSpace(cutRunes(s, maxLinkText-1)) + "…"
}
