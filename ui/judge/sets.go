package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// What the chooser of sets offers beside the sets: none of these is a name.
const (
	newSet   = ":new"
	watchSet = ":watch"
	noSet    = ":none"
)

// KeepSets gives the view the names of the sets that were open, by the place of their
// corpus; KeptSets returns them.
func (v *View) KeepSets(kept map[string]string) { v.kept = maps.Clone(kept) }

// KeptSets are the sets that were last open, by the place of their corpus.
func (v *View) KeptSets() map[string]string { return maps.Clone(v.kept) }

// Recall opens the set that was open when the corpus was left; the first time, the one
// that it comes with.
func (v *View) Recall() tea.Cmd {
	ok, _ := v.canOpen()
	if !ok {
		return nil
	}
	name, chosen := v.kept[v.needs.Place()]
	if !chosen {
		name = v.Session().Corpus().Set
	}
	if name == "" || name == v.Session().SetName() {
		return nil
	}
	return v.Begin(v.Session().OpenSet(name))
}

// open opens a set, none for an empty name.
func (v *View) openSet(name string) tea.Cmd {
	if place := v.needs.Place(); place != "" {
		if v.kept == nil {
			v.kept = map[string]string{}
		}
		v.kept[place] = name
	}
	v.grades, v.pool, v.list = grades{}, pool{}, queryList{}
	if name == "" {
		v.on, v.wanted = false, false
	}
	return tea.Batch(v.Begin(v.Session().OpenSet(name)), v.needs.Keep())
}

// Changed follows what the session knows of the set.
func (v *View) Changed() tea.Cmd {
	v.pool.of = nil
	v.needs.Redraw()
	set := v.Session().Judged()
	err := v.Session().JudgingFailed()
	told := v.told
	if v.told = ""; err != nil {
		v.told = err.Error()
	}
	switch {
	case err != nil && v.told == told:
		return nil
	case err != nil:
		v.grades.keepUnwritten(v.Session()) // what is not written is not said to be
		return v.Say(wording.FirstLine(err), true)
	case set == nil:
		return nil
	case v.wanted:
		v.on, v.wanted = true, false
	}
	if set == v.grades.of || v.grades.of != nil && v.grades.of.Folder == set.Folder {
		return nil
	}
	v.grades.follow(v.Session())
	switch lost := &set.Anchors.Summary; { // once, when it is opened
	case set.OtherCorpus && lost.Lost() > 0:
		return v.Say(fmt.Sprintf("%s was made on other pages: %d of %d judgments have no place here", set.Name, lost.Lost(), lost.Total()), true)
	case lost.IsAlarming():
		return v.Say(fmt.Sprintf("%s: %d of %d judgments have lost their text, and do not count", set.Name, lost.Lost(), lost.Total()), true)
	case len(set.Problems) > 0:
		return v.Say(fmt.Sprintf("%s: %s of its files cannot be used as they are: %s", set.Name, wording.Plural(len(set.Problems), "line"), wording.Line(set.Problems[0].String())), true)
	}
	return toList(v)
}

// Toggle has keys grade in place, or lets go of them.
func (v *View) Toggle() tea.Cmd {
	defer v.needs.Redraw()
	switch {
	case v.on:
		v.on = false
		return nil
	case v.Session().Judged() == nil:
		v.wanted = true
		return sets{v}.choose()
	}
	v.on = true
	return nil
}

// ChooseSet has a query set chosen or made, and opens it.
func ChooseSet(v *View) tea.Cmd {
	if ok, why := v.canOpen(); !ok {
		return v.Say(why, false)
	}
	return sets{v}.choose()
}

// sets chooses and makes query sets.
type sets struct{ *View }

// choose offers the sets of the folder.
func (v sets) choose() tea.Cmd {
	folder, corpus := v.Session().Sets(), v.Session().Corpus().Name
	return v.reading.Run(v.Context(), func(context.Context) func() tea.Cmd {
		names, err := judgment.List(folder)
		var all []widget.Choice
		for _, name := range names {
			all = append(all, widget.Choice{Value: name, Title: name, Key: about(folder, name, corpus)})
		}
		return func() tea.Cmd {
			if err != nil {
				return v.Say(err.Error(), true)
			}
			return v.offer(all)
		}
	})
}

// madeOn begins what is said of a set that was made on another corpus.
const madeOn = "made on "

// about says in a few words what is to be known of a set before it is opened on a corpus. It
// reads a file.
func about(folder, name, corpus string) string {
	a, err := judgment.Describe(folder, name)
	switch {
	case err != nil:
		return "cannot be read"
	case a.Corpus.Name != "" && corpus != "" && a.Corpus.Name != corpus:
		return madeOn + ansi.Truncate(wording.Line(a.Corpus.Name), 24, "…")
	case a.Origin == judgment.Synthetic:
		return "synthetic"
	}
	return ""
}

// offer offers sets, those of other corpora last; where there are none, a new one is named.
func (v sets) offer(all []widget.Choice) tea.Cmd {
	v.LeaveTyping()
	for i := range all {
		if all[i].Value == v.Session().SetName() {
			all[i].Key = "open"
		}
	}
	slices.SortStableFunc(all, func(a, b widget.Choice) int {
		rank := func(c widget.Choice) int { return strings.Index(c.Key, madeOn) }
		return cmp.Compare(rank(a), rank(b))
	})
	all = append(all, widget.Choice{Value: newSet, Title: "new set…"})
	watched := len(v.Session().Watched())
	off := ""
	switch {
	case watched == 0 && len(all) == 1:
		return v.ask("", nil) // there is nothing to choose from
	case watched == 0:
		off = "nothing is watched"
	}
	all = append(all, widget.Choice{Value: watchSet, Title: "new set from the watch list…", Key: wording.Plural(watched, "query"), Off: off})
	if v.Session().SetName() != "" {
		all = append(all, widget.Choice{Value: noSet, Title: "no set: stop measuring"})
	}
	c := view.NewChooser("Query set, kept in "+wording.Line(v.Session().Sets()), all, true)
	c.Then = func(name string) tea.Cmd {
		switch name {
		case newSet:
			return v.ask("", nil)
		case watchSet:
			return v.ask("watched", v.watched())
		case noSet:
			return v.openSet("")
		}
		return v.openSet(name)
	}
	c.None, c.Else = "no set has that name: enter makes it", func(name string) tea.Cmd { return v.ask(strings.TrimSpace(wording.Line(name)), nil) }
	return v.Push(c)
}

// watched is the watch list as a set has it.
func (v sets) watched() []judgment.Expected {
	var all []judgment.Expected
	for _, w := range v.Session().Watched() {
		all = append(all, judgment.Expected{Query: w.Query, Page: w.Required()})
	}
	return all
}

// FromWatched makes a set of the watch list at once, named after the corpus, and opens it.
func FromWatched(v *View) tea.Cmd {
	list := sets{v}.watched()
	switch ok, why := v.canOpen(); {
	case !ok:
		return v.Say(why, false)
	case len(list) == 0:
		return v.Say("nothing is watched: {watch.toggle} watches a query", false)
	}
	folder, by, base := v.Session().Sets(), v.Session().JudgeName(), nameFor(v.Session().Corpus().Name)
	return v.making.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
		name := base
		_, err := judgment.CreateExpected(ctx, folder, name, judgment.About{Seed: rand.Uint32()}, list, by, time.Now())
		for n := 2; errors.Is(err, judgment.ErrSetExists); n++ {
			name = base + "-" + strconv.Itoa(n)
			_, err = judgment.CreateExpected(ctx, folder, name, judgment.About{Seed: rand.Uint32()}, list, by, time.Now())
		}
		return func() tea.Cmd {
			if err != nil {
				return v.Say(wording.FirstLine(err), true)
			}
			said := "the watch list is now the query set " + name + " as well, which the header measures by"
			return tea.Batch(v.openSet(name), v.Say(said, false))
		}
	})
}

// nameFor is a name for a set of what a corpus is watched for.
func nameFor(corpus string) string {
	name := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_') {
			return r
		}
		return '-'
	}, corpus)
	const most = 80 // of the 100 bytes that a name may have
	return cmp.Or(strings.Trim(name[:min(len(name), most)], ".-"), "corpus") + "-watched"
}

// ask asks for the name of a new set, and makes it.
func (v sets) ask(name string, list []judgment.Expected) tea.Cmd {
	var p *view.Prompt
	p = view.NewPrompt("New query set", "name, such as faq", name, func(string) error { return nil }, func(name string) tea.Cmd {
		folder, by := v.Session().Sets(), v.Session().JudgeName()
		return v.making.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
			_, err := judgment.CreateExpected(ctx, folder, name, judgment.About{Seed: rand.Uint32()}, list, by, time.Now())
			return func() tea.Cmd {
				if open := v.Answer(p, err); err != nil || !open {
					return nil
				}
				return v.openSet(name)
			}
		})
	})
	p.Verb, p.Stays = "make", true
	return v.Push(p)
}
