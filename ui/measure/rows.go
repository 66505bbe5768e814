package measure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// row is a judged query with what it is worth by each column.
type row struct {
	id, text string
	tags     []string
	// values are NaN where they are not known.
	values []float64
	// difference is that of B to A, and judged the lower of the judged rates of both.
	difference, judged float64
}

// outcome is what became of a query from A to B.
type outcome string

const (
	won     outcome = "won"
	lost    outcome = "lost"
	tied    outcome = "tied"
	unknown outcome = ""
)

// rounding is by how much two ways to add the same may differ, as [evaluation.Compare] has it.
const rounding = 1e-12

func (r *row) outcome() outcome {
	switch {
	case math.IsNaN(r.difference):
		return unknown
	case math.Abs(r.difference) <= rounding:
		return tied
	case r.difference > 0:
		return won
	default:
		return lost
	}
}

// order is how queries are sorted.
type order int

const (
	byDifference order = iota
	byLoss
	byGain
	byValue
	byQuery
	orders
)

// String says what comes first.
func (o order) String() string {
	return [...]string{"what differs most first", "what lost most first", "what won most first", "the lowest value first", "as in the set"}[o]
}

// compare compares two rows, of which the values by column b count.
func (o order) compare(x, y *row, b int) int {
	switch o {
	case byDifference:
		return compareNumbers(-math.Abs(x.difference), -math.Abs(y.difference))
	case byLoss:
		return compareNumbers(x.difference, y.difference)
	case byGain:
		return compareNumbers(-x.difference, -y.difference)
	case byValue:
		return compareNumbers(x.values[b], y.values[b])
	default:
		return 0
	}
}

// compareNumbers has what is not known last.
func compareNumbers(x, y float64) int {
	switch a, b := math.IsNaN(x), math.IsNaN(y); {
	case a && b:
		return 0
	case a:
		return 1
	case b:
		return -1
	}
	return cmp.Compare(x, y)
}

// made is what rows depend on.
type made struct {
	set      *session.Judged
	measured [mostColumns]*experiment.Measurement
	columns  int
	b        int
	order    order
	words    string
}

// makeRows makes the rows anew where what they are made of has changed. The query under the
// cursor stays under it, and on its line.
func (v *View) makeRows() {
	now := made{set: v.Session().Judged(), columns: len(v.columns), b: v.b(), order: v.order, words: v.words}
	for i := range v.columns {
		now.measured[i] = v.columns[i].measured
	}
	if now == v.made {
		return
	}
	selected, line := "", v.list.At-v.list.Top
	if r := v.selected(); r != nil && v.list.At > 0 {
		selected = r.id // who stands on the first goes on to
	}
	v.made = now
	v.all, v.rows = v.queries(), nil
	for i := range v.all {
		if v.all[i].has(v.words) {
			v.rows = append(v.rows, v.all[i])
		}
	}
	slices.SortStableFunc(v.rows, func(x, y row) int { return v.order.compare(&x, &y, now.b) })
	v.list.Resize(v.list.Height, len(v.rows))
	if at := slices.IndexFunc(v.rows, func(r row) bool { return r.id == selected }); at >= 0 {
		v.list.At, v.list.Top = at, at-line
	}
	v.list.Scroll(0)
}

// queries are the judged queries in the order of the set, with their values.
func (v *View) queries() []row {
	set := v.made.set
	if set == nil {
		return nil
	}
	scores := make([]map[string]*evaluation.QueryScores, len(v.columns))
	measured := false
	for i := range v.columns {
		m := v.columns[i].measured
		if m == nil {
			continue
		}
		measured = true
		scores[i] = make(map[string]*evaluation.QueryScores, len(m.Queries))
		for q := range m.Queries {
			scores[i][m.Queries[q].ID] = &m.Queries[q]
		}
	}
	if !measured {
		return nil
	}
	var all []row
	for i := range set.Queries {
		q := &set.Queries[i]
		r := row{id: q.ID, text: wording.Line(q.Text), tags: q.Tags, values: make([]float64, len(v.columns)), judged: math.NaN()}
		known := false
		for c := range scores {
			r.values[c] = math.NaN()
			if s := scores[c][q.ID]; s != nil {
				known = true
				r.values[c] = s.Scores[0]
				if c == 0 || c == v.made.b {
					r.judged = lower(r.judged, s.Judged[0])
				}
			}
		}
		r.difference = r.values[v.made.b] - r.values[0]
		if known {
			all = append(all, r)
		}
	}
	return all
}

// lower is the lower of two numbers, of which one may not be known.
func lower(x, y float64) float64 {
	if math.IsNaN(x) {
		return y
	}
	return min(x, y)
}

// has reports that a query has all of some words: in its text, as a tag, as its id, or as what
// became of it.
func (r *row) has(words string) bool {
	text := strings.ToLower(r.text)
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		isTag := slices.ContainsFunc(r.tags, func(tag string) bool { return strings.Contains(strings.ToLower(tag), word) })
		if !isTag && !strings.Contains(text, word) && word != strings.ToLower(r.id) && word != string(r.outcome()) {
			return false
		}
	}
	return true
}

// tags are those of the queries, each once.
func (v *View) tags() []string {
	var all []string
	if set := v.Session().Judged(); set != nil {
		for i := range set.Queries {
			all = append(all, set.Queries[i].Tags...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostListed is how many tags a line names.
const mostListed = 5

// list names some things.
func list(all []string) string {
	text := wording.Line(strings.Join(all[:min(len(all), mostListed)], ", "))
	if len(all) > mostListed {
		text += ", …"
	}
	return text
}

// selected is the row under the cursor, nil for none.
func (v *View) selected() *row {
	if v.list.At < 0 || v.list.At >= len(v.rows) {
		return nil
	}
	return &v.rows[v.list.At]
}

// show makes the setting of a column the present one, and A what it is compared with.
func (v *View) show(column int) tea.Cmd {
	a, b := v.of(&v.columns[0]), v.of(&v.columns[column])
	cmd := v.Begin(v.Session().CompareWith(a))
	if b.Params != v.Session().Params() {
		cmd = tea.Batch(cmd, v.Set(b.Params, ""), v.Say("the parameters of "+wording.Line(b.Name)+"; {go.back} leads back to those before", false))
	}
	return cmd
}

// open asks the selected query by the setting under the cursor, compared with A.
func (v *View) open() tea.Cmd {
	q := v.Session().Judged().Query(v.selected().id)
	return v.needs.Look(q.Text, func() tea.Cmd { return v.show(v.at) })
}

// judge has judged what A and B do not both return for the selected query.
func (v *View) judge() tea.Cmd {
	return v.needs.Judge(v.Session().Judged().Query(v.selected().id).Text, func() tea.Cmd { return v.show(v.b()) })
}

// why says where the best judged page of the selected query is, or why it is missing.
func (v *View) why() tea.Cmd {
	q := v.Session().Judged().Query(v.selected().id)
	page := v.bestPage(q.ID)
	if page == "" {
		return v.Say("no page was judged to be relevant to this query", false)
	}
	return v.needs.Why(q.Text, func() tea.Cmd { return v.show(v.at) }, whynot.Target{SourceURL: page})
}

// bestPage is the page with the best grade of a query, the first of several; empty where
// nothing is relevant.
func (v *View) bestPage(query string) string {
	best, page := 0, ""
	anchors := v.Session().Judged().Anchors
	for i := range anchors.Judgments {
		j := &anchors.Judgments[i]
		if grade, ok := j.Grade(nil); ok && j.QueryID == query && grade > best {
			best, page = grade, j.Page
		}
	}
	return page
}
