package compare

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// side is one of two rankings that stand side by side: a snapshot, or what some parameters
// give for the present query.
type side struct {
	session.Setting
	// kind says in a few words what it is, note what a preset or profile does.
	kind, note string
	// of is the snapshot, nil for parameters.
	of *session.Snapshot
}

// query is what a side answers.
func (v *View) query(s *side) string {
	if s.of != nil {
		return s.of.Query
	}
	return v.Session().Query()
}

// result is the ranking of a side, nil while it is not known, or cannot be: why says why.
func (v *View) result(s *side) (r *retrieval.Result, why string) {
	if s.of != nil {
		return &s.of.Result, ""
	}
	return v.Session().Aside(v.Session().Query(), s.Params)
}

// same reports whether two sides are one ranking. A profile is looked for by its name, also where
// something else has the same parameters.
func (s *side) same(as *side) bool {
	isNamed := s.kind == "profile" || as.kind == "profile"
	return s.of == as.of && s.Params == as.Params && (!isNamed || strings.TrimSuffix(s.Name, shownNow) == strings.TrimSuffix(as.Name, shownNow))
}

// shownNow is said after the name of what is on the screen.
const shownNow = " (now)"

// sides are what can be put side by side, each ranking once: what is on the screen, what that
// is compared with, the snapshots, the latest first, and the presets and profiles.
func (v *View) sides() []side {
	s := v.Session()
	all := []side{{session.Setting{Name: s.Name() + shownNow, Params: s.Params()}, "on the screen", "", nil}}
	if b := s.Baseline(); b.Params != s.Params() {
		all = append(all, side{b, "compared with", "", nil})
	}
	for _, sn := range slices.Backward(s.Snapshots()) {
		all = append(all, side{session.Setting{Name: sn.Name, Params: sn.Setting.Params}, "snapshot", "", sn})
	}
	for i := range v.starts {
		p := &v.starts[i]
		one := side{session.Setting{Name: p.Name, Params: p.Params}, "profile", wording.Line(p.Note), nil}
		if _, isPreset := param.Preset(p.Name); isPreset {
			one.kind = "preset"
		}
		if !slices.ContainsFunc(all, func(s side) bool { return s.same(&one) }) {
			all = append(all, one)
		}
	}
	return all
}

// withStarts reads the presets and profiles that can be put side by side, which waits for the
// disk, and then does what needs them. If the profiles cannot be read it says so, and there are
// the presets.
func (v *View) withStarts(then func() tea.Cmd) tea.Cmd {
	take := func(list []session.Profile) tea.Cmd {
		v.starts = nil
		for _, p := range list {
			if p.Problem == nil {
				v.starts = append(v.starts, v.needs.Suit(p))
			}
		}
		return then()
	}
	if v.needs.Profiles == nil {
		return take(session.Presets())
	}
	read := v.needs.Profiles
	return v.reading.Run(v.Context(), func(context.Context) func() tea.Cmd {
		list, err := read()
		return func() tea.Cmd {
			if err != nil {
				return tea.Batch(take(session.Presets()), v.Say("the profiles could not be read: "+err.Error(), true))
			}
			return take(list)
		}
	})
}

// ChooseSetting lets a setting be chosen: the present one, what it is compared with, that of
// a snapshot, a preset or a profile.
func (v *View) ChooseSetting(title string, isTaken func(param.Params) bool, then func(session.Setting) tea.Cmd) tea.Cmd {
	return v.chooseSide(title, func(s *side) bool { return isTaken(s.Params) }, func(s side) tea.Cmd { return then(s.Setting) })
}

// chooseSide lets one of the sides be chosen that are not taken.
func (v *View) chooseSide(title string, isTaken func(*side) bool, then func(side) tea.Cmd) tea.Cmd {
	return v.withStarts(func() tea.Cmd { return v.pushSides(title, isTaken, then) })
}

func (v *View) pushSides(title string, isTaken func(*side) bool, then func(side) tea.Cmd) tea.Cmd {
	byName := map[string]side{}
	var all []widget.Choice
	// What is there already comes last: another one is looked for.
	sides := v.sides()
	for _, s := range append(sides[1:], sides[0]) {
		if isTaken(&s) {
			continue
		}
		id := s.kind + " " + s.Name
		byName[id] = s
		name := wording.Line(s.Name)
		if s.of != nil && s.of.Query != v.Session().Query() {
			name += "   " + wording.Line(s.of.Query)
		}
		choice := widget.Choice{Value: id, Title: name, Key: s.kind}
		if s.note != "" { // it says more than what it is
			choice.Title, choice.Key = wording.Noted(name, s.note), ""
		}
		all = append(all, choice)
	}
	c := view.NewChooser(title, all, true)
	c.None = "no preset, profile or snapshot has that name"
	c.Wide = 112
	c.Then = func(id string) tea.Cmd { return then(byName[id]) }
	return v.Push(c)
}

// comparePair shows two rankings side by side: what is on the screen, and before it the
// latest snapshot of the query, else what it is compared with, else what is chosen.
func (v *View) comparePair(asWatched bool) tea.Cmd {
	now := v.sides()[0]
	open := func(a side) tea.Cmd {
		d := &pairDialog{v: v, sides: [2]side{a, now}}
		if asWatched {
			d.turnTo(watchSheet)
		}
		v.Push(d)
		return d.look()
	}
	rest := v.sides()[1:]
	best := slices.IndexFunc(rest, func(s side) bool {
		return s.of != nil && s.of.Query == v.Session().Query() && s.Params != now.Params
	})
	if best < 0 {
		best = slices.IndexFunc(rest, func(s side) bool { return s.kind != "preset" && s.kind != "profile" })
	}
	if asWatched {
		best = slices.IndexFunc(rest, func(s side) bool { return s.kind == "compared with" })
	}
	if best < 0 {
		title := "Compare this ranking with that of"
		if asWatched {
			title = "Rank the watch list also by the parameters of"
		}
		return v.chooseSide(title, now.same, open)
	}
	return open(rest[best])
}

func (v *View) hasResult() (bool, string) { return v.Session().Result() != nil, "ask a query first" }

// canCompareWatched says whether watched queries can be compared.
func (v *View) canCompareWatched() (bool, string) {
	if ok, why := v.hasResult(); !ok {
		return ok, why
	}
	return len(v.Session().Watched()) > 0, "no query is watched yet: {watch.toggle} watches the present one"
}

// restoreSide sets the parameters of a side. What they are compared with stays.
func (v *View) restoreSide(s *side) tea.Cmd {
	if s.Params == v.Session().Params() {
		return v.Say("these are its parameters already", false)
	}
	return tea.Batch(v.Set(s.Params, ""), v.Say("the parameters of "+s.Name+"; {tune.undo} takes them back", false))
}
