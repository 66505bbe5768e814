package synthetic

import (
	"context"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/store"
)

// resolve reads the pages that the taken candidates lead to, each once, finds the
// passages there, and says what stands in them verbatim. What leads to nothing any more
// is left out.
func (g *gathering) resolve(ctx context.Context, taken []*candidate) ([]Question, error) {
	made := make([]Question, len(taken))
	of := map[string][]int{} // the questions of a page
	var addresses []string
	for i, c := range taken {
		made[i] = Question{Text: c.text, Kind: c.kind}
		for _, p := range c.places {
			if of[p.page] == nil {
				addresses = append(addresses, p.page)
			}
			of[p.page] = append(of[p.page], i)
		}
	}
	err := judgment.InView(g.view).EachPage(ctx, addresses, func(address, page string, sections []store.Chunk) error {
		says := judgment.Saying(sections)
		for _, i := range of[address] {
			at := slices.IndexFunc(taken[i].places, func(p place) bool { return p.page == address })
			target, err := g.target(ctx, page, sections, taken[i].places[at])
			if err != nil {
				return err
			}
			made[i].Targets = append(made[i].Targets, target)
			made[i].Verbatim = made[i].Verbatim || says(made[i].Text)
		}
		return nil
	})
	return slices.DeleteFunc(made, func(q Question) bool { return len(q.Targets) == 0 }), err
}

// target is the passage at a place: the one under a heading, or the first of the section
// that a link leads to.
func (g *gathering) target(ctx context.Context, page string, sections []store.Chunk, p place) (Target, error) {
	t := Target{Page: page}
	if p.parent == "" {
		if len(sections) == 0 {
			return t, nil
		}
		p.parent = sections[store.LinkTarget(p.anchor, sections)].ID
	}
	children, err := g.view.Children(ctx, []string{p.parent}, store.FieldText)
	if err != nil {
		return t, err
	}
	at := slices.IndexFunc(children, func(c store.Chunk) bool { return c.Index == p.child })
	if at >= 0 && strings.TrimSpace(children[at].ChunkText) != "" {
		t.Quote, t.Start = children[at].ChunkText, children[at].CharStart
	}
	return t, nil
}
