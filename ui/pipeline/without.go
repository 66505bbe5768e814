package pipeline

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// withoutOf says what would change without the stage.
func (v *View) withoutOf(st *retrieval.Stage) (said []string, groups []group) {
	p, ok := v.withoutStage(st.Name)
	if !ok {
		return []string{"Nothing works without it."}, nil
	}
	applies := v.KeyOf("stages.apply") + " applies it"
	if covered, why := v.Session().Evidence().Covers(p); !covered {
		return []string{"This asks the corpus, because " + wording.Line(why) + ". " + applies + "."}, nil
	}
	result, _ := v.Session().Evidence().Rank(p, retrieval.Options{})
	c := retrieval.Compare(*v.Session().Result(), result, session.OverlapDepth)
	said = []string{toggleWords(&c)}
	if sent := v.surfaceWords(st.Name); sent != "" {
		said[0] = sent + " (" + applies + ")"
	}
	if c.IsIdentical() {
		return said, nil
	}
	if !c.SameScale() {
		said = append(said, phrase.OtherScale)
	}
	_, rbo := wording.Measures(&c)
	measure, overlap := wording.Overlap(&c)
	measured := strings.TrimRight(measure+" "+overlap, " ")
	if rbo != "" {
		measured += "   RBO " + rbo
	}
	said = append(said, measured+"   ("+applies+")")
	add := func(key string, shifts []retrieval.Shift, more func(*candidate, *retrieval.Shift)) {
		if len(shifts) == 0 {
			return
		}
		g := group{key: key, what: wording.Count(len(shifts)) + " would " + key}
		for i := range shifts {
			x := &shifts[i]
			c := candidate{id: x.ChunkID, section: x.ChunkID, of: view.Page{URL: x.SourceURL, Title: v.PageTitle(x.Title)}}
			c.page, c.name = wording.Ends(v.PageTitle(x.Title), &retrieval.Item{Title: x.Title, SectionHeading: x.Name})
			more(&c, x)
			g.all = append(g.all, c)
		}
		groups = append(groups, g)
	}
	add("enter", c.Entered, func(r *candidate, x *retrieval.Shift) {
		r.value = fmt.Sprintf("rank %d", x.RankB)
	})
	add("leave", c.Left, func(r *candidate, x *retrieval.Shift) {
		r.value = fmt.Sprintf("rank %d", x.RankA)
	})
	add("move", c.Moved, func(r *candidate, x *retrieval.Shift) {
		r.value = fmt.Sprintf("rank %d", x.RankB)
		r.note, _ = wording.Movement(v.Styles(), x)
		r.up, r.down = x.RankDelta() > 0, x.RankDelta() < 0
		if r.note == "" && c.SameScale() {
			r.note = wording.ScoreDelta(v.Styles(), x.ScoreDelta())
		}
	})
	return said, groups
}
