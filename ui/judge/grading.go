package judge

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// grades are what is known of the judgments of the open set.
type grades struct {
	of     *session.Judged
	result *retrieval.Result
	// listed are the grades of the sections of the result, by their ids.
	listed map[string]int
	// mine are those of the judge, by key.
	mine map[judgment.Key]judgment.Grade
	// said are those that were given since the set was opened: they may not be written yet.
	said map[saying]said
	// chunks are those that were graded, by what was said of them: to go back to.
	chunks map[judgedText]string
}

// judgedText is a text that was judged for a query.
type judgedText struct {
	query string
	key   judgment.Key
}

// said is a grade that was given, and of which text.
type said struct {
	grade judgment.Grade
	key   judgment.Key
}

// saying is a chunk that was judged for a query.
type saying struct{ query, id string }

// follow looks the grades up where the set or the result is another one.
func (g *grades) follow(now *session.Session) {
	if set := now.Judged(); set != g.of {
		g.of, g.result, g.mine = set, nil, map[judgment.Key]judgment.Grade{}
		if set != nil {
			for i := range set.Anchors.Judgments {
				j := &set.Anchors.Judgments[i]
				for _, o := range j.Opinions {
					if o.Judge == now.JudgeName() {
						g.mine[judgment.Key{QueryID: j.QueryID, SourceURL: j.Page, QuoteHash: j.QuoteHash, CharStart: j.Start, CharEnd: j.End}] = o.Grade
					}
				}
			}
			g.settle()
		}
	}
	if r := now.Result(); r != g.result {
		g.result, g.listed = r, map[string]int{}
		for i, grade := range now.Grades() {
			g.listed[r.Items[i].ChunkID] = grade
		}
	}
}

// settle forgets of what was said what the set has by now: with several judges it is their
// median that counts.
func (g *grades) settle() {
	for at, s := range g.said {
		if q := g.of.OfText(at.query); q != nil {
			s.key.QueryID = q.ID
			if written, ok := g.mine[s.key]; ok && written == s.grade {
				delete(g.said, at)
			}
		}
	}
}

// note notes what was just said.
func (g *grades) note(query, id string, s said) {
	if g.said == nil {
		g.said, g.chunks = map[saying]said{}, map[judgedText]string{}
	}
	g.said[saying{query, id}], g.chunks[judgedText{query, s.key}] = s, id
}

// keepUnwritten forgets what was said and was refused: it is not said to be written.
func (g *grades) keepUnwritten(now *session.Session) {
	maps.DeleteFunc(g.said, func(of saying, s said) bool { return !now.IsUnwritten(of.query, s.key) })
}

// own is what the judge said of a text that a chunk has, ok is false for nothing.
func (g *grades) own(now *session.Session, query, id string, key judgment.Key) (grade judgment.Grade, ok bool) {
	if s, ok := g.said[saying{query, id}]; ok {
		return s.grade, true
	}
	if q := now.Judged().OfText(query); q != nil {
		key.QueryID = q.ID
		grade, ok = g.mine[key]
	}
	return grade, ok
}

// gradeOf is the grade of a section of the result: what was just said, else what all judges
// say of it. ok is false where nobody judged it.
func (v *View) gradeOf(it *retrieval.Item) (grade judgment.Grade, ok bool) {
	now := v.Session()
	if now.Judged() == nil || it == nil || now.Query() == "" {
		return 0, false
	}
	v.grades.follow(now)
	if s, ok := v.grades.said[saying{now.Query(), it.ChunkID}]; ok {
		return s.grade, true
	}
	if listed, ok := v.grades.listed[it.ChunkID]; ok && listed != evaluation.Unjudged {
		return judgment.Grade(listed), true
	}
	if now.Judged().OfText(now.Query()) == nil {
		return 0, false
	}
	return v.grades.own(now, now.Query(), it.ChunkID, keyOf(it))
}

// keyOf is that of the text of a section.
func keyOf(it *retrieval.Item) judgment.Key {
	return judgment.KeyOf("", it.SourceURL, it.ChunkText, it.CharStart)
}

// Graded is the grade of a section as the list of results has it, in short and in words;
// while results are graded what has none is a place for it. Both are empty where there is
// nothing to show.
func (v *View) Graded(it *retrieval.Item) (short, words string) {
	grade, ok := v.gradeOf(it)
	switch {
	case ok && v.Session().IsUnwritten(v.Session().Query(), keyOf(it)):
		number := "-"
		if grade >= 0 {
			number = strconv.Itoa(int(grade))
		}
		return number + " !", "not written"
	case ok && grade < 0:
		return "[-]", "cannot tell"
	case ok:
		return "[" + strconv.Itoa(int(grade)) + "]", v.label(grade)
	case v.on:
		return "[ ]", ""
	}
	return "", ""
}

// GradedWide are the widths of both, 0 where no set is open.
func (v *View) GradedWide() (short, words int) {
	set := v.Session().Judged()
	if set == nil {
		return 0, 0
	}
	short, words = len("[-]"), len("cannot tell")
	for g := range set.Labels {
		words = max(words, ansi.StringWidth(v.label(judgment.Grade(g))))
	}
	return short + (len(strconv.Itoa(set.MaxGrade())) - 1), words
}

// label is what a grade means in the open set, and its number: "3 answers it".
func (v *View) label(g judgment.Grade) string {
	set := v.Session().Judged()
	switch {
	case g < 0:
		return "cannot tell"
	case set == nil || int(g) >= len(set.Labels):
		return strconv.Itoa(int(g))
	}
	const wide = 20
	return ansi.Truncate(strconv.Itoa(int(g))+" "+wording.Line(set.Labels[g]), wide, v.Styles().Signs.Ellipsis)
}

// grade judges what has the keys: the candidate, or the selected section of the result.
func (v *View) grade(g judgment.Grade) tea.Cmd {
	now := v.Session()
	v.told = ""
	if most := now.Judged().MaxGrade(); int(g) > most {
		return v.Say(fmt.Sprintf("the grades of %s go up to %d", wording.Line(now.Judged().Name), most), false)
	}
	if own := v.Focused(); own == Candidate || own == Queries {
		return v.gradeCandidate(g)
	}
	it := v.needs.Selected()
	if it == nil {
		return v.Say("nothing is selected", false)
	}
	text, start, ok := v.needs.Passage()
	switch {
	case !ok:
		return v.Say("this form does not say where the passage stands in the page; {preview.mode} shows the markdown", true)
	case text == "" && strings.TrimSpace(it.ChunkText) == "":
		return v.Say("its text is still being read", false)
	case text != "":
		return tea.Batch(v.Begin(now.Grade(it, text, start, g)), v.Say("the passage: "+v.label(g), false))
	}
	v.grades.note(now.Query(), it.ChunkID, said{g, keyOf(it)})
	cmd := v.Begin(now.Grade(it, "", 0, g))
	v.needs.Redraw()
	if !v.needs.Next(func(it *retrieval.Item) bool { _, ok := v.gradeOf(it); return !ok }) {
		return tea.Batch(cmd, v.Say("all that is listed has a grade", false))
	}
	return cmd
}

// undo takes the last judgment back.
func (v *View) undo() tea.Cmd {
	v.told = ""
	query, key, _ := v.Session().LastJudged()
	id := v.grades.chunks[judgedText{query, key}]
	work, ok := v.Session().UndoJudgment()
	if !ok {
		return v.Say("nothing was judged in this session", false)
	}
	delete(v.grades.said, saying{query, id})
	v.goBack(query, id)
	v.needs.Redraw()
	return tea.Batch(v.Begin(work), v.Say("the last judgment is taken back", false))
}

// goBack goes to the chunk that was judged, where it is listed.
func (v *View) goBack(query, id string) {
	if id == "" || query != v.Session().Query() {
		return // a passage is none
	}
	if own := v.Focused(); own != Candidate && own != Queries {
		v.needs.Next(func(it *retrieval.Item) bool { return it.ChunkID == id })
		return
	}
	for i := range v.pool.all {
		if v.pool.all[i].ChunkID == id {
			v.pool.at, v.pool.moved = i, true
		}
	}
}

// chooseGrade offers all grades of the set.
func (v *View) chooseGrade() tea.Cmd {
	var all []widget.Choice
	for g := range v.Session().Judged().Labels {
		all = append(all, widget.Choice{Value: strconv.Itoa(g), Title: v.label(judgment.Grade(g))})
	}
	all = append(all, widget.Choice{Value: "-1", Title: "cannot tell"})
	c := view.NewChooser("Grade", all, true)
	c.Then = func(value string) tea.Cmd {
		g, err := strconv.Atoi(value)
		if err != nil {
			return nil
		}
		return v.grade(judgment.Grade(g))
	}
	return v.Push(c)
}
