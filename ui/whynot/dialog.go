package whynot

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// stage is what the dialog shows.
type stage int

const (
	picking  stage = iota // a text is being picked
	looking               // it is being looked into
	reported              // the report, or why there is none
)

// dialog answers why a text is not among the results: it is picked, looked
// into, and what would let it in is chosen.
type dialog struct {
	v      *View
	stage  stage
	picker picker
	// fromPicker says that a text was picked: who stops looking into it picks another.
	fromPicker bool

	// What the answer is about: the query, the parameters, and of the result what
	// the report does not say.
	query    string
	params   param.Params
	passages int // of the corpus, 0 while it is not known
	result   *retrieval.Result
	suffixes session.TitleSuffixes

	target whynot.Target
	spin   int // steps of waiting, 0 while nothing is said of it
	report *whynot.Report
	err    error
	// watched is how many of the watched queries each suggestion keeps, as far as
	// that was asked; nil without any. judgedFor is what was watched for then.
	watched   []watchedBy
	judging   view.Work // of them
	judgedFor []session.WatchedQuery
	// meant are the chunks that the target means, the first as it was asked for;
	// of them at is reported on.
	meant []whynot.TargetChunk
	first whynot.Target
	at    int
	page  reportView
}

func newDialog(v *View) *dialog {
	now := v.Session()
	d := &dialog{
		v: v, query: now.Query(), params: now.Params(), result: now.Result(), suffixes: v.TitleSuffixes(), passages: v.passages(),
		picker: picker{input: widget.NewInput(), ranks: map[string]int{}},
	}
	d.picker.input.Focus()
	if d.result == nil {
		return d
	}
	for i := range d.result.Items {
		it := &d.result.Items[i]
		for _, key := range append(slices.Clone(it.Merged), it.ChunkID, it.SourceURL) {
			if at := d.picker.ranks[key]; at == 0 || it.Rank < at {
				d.picker.ranks[key] = it.Rank
			}
		}
	}
	d.picker.near = nearPages(d.result, d.picker.ranks)
	d.picker.nearby = nearbyOf(d.result, d.picker.ranks)
	return d
}

// nearbyOf are the pages and sections that have no rank and came near, by address and id.
func nearbyOf(r *retrieval.Result, ranks map[string]int) map[string]nearMiss {
	near := make(map[string]nearMiss, len(r.NearMisses))
	for i := range r.NearMisses {
		it := &r.NearMisses[i]
		if it.Why == nil {
			continue
		}
		kept := wording.Said(wording.OfArm(it.Why, r.Terms != nil).Say(phrase.Brief), wording.Score)
		for _, key := range []string{it.ChunkID, it.SourceURL} {
			if near[key].at == 0 && ranks[key] == 0 {
				near[key] = nearMiss{i + 1, kept}
			}
		}
	}
	return near
}

// nearPages are the pages that have no rank and came nearest, the nearest first.
func nearPages(r *retrieval.Result, ranks map[string]int) (near []nearPage) {
	for i := range r.NearMisses {
		it := &r.NearMisses[i]
		isKnown := func(n nearPage) bool { return n.url == it.SourceURL }
		if it.Why == nil || ranks[it.SourceURL] > 0 || slices.ContainsFunc(near, isKnown) {
			continue
		}
		near = append(near, nearPage{it.SourceURL, wording.Said(wording.OfArm(it.Why, r.Terms != nil).Say(phrase.Brief), wording.Score)})
	}
	return near
}

// begin waits for the report on a text.
func (d *dialog) begin(t whynot.Target) {
	d.stage, d.target, d.report, d.err, d.spin = looking, t, nil, nil, 0
	d.page, d.watched = reportView{}, nil
	d.judging.End()
}

// show shows a report.
func (d *dialog) show(r whynot.Report) {
	d.stage, d.report = reported, &r
	if d.meant == nil && r.Meant > 0 {
		d.meant, d.first, d.at = append([]whynot.TargetChunk{r.Chunk}, r.Others...), d.target, 0
	}
}

// Handle implements [view.Dialog].
func (d *dialog) Handle(msg tea.Msg) view.Verdict {
	if d.stage == picking {
		return d.handlePicker(msg)
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		d.page.Turn(view.WheelVerb(msg))
	case tea.MouseClickMsg:
		d.page.click(msg.Y - headLines)
	case tea.KeyPressMsg:
		return d.handleKey(msg.String())
	}
	return view.Verdict{}
}

func (d *dialog) handlePicker(msg tea.Msg) view.Verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		d.picker.Go(d.picker.At + view.WheelVerb(msg).Rows(0))
		return view.Verdict{}
	case tea.MouseClickMsg:
		if row := d.picker.click(msg.Y - headLines); row != nil {
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
		return view.Verdict{Then: func() tea.Cmd { return d.v.narrow(d) }}
	}
	return view.Verdict{}
}

func (d *dialog) close() view.Verdict {
	return view.Verdict{Closed: true, Then: func() tea.Cmd {
		d.v.close()
		return d.v.needs.Left()
	}}
}

// choose looks into a text that was picked.
func (d *dialog) choose(t whynot.Target) view.Verdict {
	d.meant, d.picker.left = nil, t
	return view.Verdict{Then: func() tea.Cmd { return d.v.lookInto(d, t) }}
}

// pick leads to the picker.
func (d *dialog) pick() view.Verdict {
	d.fromPicker = true
	return view.Verdict{Then: func() tea.Cmd { return d.v.startPicking(d) }}
}

func (d *dialog) handleKey(key string) view.Verdict {
	switch key {
	case "esc":
		if d.fromPicker && d.stage == looking {
			return d.pick() // there was no answer yet: what was typed stays
		}
		return d.close()
	case "q":
		return d.close()
	case "w":
		d.picker.input.SetValue("") // another one has another name
		return d.pick()
	}
	if d.stage != reported || d.report == nil {
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
	case "*":
		return view.Verdict{Then: func() tea.Cmd { return d.v.watch(d) }}
	default:
		p.move(view.Motions[key], n)
	}
	return view.Verdict{}
}

// step goes to another of the chunks that are meant.
func (d *dialog) step(n int) view.Verdict {
	if len(d.meant) < 2 {
		return view.Verdict{}
	}
	d.at = ((d.at+n)%len(d.meant) + len(d.meant)) % len(d.meant)
	t := whynot.Target{ChunkID: d.meant[d.at].ChunkID}
	if d.at == 0 {
		t = d.first
	}
	return view.Verdict{Then: func() tea.Cmd { return d.v.lookInto(d, t) }}
}

// apply makes the selected change.
func (d *dialog) apply() view.Verdict {
	if d.page.at >= len(d.report.Suggestions) {
		return view.Verdict{}
	}
	s := &d.report.Suggestions[d.page.at]
	return view.Verdict{Closed: true, Then: func() tea.Cmd {
		d.v.close()
		return d.v.apply(d, s)
	}}
}

// headLines is how many lines stand above the picker and the report.
const headLines = 1

// Leads implements [view.LeadingDialog]: the watch list stands over a report, and a new
// question takes its place.
func (d *dialog) Leads(action string) (leads, away bool) {
	asks := action == "query.edit"
	return d.stage != picking && (asks || action == "watch.list"), d.stage != picking && asks
}

// IsWhole implements [view.WholeDialog].
func (d *dialog) IsWhole() {}

// Draw implements [view.Dialog].
func (d *dialog) Draw(s *theme.Styles, w, h int) []string {
	title := "Why is this not among the results?"
	switch {
	case d.stage == picking:
		title = "Why is something not among the results?"
	case d.stage == reported && d.report != nil && d.report.Present:
		title = "Why this is among the results"
	}
	head := " " + s.Title.Render(ansi.Truncate(title, max(1, w-4), s.Signs.Ellipsis)) + " "
	if note := d.passageNote(); note != "" && ansi.StringWidth(head)+ansi.StringWidth(note)+3 <= w {
		head += " " + s.Faint.Render(note) + " "
	}
	room := max(0, h-1)
	var body []string
	above, below := 0, 0
	if d.stage == picking {
		body = d.picker.view(s, w, room)
	} else {
		body = d.page.view(d, s, w, room)
		above, below = d.page.Hidden()
	}
	end := ""
	if more := widget.More(s, above, below); len(more) > 0 {
		end = " " + widget.FirstFitting(w-ansi.StringWidth(head)-3, more...) + " "
	}
	head += s.Rule.Render(widget.Repeat(s.Signs.Rule, w-ansi.StringWidth(head)-ansi.StringWidth(end))) + s.Faint.Render(end)
	return append([]string{head}, widget.Clip(body, w, room)...)
}

// Cursor implements [view.Dialog].
func (d *dialog) Cursor() *tea.Cursor {
	if d.stage != picking {
		return nil
	}
	return d.picker.input.Caret(3, 1)
}

// Hints implements [view.Dialog].
func (d *dialog) Hints() []view.Hint {
	out := view.Closes
	var hints, more []view.Hint
	switch {
	case d.stage == picking:
		return []view.Hint{{Keys: "enter", Verb: "say why"}, {Keys: "up down", Verb: "select"}, out}
	case d.stage == looking:
		return []view.Hint{{Keys: "w", Verb: "another one"}, {Keys: "esc", Verb: "stop looking"}}
	case d.report == nil || len(d.report.Suggestions) == 0:
		hints = []view.Hint{{Keys: "w", Verb: "another one"}}
		if d.page.Total > d.page.Height {
			hints = append(hints, view.Hint{Keys: "pgdown", Verb: "more"})
		}
	default:
		hints = []view.Hint{{Keys: "enter", Verb: "apply"}, {Keys: "w", Verb: "another one"}}
		more = []view.Hint{{Keys: "up down", Verb: "select"}, {Keys: "space", Verb: "what else it does"}}
	}
	if verb := d.v.watchVerb(d); verb != "" {
		hints = append(hints, view.Hint{Keys: "*", Verb: verb})
	}
	hints = append(hints, more...)
	if len(d.meant) > 1 {
		hints = append(hints, view.Hint{Keys: "n", Verb: "next passage"})
	}
	return append(hints, out)
}
