package indexing

import (
	"maps"
	"regexp"
	"slices"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// tidy makes single lines of what a page, its front matter or a line of JSON says
// about the document: a stored control character would reach every terminal and
// every report, and nobody searches for one. Empty tags and keys leave, and so
// does the one that is this package's own and what is beyond all measure.
func tidy(d *store.Document) {
	for _, s := range []*string{&d.Title, &d.Description, &d.Language, &d.PublishedTime, &d.ModifiedTime} {
		*s = offset.Folded(*s)
	}
	d.Title = shorten(d.Title, maxHeading)
	var tags []string
	for _, tag := range d.Tags {
		if tag = shorten(offset.Folded(tag), source.MaxTag); tag != "" && !slices.Contains(tags, tag) && len(tags) < source.MaxNotes {
			tags = append(tags, tag)
		}
	}
	d.Tags = tags
	var metadata map[string]string
	for _, key := range slices.Sorted(maps.Keys(d.Metadata)) {
		name := offset.Folded(key)
		if name == "" || name == rootKey || len(name) > source.MaxKey || len(metadata) == source.MaxNotes {
			continue
		}
		if metadata == nil {
			metadata = map[string]string{}
		}
		metadata[name] = shorten(offset.Folded(d.Metadata[key]), source.MaxValue)
	}
	d.Metadata = metadata
}

// userinfo matches the user and the password of an address (RFC 3986, 3.2.1), with
// the scheme before them.
var userinfo = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@`)

// withoutUser takes the user and the password off a page's address: they are how
// somebody came to the page, and no part of which page it is.
func withoutUser(address string) string { return userinfo.ReplaceAllString(address, "$1") }
