package compare

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// takeSnapshot asks for a name and keeps the ranking on the screen under it.
func (v *View) takeSnapshot() tea.Cmd {
	free, _ := v.Session().SnapshotName("")
	check := func(typed string) error {
		_, err := v.Session().SnapshotName(typed)
		return err
	}
	p := view.NewPrompt("Take a snapshot of this ranking", "a name to find it again by; nothing typed is "+free, "", check, func(typed string) tea.Cmd {
		name, err := v.Session().SnapshotName(typed)
		if v.Session().Result() == nil || err != nil {
			return nil
		}
		v.Session().Keep(name)
		return tea.Batch(v.Begin(nil), v.Say("kept as "+name+"; {snapshot.compare} compares it, in later sessions too", false))
	})
	p.Verb = "keep"
	p.Input.Placeholder = free
	return v.Push(p)
}

// chooseSnapshot lets one of the snapshots be chosen, the latest first.
func (v *View) chooseSnapshot(title string, then func(*session.Snapshot) tea.Cmd) tea.Cmd {
	var all []widget.Choice
	for _, s := range slices.Backward(v.Session().Snapshots()) {
		all = append(all, widget.Choice{Value: s.Name, Title: wording.Line(s.Name + "   " + s.Query), Key: ""})
	}
	c := view.NewChooser(title, all, true)
	c.Then = func(name string) tea.Cmd {
		if s := v.Session().Snapshot(name); s != nil {
			return then(s)
		}
		return nil
	}
	return v.Push(c)
}

// compareSnapshots shows a snapshot beside the ranking on the screen. Of several,
// it lets one be chosen.
func (v *View) compareSnapshots() tea.Cmd {
	show := func(s *session.Snapshot) tea.Cmd {
		return v.Push(newPairDialog(v.pairs(), s, v.restoreSnapshot))
	}
	if len(v.Session().Snapshots()) == 1 {
		return show(v.Session().Snapshots()[0])
	}
	return v.chooseSnapshot("Compare which snapshot", show)
}

// pairs are the rankings that can be compared: the snapshots, then the one on the
// screen.
func (v *View) pairs() []*session.Snapshot {
	all := slices.Clone(v.Session().Snapshots())
	if now := v.Session().Present("now"); now != nil {
		all = append(all, now)
	}
	return all
}

// restoreSnapshot sets the parameters of a snapshot. What they are compared with
// stays.
func (v *View) restoreSnapshot(s *session.Snapshot) tea.Cmd {
	if s.Setting.Params == v.Session().Params() {
		return v.Say("these are its parameters already", false)
	}
	return tea.Batch(v.Set(s.Setting.Params, ""), v.Say("the parameters of "+s.Name+"; {tune.undo} takes them back", false))
}

func (v *View) deleteSnapshot(s *session.Snapshot) tea.Cmd {
	v.Session().Drop(s)
	return tea.Batch(v.Begin(nil), v.Say("no longer kept: "+s.Name, false))
}

func (v *View) hasResult() (bool, string) { return v.Session().Result() != nil, "ask a query first" }

func (v *View) hasSnapshot() (bool, string) {
	return len(v.Session().Snapshots()) > 0, "no snapshot was taken yet: {snapshot.take} takes one"
}
