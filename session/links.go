package session

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/store"
)

// LinkReader follows links inside the corpus. It is called from several
// goroutines.
type LinkReader interface {
	// Links returns the links of a section in the order of its page, at most
	// [mostLinks], with the section of the corpus that each leads to.
	Links(ctx context.Context, id string) ([]SectionLink, error)
	// SectionByURL returns, with its texts, the section that an address means:
	// the one of its fragment, else the beginning of the page. It fails with a
	// [NoSectionError] when the corpus does not have the page.
	SectionByURL(ctx context.Context, url string) (store.Chunk, error)
}

// SectionLink is a link in the text of a section.
type SectionLink struct {
	// Text is what is linked; it may be empty.
	Text string
	// URL is the absolute address, with its fragment.
	URL string
	// Target is the section that the link leads to, nil for one outside of the
	// corpus.
	Target *SectionName
}

// mostLinks bounds the links that are listed of a section: lists of all pages of
// a site lead everywhere.
const mostLinks = 300

func (r reader) Links(ctx context.Context, id string) (links []SectionLink, err error) {
	err = r.view(ctx, func(v store.View) error {
		found, err := v.Chunks(ctx, []string{id}, store.FieldText)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return sectionGone(id)
		}
		from := &found[0]
		var all []store.Link
		if _, missing := r.store.Info().Missing[store.CapLinks]; missing {
			all = linksIn(from)
		} else if all, err = v.Links(ctx, from.DocumentID); err != nil {
			return err
		}
		targets := map[string]*SectionName{}
		for _, l := range all {
			one := SectionLink{Text: l.Text, URL: l.TargetURL}
			if l.Anchor != "" {
				one.URL += "#" + l.Anchor
			}
			if l.ChunkID != id || slices.ContainsFunc(links, func(o SectionLink) bool { return o.Text == one.Text && o.URL == one.URL }) {
				continue
			}
			target, known := targets[one.URL]
			if !known {
				if target, err = r.named(ctx, v, one.URL); err != nil {
					return err
				}
				targets[one.URL] = target
			}
			one.Target = target
			if links = append(links, one); len(links) == mostLinks {
				break
			}
		}
		return nil
	})
	return links, err
}

// named is the section that an address means, nil outside of the corpus.
func (r reader) named(ctx context.Context, v store.View, url string) (*SectionName, error) {
	found, _, err := v.Find(ctx, store.FindQuery{SourceURL: url, Level: store.Parent, Limit: 1})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	c := &found[0]
	n := &SectionName{ChunkID: c.ID, SourceURL: c.SourceURL, Title: c.Title, Headings: c.HeadingPath, Anchor: c.Anchor}
	if len(n.Headings) == 0 && c.SectionHeading != "" {
		n.Headings = []string{c.SectionHeading}
	}
	return n, nil
}

func (r reader) SectionByURL(ctx context.Context, url string) (section store.Chunk, err error) {
	err = r.view(ctx, func(v store.View) error {
		n, err := r.named(ctx, v, url)
		if err != nil {
			return err
		}
		if n == nil {
			page, _, _ := strings.Cut(url, "#")
			return &NoSectionError{URL: page}
		}
		found, err := v.Chunks(ctx, []string{n.ChunkID}, store.FieldText|store.FieldHTML)
		if err == nil && len(found) == 0 {
			err = sectionGone(n.ChunkID)
		}
		if err == nil {
			section = found[0]
		}
		return err
	})
	return section, err
}

// markdownLink matches links and images of markdown, and bare addresses. Titles
// and reference definitions are left to corpora that keep their links.
var markdownLink = regexp.MustCompile(`(!?)\[([^\[\]]*)\]\(<?([^()<>\s]+)|<?(https?://[^\s<>)\]]+)`)

// linksIn finds the links in the markdown of a section whose corpus keeps none.
func linksIn(c *store.Chunk) []store.Link {
	var links []store.Link
	for _, m := range markdownLink.FindAllStringSubmatch(c.ChunkText, -1) {
		if m[1] == "!" {
			continue
		}
		target, anchor := convert.Resolve(c.SourceURL, cmp.Or(m[3], m[4]))
		if target != "" {
			links = append(links, store.Link{ChunkID: c.ID, TargetURL: target, Anchor: anchor, Text: m[2]})
		}
	}
	return links
}
