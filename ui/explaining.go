package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// explaining is what is found out about the selected section beyond its ranking,
// once the selection rests: what its cosines are made of, and what would change
// its rank.
type explaining struct {
	// item is the section that this is about, corpus what it is of; version counts
	// the changes of all that is shown.
	item    *retrieval.Item
	corpus  *session.Corpus
	version int
	rest    int // generation of the pause

	// cosines are those of the sections that were looked at, by cosineKey. cost is
	// how many texts opening those of the item has embedded by a server. asking
	// says that it is being done, failed why it was not.
	cosines map[string]*session.Cosines
	opening work
	cost    int
	asking  bool
	failed  string
	// able says that the item has cosines that can be opened.
	able bool
	// paintKey and leaveOutKey are the keys of the two actions, which can be changed.
	paintKey, leaveOutKey string
	// painted says that the text shows what its words bring.
	painted bool

	// turns are the changes of one parameter that change the item's rank, nil while
	// they are not known.
	// stale says that they are those of the ranking before.
	turns   []whynot.RankBreakpoint
	stale   bool
	turning work
}

// cosinesKept bounds the sections whose cosines are kept: about 10 kB each.
const cosinesKept = 200

// explainPause is how long the selection and the parameters rest before they are
// looked into: a ranking has to be made some hundred times.
const explainPause = 180 * time.Millisecond

// cosineKey tells the openings of cosines apart: of one section, other children
// may match with other parameters.
func cosineKey(query string, it *retrieval.Item) string {
	var b strings.Builder
	b.WriteString(query)
	for i := range it.Matches {
		b.WriteByte('\n')
		b.WriteString(it.Matches[i].ChunkID)
	}
	return b.String()
}

// ofItem are the opened cosines of the item, nil while they are not known.
func (x *explaining) ofItem(query string) *session.Cosines {
	if x.item == nil || len(x.item.Matches) == 0 {
		return nil
	}
	return x.cosines[cosineKey(query, x.item)]
}

// followScore begins to look into a newly selected section, or into the same one
// in a new ranking. What is known of it stays on the screen until more is.
func (m *Model) followScore(it *retrieval.Item) tea.Cmd {
	x := &m.explain
	if m.session.Corpus() != x.corpus {
		// Two corpora may have the same pages, embedded in two ways.
		x.corpus, x.cosines, x.item = m.session.Corpus(), nil, nil
	}
	if it == x.item {
		return nil
	}
	if it == nil || x.item == nil || it.ChunkID != x.item.ChunkID {
		x.turns = nil
	}
	x.item, x.stale = it, true
	x.paintKey, x.leaveOutKey = m.keyOf("cosine.paint"), m.keyOf("cosine.leaveout")
	x.version++
	x.rest++
	x.opening.end()
	x.turning.end()
	x.asking, x.failed, x.cost, x.able = false, "", 0, m.canOpenCosines(it)
	if it == nil || m.session.Corpus() == nil {
		return nil
	}
	if m.session.Corpus().Cosines != nil {
		x.cost = m.session.Corpus().Cosines.Cost(m.session.Query())
	}
	if m.session.Evidence() == nil && !x.able {
		return nil
	}
	return m.after(explainPause, explainDue{x.rest})
}

// canOpenCosines says that an item has cosines that somebody can take apart.
func (m *Model) canOpenCosines(it *retrieval.Item) bool {
	if m.session.Corpus() == nil || m.session.Corpus().Cosines == nil || m.session.Result() == nil || it == nil {
		return false
	}
	for i := range it.Matches {
		if it.Matches[i].Rank > 0 {
			return true
		}
	}
	return false
}

// explainDue says that the selection has rested for long enough.
type explainDue struct{ gen int }

func (msg explainDue) arrive(m *Model) tea.Cmd {
	x := &m.explain
	if msg.gen != x.rest || x.item == nil || m.session.Corpus() == nil {
		return nil
	}
	var open tea.Cmd
	if x.cost == 0 && x.ofItem(m.session.Query()) == nil {
		open = m.openCosines()
	}
	return tea.Batch(open, m.findTurns())
}

// openCosines takes the cosines of the selected section apart.
func (m *Model) openCosines() tea.Cmd {
	x := &m.explain
	it := x.item
	if !m.canOpenCosines(it) {
		return nil
	}
	ctx, gen := x.opening.begin(m.ctx)
	of, query, vector, key := m.session.Corpus(), m.session.Query(), m.session.Result().QueryVector, cosineKey(m.session.Query(), it)
	x.asking, x.failed = true, ""
	x.version++
	return func() tea.Msg {
		found, err := of.Cosines.Cosines(ctx, query, vector, it)
		return cosinesOpened{gen: gen, of: of, key: key, cosines: found, err: err}
	}
}

// cosinesOpened brings the cosines of a section, taken apart. They are right for
// their key and corpus at any time.
type cosinesOpened struct {
	gen     int
	of      *session.Corpus
	key     string
	cosines session.Cosines
	err     error
}

func (msg cosinesOpened) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	x := &m.explain
	if msg.err == nil && msg.of == x.corpus {
		if x.cosines == nil || len(x.cosines) >= cosinesKept {
			x.cosines = map[string]*session.Cosines{}
		}
		x.cosines[msg.key] = &msg.cosines
	}
	if msg.gen != x.opening.gen {
		return nil
	}
	x.asking = false
	x.version++
	switch {
	case errors.Is(msg.err, context.Canceled):
	case msg.err != nil:
		x.failed = wording.Line(msg.err.Error())
	default:
		x.cost = m.session.Corpus().Cosines.Cost(m.session.Query())
	}
	m.repaint()
	return nil
}

// findTurns looks for what would change the rank of the selected section.
func (m *Model) findTurns() tea.Cmd {
	x := &m.explain
	if m.session.Evidence() == nil || m.session.Pending() != "" || m.session.Result() == nil || m.session.Result().Mode == param.ModeFullContext {
		return nil
	}
	ctx, gen := x.turning.begin(m.ctx)
	ev, p, id := m.session.Evidence(), m.session.Params(), x.item.ChunkID
	return func() tea.Msg {
		turns := ev.RankBreakpoints(p, id, func() bool { return ctx.Err() != nil })
		return turnsFound{gen: gen, turns: turns}
	}
}

// turnsFound brings what would change the rank of the selected section.
type turnsFound struct {
	gen   int
	turns []whynot.RankBreakpoint
}

func (msg turnsFound) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	x := &m.explain
	if msg.gen != x.turning.gen {
		return nil
	}
	x.turns, x.stale = msg.turns, false
	x.version++
	return nil
}

func (m *Model) explainActions() []view.Action {
	return []view.Action{
		{
			ID: "cosine.paint", Title: "Cosine: Paint its words", Short: "words", Help: "Paint in the text what each word brings to the cosine; again or esc takes it away.",
			Keys: []string{"c"}, Contexts: reading, Footer: 38, Enabled: m.canPaint,
			Run: m.togglePaint,
		},
		{
			ID: "cosine.leaveout", Title: "Cosine: Leave each word out", Help: "Ask the embedding server for the query without each word; the pane says how many texts that is.",
			Keys: []string{"L"}, Contexts: reading, Enabled: m.canLeaveWordsOut,
			Run: m.openCosines,
		},
	}
}

func (m *Model) canPaint() (bool, string) {
	x := &m.explain
	switch {
	case x.painted:
		return true, ""
	case x.item == nil:
		return false, "nothing is selected"
	case !m.canOpenCosines(x.item):
		return false, "no cosine selected this section: there is nothing to paint"
	case x.ofItem(m.session.Query()) == nil && x.cost > 0:
		return false, "{cosine.leaveout} asks the embedding server first: " + wording.Plural(x.cost, "text")
	case x.failed != "":
		return false, x.failed
	}
	return true, ""
}

func (m *Model) canLeaveWordsOut() (bool, string) {
	x := &m.explain
	switch {
	case x.item == nil:
		return false, "nothing is selected"
	case !m.canOpenCosines(x.item):
		return false, "no cosine selected this section: there is nothing to open"
	case x.asking:
		return false, "the embedding server is being asked"
	case x.cost == 0:
		return false, "what each word brings is known: nobody has to be asked"
	}
	return true, ""
}
