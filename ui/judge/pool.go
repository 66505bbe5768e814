package judge

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// pool are the candidates of a query.
type pool struct {
	// query and set are what they are of, of the rankings that they are from, by the names
	// in from; nil has them made anew.
	query string
	set   *session.Judged
	of    []*retrieval.Result
	from  []string
	// all are the candidates, at is the one that is looked at.
	// moved says that the judge has gone from one to another: until then it is the first
	// that has no grade, also where others came as their texts were read.
	all   []judgment.Candidate
	at    int
	moved bool
	// missing counts those whose text is still being read, waiting are the rankings that
	// are not known yet.
	missing int
	waiting []string
	// looked are the parameters that other rankings were asked for by.
	looked []param.Params
}

// candidate is the one that is looked at, nil for none.
func (p *pool) candidate() *judgment.Candidate {
	if p.at < 0 || p.at >= len(p.all) {
		return nil
	}
	return &p.all[p.at]
}

// Follow implements [view.View]: the candidates are those of the present query.
func (v *View) Follow() tea.Cmd {
	now := v.Session()
	set, p := now.Judged(), &v.pool
	v.list.follow(now)
	if set == nil || now.Result() == nil {
		*p = pool{}
		return v.followText()
	}
	v.grades.follow(now)
	from := pooling{v}
	cmd := from.lookAside()
	rankings, waiting := from.contenders()
	var of []*retrieval.Result
	var names []string
	for _, c := range rankings {
		of, names = append(of, c.Result), append(names, c.Name)
	}
	if p.of != nil && p.query == now.Query() && p.set == set && slices.Equal(p.of, of) {
		return tea.Batch(cmd, v.followText())
	}
	moved := p.moved && p.query == now.Query()
	key, id := judgment.Key{}, ""
	if c := p.candidate(); c != nil {
		key, id = c.Key, c.ChunkID
	}
	filled, reading := from.filled(rankings, set.K)
	p.query, p.set, p.of, p.from, p.waiting = now.Query(), set, of, names, waiting
	p.missing = len(reading)
	// Without the id of the query the order stays when that becomes one of the set.
	p.all = judgment.Pool("", filled, judgment.PoolOptions{K: set.K, Seed: set.Seed, Changed: v.changed})
	p.at = slices.IndexFunc(p.all, func(c judgment.Candidate) bool { return c.Key == key && c.ChunkID == id })
	p.moved = moved && p.at >= 0
	if !p.moved {
		p.at = 0
		v.toUndone(0)
	}
	v.count()
	for _, id := range reading {
		cmd = tea.Batch(cmd, from.read(id))
	}
	return tea.Batch(cmd, v.followText())
}

// pooling gathers what candidates come from.
type pooling struct{ *View }

// lookAside has the rankings made that are no side of the comparison.
func (v pooling) lookAside() tea.Cmd {
	var by []param.Params
	for _, s := range v.more {
		by = append(by, s.Params)
	}
	if slices.Equal(by, v.pool.looked) {
		return nil
	}
	v.pool.looked = by
	return v.Begin(v.Session().LookAside(by...))
}

// contenders are the rankings whose first results are candidates: the present one, that of
// the baseline, and those that were chosen; and the names of those that are not known yet.
func (v pooling) contenders() (all []judgment.Contender, waiting []string) {
	now, base := v.Session(), v.Session().Baseline()
	_, ranked := now.RankedBy()
	all = []judgment.Contender{{Name: wording.Line(now.Name()), Result: now.Result()}}
	known := []param.Params{ranked}
	add := func(s session.Setting, r *retrieval.Result) {
		switch {
		case slices.Contains(known, s.Params):
		case r == nil:
			waiting = append(waiting, wording.Line(s.Name))
		default:
			known = append(known, s.Params)
			all = append(all, judgment.Contender{Name: wording.Line(s.Name), Result: r})
		}
	}
	add(base, now.BaselineResult())
	for _, s := range v.more {
		r, _ := now.Aside(now.Query(), s.Params)
		add(s, r)
	}
	return all, waiting
}

// filled are the rankings with the texts of their first k results; reading are the sections
// whose texts are not known.
func (v pooling) filled(from []judgment.Contender, k int) (filled []judgment.Contender, reading []string) {
	for _, c := range from {
		r := &retrieval.Result{Mode: c.Result.Mode}
		for i := range c.Result.Items {
			it := c.Result.Items[i]
			if it.Rank > k || it.Rank < 1 {
				continue
			}
			if it.ChunkText == "" {
				section, ok := v.texts.Of(it.SectionID())
				if !ok {
					if !slices.Contains(reading, it.SectionID()) {
						reading = append(reading, it.SectionID())
					}
					continue
				}
				it.ChunkText = section.ChunkText
				if it.ParentID != "" {
					it.ChunkText = offset.NewIndex(section.ChunkText).Slice(it.CharStart-section.CharStart, it.CharEnd-section.CharStart)
				}
			}
			r.Items = append(r.Items, it)
		}
		filled = append(filled, judgment.Contender{Name: c.Name, Result: r})
	}
	return filled, reading
}

// read reads the text of a section, once.
func (v pooling) read(id string) tea.Cmd {
	if v.asked[id] {
		return nil
	}
	if v.asked == nil {
		v.asked = map[string]bool{}
	}
	v.asked[id] = true
	return v.Begin(v.Session().ReadText(id))
}

// said is what the judge said of a candidate, ok is false for nothing.
func (v *View) said(c *judgment.Candidate) (judgment.Grade, bool) {
	return v.grades.own(v.Session(), v.pool.query, c.ChunkID, c.Key)
}

// progress is how many candidates are left, and how many there are.
func (v *View) progress() (left, total int) {
	for i := range v.pool.all {
		if _, ok := v.said(&v.pool.all[i]); !ok {
			left++
		}
	}
	return left, len(v.pool.all)
}

// count has the list of queries say how much of this one is judged.
func (v *View) count() {
	if left, total := v.progress(); total > 0 && !v.changed {
		v.list.note(v.pool.query, total-left, total)
	}
}

// toUndone goes to the first candidate from one on that is not judged, or else before it, and
// reports whether there is one.
func (v *View) toUndone(from int) bool {
	n := len(v.pool.all)
	for i := range n {
		at := (from + i) % n
		if _, ok := v.said(&v.pool.all[at]); !ok {
			v.pool.at = at
			return true
		}
	}
	return false
}

// step looks at another candidate.
func (v *View) step(n int) tea.Cmd {
	v.pool.at, v.pool.moved = max(0, min(v.pool.at+n, len(v.pool.all)-1)), true
	return nil
}

// gradeCandidate judges the candidate and goes to the next that is not judged.
func (v *View) gradeCandidate(g judgment.Grade) tea.Cmd {
	c, now := v.pool.candidate(), v.Session()
	if c == nil {
		return v.Say("there is no candidate to judge", false)
	}
	v.grades.note(v.pool.query, c.ChunkID, said{g, c.Key})
	cmd := v.Begin(now.JudgeRecords(v.pool.query, c.Record(g, now.JudgeName(), time.Time{}, v.open)))
	told := v.label(g) + ": " + strings.Join(v.named(c), " "+v.Styles().Signs.Into+" ") + ", " + ranksOf(c)
	v.count()
	v.pool.moved = true
	if !v.toUndone(v.pool.at) {
		told = "all " + wording.Count(len(v.pool.all)) + " are judged; "
		if len(v.Session().Judged().Queries) > 1 {
			told += "{judge.nextquery} asks the next query"
		} else {
			told += "{query.edit} asks another question"
		}
	}
	return tea.Batch(cmd, v.Say(told, false))
}

// ranksOf says which rankings have a candidate, and where.
func ranksOf(c *judgment.Candidate) string {
	parts := make([]string, len(c.From))
	for i, name := range c.From {
		parts[i] = "rank " + wording.Count(c.Ranks[i]) + " by " + name
	}
	return strings.Join(parts, ", ")
}

// choose puts another ranking among those that candidates come from, or takes one
// away.
func (v pooling) choose() tea.Cmd {
	if v.needs.Profiles == nil {
		return v.offer(session.Presets())
	}
	read := v.needs.Profiles
	return v.reading.Run(v.Context(), func(context.Context) func() tea.Cmd {
		list, err := read()
		if err != nil {
			list = session.Presets()
		}
		return func() tea.Cmd { return v.offer(list) }
	})
}

func (v pooling) offer(list []session.Profile) tea.Cmd {
	var all []widget.Choice
	of := map[string]session.Setting{}
	for _, p := range list {
		if p.Problem != nil {
			continue
		}
		p = v.needs.Suit(p)
		of[p.Name] = session.Setting{Name: p.Name, Params: p.Params}
		c := widget.Choice{Value: p.Name, Title: wording.Line(p.Name)}
		if slices.ContainsFunc(v.more, func(s session.Setting) bool { return s.Name == p.Name }) {
			c.Key = "among them"
		}
		all = append(all, c)
	}
	c := view.NewChooser("Candidates also of", all, true)
	c.Then = func(name string) tea.Cmd {
		at := slices.IndexFunc(v.more, func(s session.Setting) bool { return s.Name == name })
		if v.more = slices.Clone(v.more); at >= 0 {
			v.more = slices.Delete(v.more, at, at+1)
		} else {
			v.more = append(v.more, of[name])
		}
		v.pool.of = nil
		return nil
	}
	return v.Push(c)
}
