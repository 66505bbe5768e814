package reader

import (
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/view"
)

// textsKept is how many fetched sections are kept, some kilobytes each.
const textsKept = 64

// texts are those of sections that no result carries, such as those under a cut: a new
// ranking of the same evidence need not fetch them again.
type texts struct {
	kept view.Latest[store.Chunk]
	// of is the item that was asked for last, full a copy of it with its text.
	of, full *retrieval.Item
	// unread are items whose text could not be read, with copies that have nothing to
	// show.
	unread map[*retrieval.Item]*retrieval.Item
}

// keep keeps a fetched section.
func (t *texts) keep(c store.Chunk) { t.kept.Keep(c.ID, c, textsKept) }

// with is an item with its text, as far as that is known: the item itself, which is the
// session's and is not written to, or a copy. It is the same copy until another item is
// asked for.
func (t *texts) with(it *retrieval.Item) *retrieval.Item {
	switch {
	case it == nil || it.ChunkText != "":
		return it
	case it == t.of:
		return t.full
	case t.unread[it] != nil:
		return t.unread[it]
	}
	full := t.filled(it)
	if full != it {
		t.of, t.full = it, full
	}
	return full
}

// filled is an item that came without its text with that of the section, in a copy; of a
// passage with that of the section around it, and with the passage as its match. It is the
// item itself as long as the text is not known.
func (t *texts) filled(it *retrieval.Item) *retrieval.Item {
	c, ok := t.kept.Of(it.SectionID())
	if !ok {
		return it
	}
	section, full := session.ItemOf(c), *it
	if it.ParentID != "" && len(it.Matches) == 0 {
		full.Matches = []retrieval.Match{{ChunkID: it.ChunkID, CharStart: it.CharStart, CharEnd: it.CharEnd, Similarity: it.RawSimilarity}}
	}
	full.CharStart, full.CharEnd, full.TokenStart, full.TokenEnd = section.CharStart, section.CharEnd, section.TokenStart, section.TokenEnd
	full.Flags, full.Anchor, full.HTMLTokens = section.Flags, section.Anchor, section.HTMLTokens
	full.ChunkText, full.HTMLText, full.Surface = section.ChunkText, section.HTMLText, section.Surface
	if full.ChunkText == "" {
		full.ChunkText = noText
	}
	return &full
}

// completed are copies of items, with the texts that are known by now.
func (t *texts) completed(items []retrieval.Item) []retrieval.Item {
	items = slices.Clone(items)
	for i := range items {
		if it := &items[i]; it.ChunkText == "" {
			items[i] = *t.filled(it)
		}
	}
	return items
}

// noText stands for a text that has nothing to show, so that it is not asked for again.
const noText = " "

// giveUp has an item whose text could not be read shown as one that has nothing to show.
func (t *texts) giveUp(it *retrieval.Item) {
	if t.unread == nil || len(t.unread) >= textsKept {
		t.unread = map[*retrieval.Item]*retrieval.Item{}
	}
	none := *it
	none.ChunkText = noText
	t.unread[it] = &none
}
