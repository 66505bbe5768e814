package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// setting is a named set of parameters.
type setting struct {
	name   string
	params param.Params
}

// tuning is the state of what is being tuned. The parameters on the screen differ
// from those of a preset or profile as long as nobody has saved them.
type tuning struct {
	open bool // the drawer of parameters is shown
	// start is what the preset or profile gives: what the parameters are compared
	// with as long as nothing is pinned.
	start  setting
	params param.Params
	pinned *setting
	// undo and redo are parameters that were left, latest last.
	undo, redo []tuned
	// restored are the parameters of an earlier session that this one began with,
	// nil for none.
	restored *param.Params
	// field and at are the last change's, so that a row of steps with one knob is
	// undone at once.
	field string
	at    time.Time

	// asking is the work of fetching what the parameters need beyond the evidence;
	// pending says why, empty when nothing is being fetched.
	asking  work
	pending string
	// unasked is why the corpus did not give what the parameters need: what is
	// shown is then of earlier ones. Empty when it is of these.
	unasked string

	// base is the result of the baseline for the present query, nil while it is
	// not known; baseOf is what it was made by. diff is how the shown result
	// differs from it.
	base   *retrieval.Result
	baseOf setting
	// basingOn is set while the corpus is asked for it, baseFailed when it did not
	// answer.
	basingOn, baseFailed bool
	basing               work
	diff                 *retrieval.Comparison
	// unlike says that one of them lists sections and the other passages, which
	// are not compared.
	unlike bool
	// diffOf are the two results that diff compares.
	diffOf [2]*retrieval.Result

	drawer drawer
	// gathers counts how often more was gathered for an answer.
	gathers int
	// origins and bases say where the values of presets and profiles come from and
	// on which preset they are based, by name.
	origins map[string]func(field string) string
	bases   map[string]string
	// plain are the presets and profiles as they are, by name, before they were
	// adapted to a corpus.
	plain    map[string]Profile
	choosing work
}

// tuned is a set of parameters that was left, with the name of what it came from.
type tuned struct {
	start  setting
	params param.Params
}

// mostUndone bounds how many changes can be undone.
const mostUndone = 500

// gesture is the pause that divides two changes of one parameter.
const gesture = time.Second

// tunePause is how long a parameter rests before the corpus is asked for what it
// needs.
const tunePause = 120 * time.Millisecond

// diffDepth is the k of the overlap that is shown.
const diffDepth = 10

func newTuning(name string, p param.Params) tuning {
	return tuning{start: setting{name, p}, params: p}
}

// params are the parameters that the screen shows.
func (m *Model) params() param.Params { return m.tune.params }

// settingName is the name of the parameters; a star says that they were changed.
func (m *Model) settingName() string {
	name := oneLine(m.tune.start.name)
	if m.tune.params != m.tune.start.params {
		name += "*"
	}
	return name
}

// baseline is what the parameters are compared with.
func (m *Model) baseline() setting {
	if m.tune.pinned != nil {
		return *m.tune.pinned
	}
	return m.tune.start
}

// setParams changes the parameters and ranks anew. field is the parameter that
// was changed; several changes of one in a row are undone at once. It is empty
// for a change of many.
func (m *Model) setParams(p param.Params, field string) tea.Cmd {
	if p == m.tune.params {
		return nil
	}
	t, now := &m.tune, m.opts.Now()
	if field == "" || field != t.field || now.Sub(t.at) > gesture || len(t.undo) == 0 {
		t.remember()
	}
	t.field, t.at, t.redo = field, now, nil
	t.params = p
	return m.retune()
}

// startFrom changes to the parameters of a preset or profile.
func (m *Model) startFrom(s setting) tea.Cmd {
	t := &m.tune
	if s == t.start && s.params == t.params {
		return nil
	}
	t.remember()
	t.field, t.redo = "", nil
	t.start, t.params = s, s.params
	return m.retune()
}

func (t *tuning) remember() {
	t.undo = append(t.undo, tuned{t.start, t.params})
	if len(t.undo) > mostUndone {
		t.undo = t.undo[1:]
	}
}

// undoChange takes the last change back, redoChange makes it again.
func (m *Model) undoChange() tea.Cmd {
	return m.exchange(&m.tune.undo, &m.tune.redo, "nothing to undo")
}

func (m *Model) redoChange() tea.Cmd {
	return m.exchange(&m.tune.redo, &m.tune.undo, "nothing to redo")
}

func (m *Model) exchange(from, to *[]tuned, none string) tea.Cmd {
	n := len(*from)
	if n == 0 {
		return m.say(none, false)
	}
	t := &m.tune
	*to = append(*to, tuned{t.start, t.params})
	last := (*from)[n-1]
	*from = (*from)[:n-1]
	t.start, t.params, t.field = last.start, last.params, ""
	return m.retune()
}

// retune ranks by the changed parameters and keeps the selection.
func (m *Model) retune() tea.Cmd {
	if m.evidence == nil {
		if m.failure != nil && m.asked != "" {
			return m.sendQuery(true) // the change may be what makes it answer
		}
		return nil
	}
	keep := ""
	if it := m.results.selected(); it != nil {
		keep = it.ChunkID
	}
	return m.rerank(keep)
}

// rerank ranks the evidence by the parameters and shows the result at once, if
// the evidence reaches that far. Otherwise what is shown stays until the corpus
// was asked.
func (m *Model) rerank(keep string) tea.Cmd {
	t := &m.tune
	t.asking.end()
	t.pending, t.unasked = "", ""
	ok, why := m.evidence.Covers(t.params)
	record := recorders()
	// So many cannot be explained within a frame: they are once the knob rests.
	bare := m.result != nil && len(m.result.Items) > explainedAtOnce
	if bare {
		record = retrieval.Options{}
	}
	result, needs := m.evidence.Rank(t.params, record)
	onlyTexts := len(needs.Edges) == 0 && len(needs.Words) == 0 && needs.Rerank == nil
	switch {
	case !ok:
		t.pending = why
	case !onlyTexts:
		t.pending = "edges, words or scores have to be fetched"
	}
	shown := t.pending == "" || m.result == nil
	if shown {
		m.result = &result
	}
	base := m.rankBaseline()
	if shown {
		m.list(keep) // after comparing: what is gone is listed, too
	}
	if t.pending == "" && needs.IsZero() && !bare {
		return tea.Batch(base, m.reranked())
	}
	if t.pending == "" && needs.IsZero() {
		return tea.Batch(base, m.reranked(), m.after(tunePause, recordDue{t.asking.gen}))
	}
	return tea.Batch(base, m.reranked(), m.after(tunePause, tuneDue{t.asking.gen}))
}

// explainedAtOnce is the most sections that are explained while a frame waits: a
// microsecond or more each.
const explainedAtOnce = 2000

// recorders are what the screen shows of a ranking beside its order.
func recorders() retrieval.Options { return retrieval.Options{Trace: true, Explain: true} }

// recordDue says that the knob has rested and the ranking is to be explained.
type recordDue struct{ gen int }

func (msg recordDue) arrive(m *Model) tea.Cmd {
	if msg.gen != m.tune.asking.gen || m.evidence == nil {
		return nil
	}
	ev, params := m.evidence, m.tune.params
	return func() tea.Msg {
		r, _ := ev.Rank(params, recorders())
		return rankingExplained{gen: msg.gen, result: &r}
	}
}

// rankingExplained brings the shown ranking again, with its explanations.
type rankingExplained struct {
	gen    int
	result *retrieval.Result
}

func (msg rankingExplained) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	if msg.gen != m.tune.asking.gen {
		return nil
	}
	keep := ""
	if it := m.results.selected(); it != nil {
		keep = it.ChunkID
	}
	m.result = msg.result
	m.list(keep)
	return nil
}

// reranked is what follows each new ranking, beside the list.
func (m *Model) reranked() tea.Cmd {
	m.selectWanted()
	return tea.Batch(m.judgeWatched(), m.countWords())
}

// tuneDue says that the parameters have rested for long enough to ask the corpus.
type tuneDue struct{ gen int }

func (msg tuneDue) arrive(m *Model) tea.Cmd {
	t := &m.tune
	if msg.gen != t.asking.gen || m.evidence == nil || m.corpus == nil {
		return nil
	}
	// begin makes a new generation, so this cannot come twice.
	ctx, gen := t.asking.begin(m.ctx)
	query, params, ev, e := m.answeredQuery, t.params, m.evidence, m.corpus.Engine
	covered, _ := ev.Covers(params)
	return func() tea.Msg {
		var err error
		if covered {
			ev, err = e.Complete(ctx, ev, params)
		} else {
			ev, err = e.Gather(ctx, retrieval.Query{Text: query}, params)
		}
		return tuneGathered{gen: gen, evidence: ev, err: err}
	}
}

// tuneGathered brings evidence that reaches as far as the parameters.
type tuneGathered struct {
	gen      int
	evidence Evidence
	err      error
}

func (msg tuneGathered) arrive(m *Model) tea.Cmd {
	t := &m.tune
	if msg.gen != t.asking.gen {
		return nil
	}
	t.pending = ""
	if msg.err != nil {
		if errors.Is(msg.err, context.Canceled) {
			return nil
		}
		t.unasked = firstLine(msg.err)
		if isOutage(msg.err) {
			return m.lose(msg.err)
		}
		var unseen *NotRecordedError
		if errors.As(msg.err, &unseen) {
			return m.say("not recorded: "+unseen.Why+"; "+m.keyed("{tune.undo} takes the change back"), true)
		}
		return m.say("the corpus could not be asked: "+msg.err.Error(), true)
	}
	m.evidence = msg.evidence
	t.gathers++
	keep := ""
	if it := m.results.selected(); it != nil {
		keep = it.ChunkID
	}
	// What was fetched is enough by construction: a second round would mean that
	// the corpus changes under it, and the next key asks again.
	result, _ := m.evidence.Rank(t.params, recorders())
	m.result = &result
	base := m.rankBaseline()
	m.list(keep)
	return tea.Batch(base, m.reranked())
}

// pin makes the present parameters the baseline, or lets it go.
func (m *Model) pin() tea.Cmd {
	t := &m.tune
	if t.pinned != nil && t.pinned.params == t.params {
		t.pinned = nil
		return tea.Batch(m.rankBaseline(), m.judgeWatched(), m.say("compared with "+oneLine(t.start.name)+" again", false))
	}
	t.pinned = &setting{"pinned " + m.settingName(), t.params}
	return tea.Batch(m.rankBaseline(), m.judgeWatched(), m.say("pinned: what changes from here on is shown", false))
}

// rankBaseline makes the result that the shown one is compared with: from the
// evidence if it reaches that far, else by asking the corpus.
func (m *Model) rankBaseline() tea.Cmd {
	t, b := &m.tune, m.baseline()
	if m.evidence == nil || t.baseOf == b && (t.base != nil || t.basingOn || t.baseFailed) {
		m.compare()
		return nil
	}
	t.forgetBase()
	t.baseOf = b
	if ok, _ := m.evidence.Covers(b.params); ok {
		if r, needs := m.evidence.Rank(b.params, retrieval.Options{}); len(needs.Edges)+len(needs.Words) == 0 && needs.Rerank == nil {
			t.base = &r
			m.compare()
			return nil
		}
	}
	m.compare()
	if m.corpus == nil {
		return nil
	}
	t.basingOn = true
	return m.after(tunePause, baselineDue{t.basing.gen})
}

// forgetBase gives up the baseline's result, and the asking for it.
func (t *tuning) forgetBase() {
	t.basing.end()
	t.base, t.baseOf, t.basingOn, t.baseFailed = nil, setting{}, false, false
}

// baselineDue says that the baseline has rested for long enough to ask the corpus
// for its result.
type baselineDue struct{ gen int }

func (msg baselineDue) arrive(m *Model) tea.Cmd {
	t := &m.tune
	if msg.gen != t.basing.gen || m.corpus == nil {
		return nil
	}
	ctx, gen := t.basing.begin(m.ctx)
	query, e, b := m.answeredQuery, m.corpus.Engine, t.baseOf
	return func() tea.Msg {
		ev, err := e.Gather(ctx, retrieval.Query{Text: query}, b.params)
		if err != nil {
			return baselineRanked{gen: gen, err: err}
		}
		r, _ := ev.Rank(b.params, retrieval.Options{})
		return baselineRanked{gen: gen, result: &r}
	}
}

// baselineRanked brings the baseline's result.
type baselineRanked struct {
	gen    int
	result *retrieval.Result
	err    error
}

func (msg baselineRanked) arrive(m *Model) tea.Cmd {
	t := &m.tune
	if msg.gen != t.basing.gen {
		return nil
	}
	t.basingOn = false
	if msg.err != nil { // without a baseline nothing is compared
		t.baseFailed = true
		if errors.Is(msg.err, context.Canceled) || isOutage(msg.err) {
			return nil
		}
		return m.say("not compared with "+oneLine(t.baseOf.name)+": "+firstLine(msg.err), true)
	}
	t.base = msg.result
	m.compare()
	return m.judgeWatched()
}

// compare finds out how the shown result differs from the baseline's.
func (m *Model) compare() {
	t := &m.tune
	t.unlike = t.base != nil && m.result != nil && unlikeUnits(t.base, m.result)
	if t.base == nil || m.result == nil || t.unlike {
		t.diff, t.diffOf = nil, [2]*retrieval.Result{}
	} else if of := [2]*retrieval.Result{t.base, m.result}; of != t.diffOf {
		c := retrieval.Compare(*t.base, *m.result, diffDepth)
		t.diff, t.diffOf = &c, of
	}
	m.reserveMoves()
	m.results.change(m.result, changesOf(t.diff, t.base, oneLine(m.baseline().name)))
}
