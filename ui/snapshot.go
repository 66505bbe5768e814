package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
)

// snapshot is a ranking that was kept under a name.
type snapshot struct {
	name, query string
	setting     session.Setting
	// result holds ids, names, ranks and scores, and no texts.
	result retrieval.Result
}

// mostSnapshots bounds how many rankings are kept; the oldest make room.
const mostSnapshots = 50

// snapshotName is the longest name of a snapshot, in code points.
const snapshotName = 40

// bareResult is what a comparison needs of a result.
func bareResult(r *retrieval.Result) retrieval.Result {
	b := retrieval.Result{
		Mode: r.Mode, ChildrenFound: r.ChildrenFound, KeywordFound: r.KeywordFound, Floor: r.Floor,
		Items: make([]retrieval.Item, len(r.Items)),
	}
	for i := range r.Items {
		it := &r.Items[i]
		b.Items[i] = retrieval.Item{
			ChunkID: it.ChunkID, ParentID: it.ParentID, Level: it.Level, SourceURL: it.SourceURL, Title: it.Title, SectionHeading: it.SectionHeading, HeadingPath: it.HeadingPath,
			Rank: it.Rank, Score: it.Score, Scale: it.Scale, RawSimilarity: it.RawSimilarity, HasRaw: it.HasRaw,
			Vector: it.Vector, Keyword: it.Keyword, Hop: it.Hop,
		}
	}
	return b
}

// now is the ranking on the screen as a snapshot.
func (m *Model) snapshotNow(name string) *snapshot {
	return &snapshot{name: name, query: m.session.Query(), setting: session.Setting{Name: m.session.Name(), Params: m.session.Params()}, result: bareResult(m.session.Result())}
}

// freeName is the name of the parameters, with a number where it is taken.
func (m *Model) freeName() string {
	name := m.session.Name()
	free := name
	for n := 2; m.snapshotCalled(free) != nil; n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

func (m *Model) snapshotCalled(name string) *snapshot {
	for _, s := range m.snapshots {
		if s.name == name {
			return s
		}
	}
	return nil
}

// takeSnapshot asks for a name and keeps the ranking on the screen under it.
func (m *Model) takeSnapshot() tea.Cmd {
	free := m.freeName()
	named := func(typed string) string { return cmp.Or(strings.TrimSpace(typed), free) }
	check := func(typed string) error {
		name := named(typed)
		switch {
		case len([]rune(name)) > snapshotName:
			return fmt.Errorf("at most %d characters", snapshotName)
		case m.snapshotCalled(name) != nil:
			return fmt.Errorf("there is a snapshot called %s already", name)
		}
		return nil
	}
	p := newPrompt("Take a snapshot of this ranking", "a name to find it again by; nothing typed is "+free, "", check, func(m *Model, typed string) tea.Cmd {
		if m.session.Result() == nil {
			return nil
		}
		name := named(typed)
		m.snapshots = append(m.snapshots, m.snapshotNow(name))
		if over := len(m.snapshots) - mostSnapshots; over > 0 {
			m.snapshots = slices.Delete(m.snapshots, 0, over)
		}
		return m.say("kept as "+name+"; D compares it", false)
	})
	p.verb = "keep"
	p.input.Placeholder = free
	return m.push(p)
}

// chooseSnapshot lets one of the snapshots be chosen, the latest first.
func (m *Model) chooseSnapshot(title string, then func(*Model, *snapshot) tea.Cmd) tea.Cmd {
	var all []widget.Choice
	for _, s := range slices.Backward(m.snapshots) {
		all = append(all, widget.Choice{Value: s.name, Title: oneLine(s.name + "   " + s.query), Key: ""})
	}
	c := newChooser(title, all, true)
	c.then = func(m *Model, name string) tea.Cmd {
		if s := m.snapshotCalled(name); s != nil {
			return then(m, s)
		}
		return nil
	}
	return m.push(c)
}

// compareSnapshots shows a snapshot beside the ranking on the screen. Of several,
// it lets one be chosen.
func (m *Model) compareSnapshots() tea.Cmd {
	show := func(m *Model, s *snapshot) tea.Cmd {
		return m.push(newPairDialog(m.pairs(), s))
	}
	if len(m.snapshots) == 1 {
		return show(m, m.snapshots[0])
	}
	return m.chooseSnapshot("Compare which snapshot", show)
}

// pairs are the rankings that can be compared: the snapshots, then the one on the
// screen.
func (m *Model) pairs() []*snapshot {
	all := slices.Clone(m.snapshots)
	if m.session.Result() != nil {
		all = append(all, m.snapshotNow("now"))
	}
	return all
}

// restoreSnapshot sets the parameters of a snapshot. What they are compared with
// stays.
func (m *Model) restoreSnapshot(s *snapshot) tea.Cmd {
	if s.setting.Params == m.session.Params() {
		return m.say("these are its parameters already", false)
	}
	return tea.Batch(m.setParams(s.setting.Params, ""), m.say("the parameters of "+s.name+"; {tune.undo} takes them back", false))
}

func (m *Model) deleteSnapshot(s *snapshot) tea.Cmd {
	m.snapshots = slices.DeleteFunc(m.snapshots, func(o *snapshot) bool { return o == s })
	return m.say("no longer kept: "+s.name, false)
}

func hasResult(m *Model) (bool, string) { return m.session.Result() != nil, "ask a query first" }

func hasSnapshot(m *Model) (bool, string) {
	return len(m.snapshots) > 0, "no snapshot was taken yet: {snapshot.take} takes one"
}

func snapshotActions() []action {
	return []action{
		{
			ID: "snapshot.take", Title: "Snapshot: Take", Help: "Keep this ranking with its parameters under a name.",
			Keys: []string{"S"}, Contexts: anyPane, Enabled: hasResult, Run: func(m *Model) tea.Cmd { return m.takeSnapshot() },
		},
		{
			ID: "snapshot.compare", Title: "Snapshot: Compare", Help: "Show a snapshot beside this ranking, or two snapshots side by side.",
			Keys: []string{"D"}, Contexts: anyPane, Enabled: hasSnapshot, Run: func(m *Model) tea.Cmd { return m.compareSnapshots() },
		},
		{
			ID: "snapshot.restore", Title: "Snapshot: Restore its parameters…", Help: "Set the parameters that a snapshot was taken with.",
			Contexts: anyPane, Enabled: hasSnapshot,
			Run: func(m *Model) tea.Cmd {
				return m.chooseSnapshot("Restore whose parameters", (*Model).restoreSnapshot)
			},
		},
		{
			ID: "snapshot.delete", Title: "Snapshot: Delete…", Help: "Forget a snapshot.",
			Contexts: anyPane, Enabled: hasSnapshot,
			Run: func(m *Model) tea.Cmd { return m.chooseSnapshot("Delete which snapshot", (*Model).deleteSnapshot) },
		},
	}
}
