package measure

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// choosing is done in dialogs: settings, the measure, and which queries are shown.
type choosing struct{ *View }

// isColumn reports that a setting has a column.
func (v choosing) isColumn(p param.Params) bool { return slices.Contains(v.settings(), p) }

// columnOf is a setting that was chosen. What is on the screen, and what that is compared
// with, go on to be that.
func (v choosing) columnOf(s session.Setting) column {
	c := column{Setting: s}
	switch s.Params {
	case v.Session().Params():
		c.kind = live
	case v.Session().Baseline().Params:
		c.kind = baseline
	}
	return c
}

// add has another setting measured, before the last, which it is beside.
func (v choosing) add() tea.Cmd {
	return v.needs.Choose("Measure also", v.isColumn, func(s session.Setting) tea.Cmd {
		v.at = len(v.columns) - 1
		if v.columns[v.at].kind != live {
			v.at++
		}
		v.columns = slices.Insert(v.columns, v.at, v.columnOf(s))
		return nil
	})
}

// chooseA has the first column chosen; one that is measured already changes places with it.
func (v choosing) chooseA() tea.Cmd {
	first := v.of(&v.columns[0]).Params
	return v.needs.Choose("A, which the others are compared with", func(p param.Params) bool { return p == first }, func(s session.Setting) tea.Cmd {
		if at := slices.Index(v.settings(), s.Params); at > 0 {
			v.columns[0], v.columns[at] = v.columns[at], v.columns[0]
		} else {
			v.columns[0] = v.columnOf(s)
		}
		return nil
	})
}

// chooseB has another setting chosen in the place of the column under the cursor.
func (v choosing) chooseB() tea.Cmd {
	at := v.b()
	return v.needs.Choose(letter(at)+", which is compared with A", v.isColumn, func(s session.Setting) tea.Cmd {
		if at < len(v.columns) {
			v.columns[at] = v.columnOf(s)
			v.at = at
		}
		return nil
	})
}

// filter asks for the words that narrow the queries.
func (v choosing) filter() tea.Cmd {
	tags := v.tags()
	label := "words, won, lost, tied"
	if len(tags) > 0 {
		label += ", or a tag: " + list(tags)
	}
	p := view.NewPrompt("Only queries with", label, v.words, func(string) error { return nil }, func(words string) tea.Cmd {
		v.words = words
		return nil
	})
	p.Verb = "filter"
	return v.Push(p)
}

// otherMeasure is the choice that asks for a measure by its name.
const otherMeasure = ":other"

// measures are those that are offered, beside any other.
var measures = []struct{ name, about string }{
	{"nDCG@10", "the whole order of the first ten, by grades"},
	{"nDCG(dcg='exp-log2')@10", "the same, the best grades counting much more"},
	{"RR@10", "how early the first relevant one comes"},
	{"AP", "how early all relevant ones come"},
	{"P@5", "relevant ones among the first five"},
	{"R@10", "how many of the relevant ones the first ten have"},
	{"R@60", "how many of the relevant ones are found at all"},
	{"Success@5", "whether a relevant one is among the first five"},
	{"ERR@10", "how soon a reader is satisfied"},
	{"RBP(p=0.8,rel=1)", "what a patient reader finds"},
	{"Judged@10", "how much of the first ten was judged"},
}

// measure has the measure chosen.
func (v choosing) measure() tea.Cmd {
	var all []widget.Choice
	for _, m := range measures {
		c := widget.Choice{Value: m.name, Title: m.name + "  " + m.about}
		if v.isBy(m.name) {
			c.Key = "now"
		}
		all = append(all, c)
	}
	c := view.NewChooser("Measure by", append(all, widget.Choice{Value: otherMeasure, Title: "another one…", About: "Any measure of ir_measures, or one of your own: expr:NAME=EXPRESSION."}), true)
	c.Wide = 80
	c.Then = func(name string) tea.Cmd {
		if name == otherMeasure {
			return v.typeMeasure()
		}
		return v.measureBy(name)
	}
	return v.Push(c)
}

func (v choosing) isBy(name string) bool {
	by := v.Session().Measures()
	return len(by) > 0 && by[0].String() == evaluation.MustMeasure(name).String()
}

// typeMeasure has the measure typed.
func (v choosing) typeMeasure() tea.Cmd {
	check := func(text string) error {
		_, err := evaluation.ParseMeasure(text)
		return err
	}
	p := view.NewPrompt("Measure by", "nDCG@10, P(rel=2)@5, expr:NAME=…", "", check, v.measureBy)
	p.Verb = "measure"
	return v.Push(p)
}

func (v choosing) measureBy(name string) tea.Cmd {
	m, err := evaluation.ParseMeasure(name)
	if err != nil {
		return v.Say(err.Error(), true)
	}
	if v.isBy(name) {
		return nil
	}
	return v.Begin(v.Session().MeasureBy(m))
}
