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

func (v *View) restoreSnapshot(sn *session.Snapshot) tea.Cmd {
	return v.restoreSide(&side{Setting: session.Setting{Name: sn.Name, Params: sn.Setting.Params}})
}

func (v *View) deleteSnapshot(s *session.Snapshot) tea.Cmd {
	v.Session().Drop(s)
	return tea.Batch(v.Begin(nil), v.Say("no longer kept: "+s.Name, false))
}

func (v *View) hasSnapshot() (bool, string) {
	return len(v.Session().Snapshots()) > 0, "no snapshot was taken yet: {snapshot.take} takes one"
}
