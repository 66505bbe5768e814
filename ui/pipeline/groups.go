package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// lowOutcome is the height below which the sentences take a line each: what was dropped is
// to be seen.
const lowOutcome = 14

// makeOutcome lists what happened in the stage that is looked at.
func (v *View) makeOutcome() {
	stages := v.stages()
	if len(stages) == 0 {
		v.list.put(nil, nil)
		return
	}
	st := &stages[v.stageAt()]
	v.list.stage = st.Name
	said, groups := v.saidOf(st), v.groupsOf(st)
	if v.without {
		said, groups = v.withoutOf(st)
	}
	var text []string
	wide, low := max(10, v.list.w-2), v.list.Height < lowOutcome
	for _, sentence := range said {
		if low {
			text = append(text, widget.CutAtWord(sentence, wide))
		} else {
			text = append(text, widget.Wrapped(sentence, wide)...)
		}
	}
	if len(groups) > 0 && !low {
		text = append(text, "")
	}
	v.list.put(text, groups)
}

// saidOf says what a stage is for, with which settings it worked, and what would change
// without it.
func (v *View) saidOf(st *retrieval.Stage) []string {
	said := []string{retrieval.StageOf(st.Name).About}
	settings := ""
	for _, key := range slices.Sorted(maps.Keys(st.Params)) {
		if settings != "" {
			settings += "   "
		}
		value := wording.Setting(key, st.Params[key])
		if key == param.FieldSimilarityFloor {
			value = v.Session().Result().Floor.Said()
		}
		settings += wording.SettingName(key) + " " + value
	}
	if settings != "" {
		said = append(said, settings)
	}
	for _, n := range st.Notes {
		said = append(said, wording.Line(n))
	}
	if t := v.ablationOf(st.Name); t != nil && t.On {
		would := toggleWords(&t.Comparison)
		if sent := v.surfaceWords(st.Name); sent != "" {
			would = sent
		}
		if t.Needs != "" {
			would = "asks the corpus"
		}
		said = append(said, "without it: "+would+"   ("+v.KeyOf("stages.without")+" shows it)")
	}
	if why := v.staysIn(st.Name); why != "" {
		said = append(said, phrase.Capital(why)+".")
	}
	return said
}

// groupsOf are the candidates that a stage dropped, by their reasons, those that it
// merged, and those that came through to the result.
func (v *View) groupsOf(st *retrieval.Stage) []group {
	groups := v.droppedGroups(st)
	if len(st.Merged) > 0 {
		groups = append(groups, v.mergedGroup(st))
	}
	if g, ok := v.throughGroup(st); ok {
		groups = append(groups, g)
	}
	tellApart(groups)
	return groups
}

// tellApart names the pages of candidates that would be called alike also by what tells
// their addresses apart.
func tellApart(groups []group) {
	pages, known := map[string][]string{}, map[[2]string]bool{} // of each name
	for i := range groups {
		for k := range groups[i].all {
			c := &groups[i].all[k]
			if key := [2]string{c.way(), c.of.URL}; !known[key] {
				known[key] = true
				pages[key[0]] = append(pages[key[0]], key[1])
			}
		}
	}
	shared := map[string]int{}
	for name, urls := range pages {
		if len(urls) > 1 {
			shared[name] = wording.SharedFolder(urls)
		}
	}
	for i := range groups {
		for k := range groups[i].all {
			c := &groups[i].all[k]
			n, alike := shared[c.way()]
			switch {
			case !alike || c.of.URL == "":
			case c.page == "":
				c.name = wording.Apart(c.name, c.of.URL[n:])
			default:
				c.page, c.apart = wording.Apart(c.page, c.of.URL[n:]), true
			}
		}
	}
}

// droppedGroups are the candidates that a stage dropped, in their order, those of a
// reason together.
func (v *View) droppedGroups(st *retrieval.Stage) []group {
	ids := make([]string, len(st.Dropped))
	for i := range st.Dropped {
		ids[i] = st.Dropped[i].ID
	}
	named := v.Session().Evidence().Labels(ids)
	var groups []group
	at := map[string]int{}
	for i := range st.Dropped {
		d := &st.Dropped[i]
		key := d.Reason + " " + d.Arm
		n, known := at[key]
		if !known {
			n = len(groups)
			at[key] = n
			groups = append(groups, group{key: key, why: v.cutWords(d), drops: true, folded: true})
		}
		c := v.candidateOf(&named[i])
		c.value = wording.FailedValue(&retrieval.Drop{Reason: d.Reason, Value: d.Value, Threshold: d.Threshold}, false)
		// Where nothing is short of anything the note is the name of the cut, which stands
		// above.
		why := d.Worded()
		if note := why.Say(phrase.Note); !strings.HasPrefix(note.String(), why.Say(phrase.Label).String()) {
			c.note = wording.Said(note, wording.Score)
		}
		groups[n].all = append(groups[n].all, c)
	}
	for i := range groups {
		groups[i].what = wording.Count(len(groups[i].all)) + " dropped"
	}
	return groups
}

// cutWords name what dropped a candidate, on the scale of the numbers that failed.
func (v *View) cutWords(d *retrieval.Drop) string {
	why := d.Worded()
	words := wording.Said(why.Say(phrase.Label), wording.Score)
	if d.Reason == phrase.ReasonBelowFloor { // only one search has it
		return "floor " + wording.Said(v.Session().Result().Floor.Worded(d.Threshold).Number(), wording.Score)
	}
	if d.Arm != "" {
		words += " of the " + wording.Line(d.Arm) + " search"
	}
	return words
}

// mergedGroup are the candidates that became part of others.
func (v *View) mergedGroup(st *retrieval.Stage) group {
	ids := make([]string, 0, 2*len(st.Merged))
	for i := range st.Merged {
		ids = append(ids, st.Merged[i].From)
	}
	for i := range st.Merged {
		ids = append(ids, st.Merged[i].Into)
	}
	named := v.Session().Evidence().Labels(ids)
	g := group{key: "merged", what: wording.Count(len(st.Merged)) + " merged", why: mergedWords(st.Name), folded: true}
	for i := range st.Merged {
		from, into := &named[i], &named[len(st.Merged)+i]
		c := v.candidateOf(from)
		if from.Heading != into.Heading {
			c.into = wording.Line(into.Heading)
		}
		g.all = append(g.all, c)
	}
	return g
}

// throughGroup are the sections that came through all stages, under those that did not
// come through this one.
func (v *View) throughGroup(st *retrieval.Stage) (g group, ok bool) {
	result := v.Session().Result()
	if !flowsInto(st) || len(result.Items) == 0 {
		return g, false
	}
	items := make([]*retrieval.Item, len(result.Items))
	for i := range result.Items {
		items[i] = &result.Items[i]
	}
	slices.SortStableFunc(items, func(a, b *retrieval.Item) int { return a.Rank - b.Rank })
	g = group{key: "through", what: wording.Count(len(items)) + " through to the result"}
	for _, it := range items {
		c := candidate{id: it.ChunkID, section: it.ChunkID, value: wording.Score(it.Score), note: "rank " + strconv.Itoa(it.Rank), of: view.Page{URL: it.SourceURL, Title: v.PageTitle(it.Title)}}
		c.page, c.name = wording.Ends(v.PageTitle(it.Title), it)
		if st.Name == param.StageDepth && it.HasRaw {
			c.note = fmt.Sprintf("%s at depth %d", wording.Score(it.RawSimilarity), it.Depth)
		}
		if result.Mode == param.ModeFullContext {
			c.value = strconv.Itoa(it.Rank)
			c.note = wording.Tokens(it.Tokens(), v.IsEstimated())
		}
		g.all = append(g.all, c)
	}
	return g, true
}

// surfaceWords say what leaving out the choice of a surface would change: the
// same sections come, in another form. Empty for another stage, and where none is
// sent as HTML.
func (v *View) surfaceWords(stage string) string {
	n := 0
	for i := range v.Session().Result().Items {
		if v.Session().Result().Items[i].Surface == retrieval.SurfaceHTML {
			n++
		}
	}
	if stage != param.StageSurface || n == 0 {
		return ""
	}
	return wording.Said(phrase.AsMarkdown.With(phrase.Several(n, "section")), wording.Score)
}

// candidateOf names a candidate.
func (v *View) candidateOf(n *retrieval.ChunkLabel) candidate {
	c := candidate{id: n.ChunkID, section: n.Section, of: view.Page{URL: n.SourceURL, Title: v.PageTitle(n.Title)}}
	it := retrieval.Item{Title: c.of.Title, SectionHeading: n.Heading, ChunkIndex: n.Passage - 1}
	if n.Passage > 0 {
		it.ParentID = n.Section
	}
	if known := v.Session().Summary(); known != nil { // several would be called alike
		p := known.Parts[n.Section]
		it.Part, it.Parts = p.Part, p.Of
	}
	c.page, c.name = wording.Ends(c.of.Title, &it)
	return c
}

func (v *View) ablationOf(stage string) *whynot.Ablation {
	all := v.Session().Ablations()
	if at := slices.IndexFunc(all, func(a whynot.Ablation) bool { return a.Stage == stage }); at >= 0 {
		return &all[at]
	}
	return nil
}
