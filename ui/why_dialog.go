package ui

import (
	"slices"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// whyStage is what the dialog shows.
type whyStage int

const (
	whyPicking  whyStage = iota // a text is being picked
	whyLooking                  // it is being looked into
	whyReported                 // the report, or why there is none
)

// whyDialog answers why a text is not among the results: it is picked, looked
// into, and what would let it in is chosen.
type whyDialog struct {
	m      *Model
	stage  whyStage
	picker whyPicker
	// fromPicker says that esc leads back to the picker.
	fromPicker bool

	// What the answer is about: the query, the parameters, and of the result what
	// the report does not say.
	query    string
	setting  string
	params   param.Params
	children int // of the corpus, 0 while it is not known
	result   *retrieval.Result
	tails    session.Tails

	target whynot.Target
	spin   int // steps of waiting, 0 while nothing is said of it
	report *whynot.Report
	err    error
	// watched is how many of the watched queries each suggestion keeps, as far as
	// that was asked; nil without any.
	watched []watchedBy
	// meant are the chunks that the target means, the first as it was asked for;
	// of them at is reported on.
	meant []whynot.TargetChunk
	first whynot.Target
	at    int
	page  whyPage
}

func newWhyDialog(m *Model) *whyDialog {
	d := &whyDialog{
		m:     m,
		query: m.session.Query(), setting: m.session.Name(), params: m.session.Params(), result: m.session.Result(), tails: m.tails,
		picker: whyPicker{input: widget.NewInput(), ranks: map[string]int{}},
	}
	if m.stats != nil {
		d.children = m.stats.Children
	}
	d.picker.input.Focus()
	if m.session.Result() == nil {
		return d
	}
	for i := range m.session.Result().Items {
		it := &m.session.Result().Items[i]
		for _, key := range append(slices.Clone(it.Merged), it.ChunkID, it.SourceURL) {
			if at := d.picker.ranks[key]; at == 0 || it.Rank < at {
				d.picker.ranks[key] = it.Rank
			}
		}
	}
	return d
}

// begin waits for the report on a text.
func (d *whyDialog) begin(t whynot.Target) {
	d.stage, d.target, d.report, d.err, d.spin = whyLooking, t, nil, nil, 0
	d.page, d.watched = whyPage{}, nil
}

// show shows a report.
func (d *whyDialog) show(r whynot.Report) {
	d.stage, d.report = whyReported, &r
	if d.meant == nil && r.Meant > 0 {
		d.meant, d.first, d.at = append([]whynot.TargetChunk{r.Chunk}, r.Others...), d.target, 0
	}
}

func (d *whyDialog) Handle(msg tea.Msg) view.Verdict {
	if d.stage == whyPicking {
		return d.handlePicker(msg)
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		d.page.Turn(view.WheelVerb(msg))
	case tea.MouseClickMsg:
		d.page.click(msg.Y - whyHead)
	case tea.KeyPressMsg:
		return d.handleKey(msg.String())
	}
	return view.Verdict{}
}

func (d *whyDialog) handlePicker(msg tea.Msg) view.Verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		d.picker.Go(d.picker.At + view.WheelVerb(msg).Rows(0))
		return view.Verdict{}
	case tea.MouseClickMsg:
		if row := d.picker.click(msg.Y - whyHead); row != nil {
			return d.choose(row.target)
		}
		return view.Verdict{}
	case tea.KeyPressMsg:
		if msg.String() == "esc" {
			return d.close()
		}
	}
	chosen, changed := d.picker.handle(msg)
	switch {
	case chosen != nil:
		return d.choose(chosen.target)
	case changed:
		return view.Verdict{Then: func() tea.Cmd { return d.m.narrowWhy(d) }}
	}
	return view.Verdict{}
}

func (d *whyDialog) close() view.Verdict {
	return view.Verdict{Closed: true, Then: d.m.closeWhy}
}

// choose looks into a text that was picked.
func (d *whyDialog) choose(t whynot.Target) view.Verdict {
	d.meant = nil
	return view.Verdict{Then: func() tea.Cmd { return d.m.lookInto(d, t) }}
}

// pick leads to the picker.
func (d *whyDialog) pick() view.Verdict {
	d.fromPicker = true
	return view.Verdict{Then: func() tea.Cmd { return d.m.startPicking(d) }}
}

func (d *whyDialog) handleKey(key string) view.Verdict {
	switch key {
	case "esc":
		if d.fromPicker {
			return d.pick()
		}
		return d.close()
	case "q":
		return d.close()
	case "w", "/":
		return d.pick()
	}
	if d.stage != whyReported || d.report == nil {
		return view.Verdict{}
	}
	p := &d.page
	n := len(d.report.Suggestions)
	switch key {
	case "space", "right", "l", "left", "h":
		p.open = !p.open
		p.follow = true
	case "n":
		return d.step(1)
	case "N":
		return d.step(-1)
	case "enter":
		return d.apply()
	default:
		p.move(view.Motions[key], n)
	}
	return view.Verdict{}
}

// step goes to another of the chunks that are meant.
func (d *whyDialog) step(n int) view.Verdict {
	if len(d.meant) < 2 {
		return view.Verdict{}
	}
	d.at = ((d.at+n)%len(d.meant) + len(d.meant)) % len(d.meant)
	t := whynot.Target{ChunkID: d.meant[d.at].ChunkID}
	if d.at == 0 {
		t = d.first
	}
	return view.Verdict{Then: func() tea.Cmd { return d.m.lookInto(d, t) }}
}

// apply makes the selected change.
func (d *whyDialog) apply() view.Verdict {
	if d.page.at >= len(d.report.Suggestions) {
		return view.Verdict{}
	}
	s := &d.report.Suggestions[d.page.at]
	return view.Verdict{Closed: true, Then: func() tea.Cmd {
		cmd := d.m.closeWhy()
		return tea.Batch(cmd, d.m.applyWhy(d, s))
	}}
}

// whyHead is how many lines stand above the picker and the report.
const whyHead = 1

func (d *whyDialog) IsWhole() {}

func (d *whyDialog) Draw(s *theme.Styles, w, h int) []string {
	title := "Why is this not among the results?"
	switch {
	case d.stage == whyPicking:
		title = "Why is something not among the results?"
	case d.stage == whyReported && d.report != nil && d.report.Present:
		title = "Why this is among the results"
	}
	head := " " + s.Title.Render(ansi.Truncate(title, max(1, w-4), s.Signs.Ellipsis)) + " "
	if note := d.passageNote(); note != "" && ansi.StringWidth(head)+ansi.StringWidth(note)+3 <= w {
		head += " " + s.Faint.Render(note) + " "
	}
	lines := []string{head + s.Rule.Render(widget.Repeat(s.Signs.Rule, w-ansi.StringWidth(head)))}
	room := max(0, h-2)
	var body []string
	if d.stage == whyPicking {
		body = d.picker.view(s, w, room)
	} else {
		body = d.page.view(d, s, w, room)
	}
	lines = append(lines, widget.Clip(body, w, room)...)
	return append(lines, d.footer(s, w))
}

func (d *whyDialog) Cursor() *tea.Cursor {
	if d.stage != whyPicking {
		return nil
	}
	return d.picker.input.Caret(3, 1)
}

// footer names the keys that do something now.
func (d *whyDialog) footer(s *theme.Styles, w int) string {
	arrows := s.Signs.ArrowUp + " " + s.Signs.ArrowDown
	var hints []hint
	switch {
	case d.stage == whyPicking:
		hints = []hint{{key: "enter", verb: "say why"}, {key: arrows, verb: "select"}, {key: "esc", verb: "close"}}
	case d.stage == whyLooking:
		hints = []hint{{key: "esc", verb: "stop looking"}, {key: "w", verb: "another one"}}
	case d.report == nil || len(d.report.Suggestions) == 0:
		hints = []hint{{key: "w", verb: "ask about another one"}, {key: "esc", verb: "close"}}
		if d.page.Total > d.page.Height {
			hints = append(hints, hint{key: "pgdn", verb: "more"})
		}
	case w < 100:
		hints = []hint{{key: "enter", verb: "apply"}, {key: arrows, verb: "select"}, {key: "w", verb: "another"}, {key: "esc", verb: "close"}, {key: "space", verb: "more"}}
	default:
		hints = []hint{{key: "enter", verb: "apply this change"}, {key: arrows, verb: "select"}, {key: "space", verb: "what else it does"}, {key: "w", verb: "another one"}, {key: "esc", verb: "close"}}
	}
	if d.fromPicker && d.stage != whyPicking {
		for i := range hints {
			if hints[i].key == "esc" {
				hints[i].verb = "back"
			}
		}
	}
	if len(d.meant) > 1 && d.stage == whyReported {
		hints = slices.Insert(hints, len(hints)-1, hint{key: "n", verb: "next passage"})
	}
	line := ""
	for _, h := range hints {
		part := s.KeyName.Render(h.key) + " " + s.Faint.Render(h.verb)
		if line != "" {
			part = "   " + part
		}
		if ansi.StringWidth(line)+ansi.StringWidth(part) > w-1 {
			continue
		}
		line += part
	}
	return widget.Fit(" "+line, w)
}
