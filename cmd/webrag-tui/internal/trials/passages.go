package trials

import (
	"context"
	"strings"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// target is what a document's id means: a page, or a text of one.
type target struct {
	page, text string
	start      int // of the text, in code points of the page
}

// record is a judgment of it.
func (t *target) record(query string) judgment.Record {
	return judgment.Record{Key: judgment.KeyOf(query, t.page, t.text, t.start), Quote: strings.TrimSpace(t.text)}
}

// targets are what the documents of judgments mean, by id; those that mean nothing in the
// corpus are not among them.
func (a *addresses) targets(ctx context.Context, corpus *Corpus, qrels map[string]map[string]int) (map[string]target, error) {
	found := map[string]target{}
	texts := map[string]map[string][]string{} // ids by page and the digits of the text's hash
	var pages []string
	for _, of := range qrels {
		for id := range of {
			if page := a.find(id); page != "" {
				found[id] = target{page: page}
				continue
			}
			address, digits, err := exchange.ParseDocno(id)
			page := a.known(address)
			if err != nil || digits == "" || page == "" {
				continue
			}
			if texts[page] == nil {
				texts[page] = map[string][]string{}
				pages = append(pages, page)
			}
			texts[page][digits] = append(texts[page][digits], id)
		}
	}
	if len(pages) == 0 {
		return found, nil
	}
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return found, judgment.InView(view).EachPage(ctx, pages, func(_, page string, sections []store.Chunk) error {
		parents := make([]string, len(sections))
		for i := range sections {
			parents[i] = sections[i].ID
		}
		children, err := view.Children(ctx, parents, store.FieldText)
		for _, list := range [][]store.Chunk{sections, children} {
			for i := range list {
				c := &list[i]
				if hash := offset.QuoteHash(c.ChunkText); hash != "" {
					for _, id := range texts[page][hash[:digitsOfDocno]] {
						if found[id].page == "" {
							found[id] = target{page, c.ChunkText, c.CharStart}
						}
					}
				}
			}
		}
		return err
	})
}

// digitsOfDocno is how much of a text's hash stands in the id of a passage.
const digitsOfDocno = 12
