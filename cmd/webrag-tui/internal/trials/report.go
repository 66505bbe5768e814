package trials

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// What standard output may be told, as in the program.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[22m"
)

// printer writes for people.
type printer struct{ w io.Writer }

// table prints rows of cells, which a tab divides, in columns.
func (p printer) table(rows []string) {
	w := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "  "+row)
	}
	_ = w.Flush() // what writes to standard output keeps its error
}

func (p printer) trial(t *trial, perQuery bool) {
	p.head(t)
	for i := range t.systems {
		p.system(&t.systems[i])
	}
	for _, x := range t.pairs {
		p.pair(&x, len(t.pairs) > 1)
	}
	if perQuery {
		p.queries(t)
	}
}

// head says what was measured on what.
func (p printer) head(t *trial) {
	r := t.systems[0].report
	name, words := offset.Line(t.name), []string{countQueries(len(r.Queries))}
	if t.on != nil {
		name = t.on.set.Origin.Mark(name)
		s := &t.on.anchors.Summary
		level := map[bool]string{true: "passages", false: "pages"}[t.on.experiment.Level == 0]
		words = append(words, phrase.Counted(s.Total(), "judgment")+" of "+level, corpusWords(t.on.identity), fmt.Sprintf("%.1f s", t.took.Seconds()))
	}
	fmt.Fprintf(p.w, "%s%s%s  %s%s%s\n", bold, name, plain, faint, strings.Join(words, " · "), plain)
}

// system is a table of the measures of one, and then one for each tag.
func (p printer) system(s *system) {
	r := s.report
	fmt.Fprintf(p.w, "\n%s%s%s\n", bold, offset.Line(s.name), plain)
	rows := []string{"measure\tmean\t95 %\tn\tjudged"}
	if len(r.Tags) > 0 {
		rows[0] += "\ttag"
	}
	add := func(of *evaluation.Summary) {
		for i, m := range r.Measures {
			judged := ""
			if m.String() != m.Judged().String() {
				judged = figure(of.Judged[i], 2) + " " + m.Judged().String()
			}
			row := fmt.Sprintf("%s\t%s\t%s to %s\t%d\t%s", m, figure(of.Scores[i].Mean, 4), figure(of.Scores[i].Low, 3), figure(of.Scores[i].High, 3), of.Queries, judged)
			if len(r.Tags) > 0 {
				row += "\t" + offset.Line(of.Tag)
			}
			rows = append(rows, row)
		}
	}
	add(&r.Set)
	for i := range r.Tags {
		add(&r.Tags[i])
	}
	p.table(rows)
}

// pair is a table of a comparison, a line for each measure.
func (p printer) pair(x *pair, several bool) {
	fmt.Fprintf(p.w, "\n%s%s%s against %s", bold, offset.Line(x.name), plain, offset.Line(x.against))
	if len(x.changes) > 0 {
		fmt.Fprintf(p.w, "  %s%s%s", faint, offset.Line(someOf(x.changes)), plain)
	}
	fmt.Fprintln(p.w)
	rows := []string{"measure\tdifference\t95 %\twon\ttied\tlost\tp\tt test\tverdict"}
	if several {
		rows[0] = strings.Replace(rows[0], "\tp\t", "\tp (Holm)\t", 1)
	}
	for _, c := range x.paired {
		d := c.Difference
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s to %s\t%d\t%d\t%d\t%s\t%s\t%s", c.Measure, signed(d.Mean), signed(d.Low), signed(d.High),
			c.Wins, c.Ties, c.Losses, chance(c.Adjusted), chance(c.AdjustedStudent), c.Verdict().Words()))
	}
	p.table(rows)
	if m := x.moved; m != nil {
		fmt.Fprintf(p.w, "  %s%s rank otherwise · churn@%d %s · RBO %s%s\n", faint, fmt.Sprintf("%d of %s", m.Changed, countQueries(m.Queries)), x.depth, figure(m.Churn, 3), figure(m.RBO, 3), plain)
	}
}

// chance is a p for tables.
func chance(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return figure(p, 3)
}

// mostTextCells is how much of a query a table has room for.
const mostTextCells = 48

// queries is the heat map of queries and systems by the first measure, those first that
// differ most from what the first system makes of them. It speaks by signs and numbers.
func (p printer) queries(t *trial) {
	m := t.systems[0].report.Measures[0]
	fmt.Fprintf(p.w, "\n%severy query%s  %s%s%s\n", bold, plain, faint, m, plain)
	head := "query"
	for i := range t.systems {
		head += "\t" + offset.Line(t.systems[i].name)
	}
	rows := []string{head + "\t"}
	for _, id := range t.ordered() {
		row := id
		for i := range t.systems {
			row += "\t" + t.cell(i, id)
		}
		rows = append(rows, row+"\t"+brief(t.texts[id], mostTextCells))
	}
	p.table(rows)
	if len(t.systems) > 1 {
		fmt.Fprintf(p.w, "  %s▲ better than %s, ▼ worse, = the same%s\n", faint, offset.Line(t.systems[0].name), plain)
	}
}

// shades draw a score from 0 to 1.
var shades = []rune("·░▒▓█")

// cell is the score of a query with its shade, and how it is to that of the first system.
func (t *trial) cell(system int, id string) string {
	v, ok := t.score(system, id)
	if !ok {
		return "none"
	}
	shade := shades[max(0, min(len(shades)-1, int(v*float64(len(shades)))))]
	text := string(shade) + " " + figure(v, 2)
	first, ok := t.score(0, id)
	switch {
	case system == 0 || !ok:
	case v > first:
		text += " ▲"
	case v < first:
		text += " ▼"
	default:
		text += " ="
	}
	return text
}

// failures are what fell short, with the queries that fell.
func (p printer) failures(list []failure) {
	for i := range list {
		f := &list[i]
		since := ""
		if f.Was != nil {
			since = fmt.Sprintf(", and was %s", figure(*f.Was, 4))
		}
		fmt.Fprintf(p.w, "\n%s%s: %s is %s, below %s%s%s\n", bold, offset.Line(f.Name), f.Measure, figure(f.Mean, 4), figure(f.Least, 4), since, plain)
		for k := range f.Fell[:min(mostFalls, len(f.Fell))] {
			p.fall(&f.Fell[k])
		}
		if n := len(f.Fell) - mostFalls; n > 0 {
			fmt.Fprintf(p.w, "  %sand %d more; --json has all%s\n", faint, n, plain)
		}
	}
}

// mostFalls bounds the list of queries that fell; --json has all of them.
const mostFalls = 20

func (p printer) fall(f *fall) {
	fmt.Fprintf(p.w, "  %s  %s → %s  %s\n", f.ID, figure(f.Was, 3), figure(f.Now, 3), brief(f.Text, mostTextCells))
	for _, page := range f.Pages {
		now := fmt.Sprint(page.Now)
		switch {
		case page.Unjudged:
			now = "judged not to be relevant any more"
		case page.Now == 0:
			now = "not returned"
		}
		fmt.Fprintf(p.w, "      %s  rank %d → %s\n", offset.Line(page.Page), page.Was, now)
		if page.Cause != "" {
			fmt.Fprintf(p.w, "      %s%s%s\n", faint, offset.Line(page.Cause), plain)
		}
	}
}

// agreements are tables of how far judges agree, and on what they do not.
func (p printer) agreements(all []agreement, differ []disagreement) {
	lines := []string{"judges\tboth graded\tthe same\tweighted kappa"}
	for _, a := range all {
		kappa := "not defined"
		if a.Kappa != nil {
			kappa = figure(*a.Kappa, 3)
		}
		lines = append(lines, fmt.Sprintf("%s, %s\t%d\t%d\t%s", offset.Line(a.A), offset.Line(a.B), a.Both, a.Same, kappa))
	}
	p.table(lines)
	if len(differ) == 0 {
		return
	}
	fmt.Fprintf(p.w, "\n%sthey differ on%s\n", bold, plain)
	lines = nil
	for _, d := range differ {
		var grades []string
		for _, judge := range slices.Sorted(maps.Keys(d.Grades)) {
			grades = append(grades, fmt.Sprintf("%s %d", offset.Line(judge), d.Grades[judge]))
		}
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s", d.Query, strings.Join(grades, ", "), offset.Line(d.Source), brief(d.Quote, mostTextCells)))
		if d.Overlaps != "" {
			lines = append(lines, "\t\toverlaps with it\t"+brief(d.Overlaps, mostTextCells))
		}
	}
	p.table(lines)
}
