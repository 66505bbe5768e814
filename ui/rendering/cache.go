package rendering

import (
	"container/list"
	"hash/maphash"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
)

// Cache keeps the sections that were used last. Keys of one mean nothing to another.
type Cache struct {
	size     int
	seed     maphash.Seed
	order    *list.List // of *cached, last used first
	sections map[Key]*list.Element
}

type cached struct {
	key     Key
	section *Section
}

// NewCache keeps size sections, some hundred kilobytes each at most.
func NewCache(size int) *Cache {
	return &Cache{size: size, seed: maphash.MakeSeed(), order: list.New(), sections: map[Key]*list.Element{}}
}

// Job prepares the rendering of a section in a form, for lines of width cells, as
// [Width] has them. convert makes markdown of HTML; without it, which is nil, the form
// [HTML] shows the markdown.
func (c *Cache) Job(it *retrieval.Item, f Form, width int, s *theme.Styles, convert func(string) (string, error)) Job {
	job := Job{styles: s, convert: convert, text: it.ChunkText, own: it.ChunkText, page: it.SourceURL}
	html := f == HTML && convert != nil
	if html || f == HTMLSource {
		job.text = it.HTMLText
	}
	hash := maphash.String(c.seed, job.text)
	if html {
		hash ^= maphash.String(c.seed, job.own)
	}
	job.Key = Key{
		id: it.ChunkID, text: hash, form: f, html: html, sent: sentAsHTML(it),
		width: max(width, spans.MinWidth), theme: s.Key,
	}
	return job
}

// Get returns what was put under a key, nil for nothing.
func (c *Cache) Get(k Key) *Section {
	e := c.sections[k]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).section //nolint:forcetypeassert // Put alone fills the list
}

// Put keeps a section under the key of its job.
func (c *Cache) Put(k Key, s *Section) {
	if e := c.sections[k]; e != nil {
		c.order.Remove(e)
	}
	c.sections[k] = c.order.PushFront(&cached{k, s})
	for c.order.Len() > c.size {
		last := c.order.Back()
		delete(c.sections, c.order.Remove(last).(*cached).key) //nolint:forcetypeassert // as above
	}
}
