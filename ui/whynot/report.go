package whynot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// reportView is a report on the screen: what is selected of it, and what is visible.
type reportView struct {
	widget.Pager
	at   int  // the selected suggestion
	open bool // all that it changes is listed
	// follow says that the selected suggestion is to be visible at the next
	// drawing.
	follow bool
	of     []int // the suggestion on each line, -1 for none
}

// move selects another of n suggestions, or the first or last. Pages scroll the
// text, and so do rows beyond the ends.
func (p *reportView) move(v widget.Verb, n int) {
	switch to := p.at + v.Rows(0); {
	case v == widget.Home:
		p.at = 0
	case v == widget.End:
		p.at = max(0, n-1)
	case to != p.at && to >= 0 && to < n:
		p.at, p.open, p.follow = to, false, true
		return
	}
	p.Turn(v)
}

func (p *reportView) click(y int) {
	if i, ok := p.RowOf(y); ok && p.of[i] >= 0 {
		p.at, p.open = p.of[i], false
	}
}

// tableWidth is the width from which on standings and suggestions are tables;
// below they are folded.
const tableWidth = 76

// sheet is a report while it is laid out.
type sheet struct {
	*dialog
	s     *theme.Styles
	w     int
	lines []string
	of    []int
	// from is where the suggestions begin.
	from int
}

func (t *sheet) add(lines ...string) {
	for _, l := range lines {
		t.lines, t.of = append(t.lines, l), append(t.of, -1)
	}
}

// say adds a sentence.
func (t *sheet) say(render func(...string) string, text string) {
	t.add(widget.Indented(widget.Styled(render, widget.Wrapped(text, max(1, t.w-2))), 1)...)
}

// gap adds a blank line, unless there is one already or the sheet is empty.
func (t *sheet) gap() {
	if n := len(t.lines); n > 0 && t.lines[n-1] != "" {
		t.add("")
	}
}

// view draws the report. Where there is no room for all of it, what can be done
// comes before the numbers.
func (p *reportView) view(d *dialog, s *theme.Styles, w, h int) []string {
	t := d.sheet(s, w, false)
	if len(t.lines) > h {
		t = d.sheet(s, w, true)
	}
	p.Height, p.Total, p.of = h, len(t.lines), t.of
	if p.follow {
		first, last := slices.Index(t.of, p.at), len(t.of)-1
		for last >= 0 && t.of[last] != p.at {
			last--
		}
		if first >= 0 {
			if p.at == 0 {
				first = min(first, t.from)
			}
			p.Show(last)
			p.Show(first)
			if last < h { // the answer itself stays in sight
				p.Top = 0
			}
		}
		p.follow = false
	}
	p.Scroll(0)
	return t.lines[p.Top:p.Until()]
}

func (d *dialog) sheet(s *theme.Styles, w int, tight bool) *sheet {
	t := &sheet{dialog: d, s: s, w: w}
	if !tight {
		t.add("")
	}
	switch {
	case d.stage == looking:
		t.say(s.Strong.Render, d.targetName())
		if d.spin > 0 {
			t.gap()
			t.add(" " + s.Accent.Render(s.Signs.Spinner[d.spin%4]) + " " + s.Text.Render(phrase.LookingFor+" "+s.Signs.Ellipsis))
			t.say(s.Faint.Render, "Every parameter is tried, and each trial is a ranking.")
		}
		return t
	case d.err != nil:
		t.say(s.Strong.Render, d.targetName())
		t.gap()
		t.say(s.Failure.Render, "! "+wording.FirstLine(d.err))
		return t
	case d.report == nil:
		return t
	}
	t.heading()
	t.verdict()
	if tight {
		t.suggestions()
		t.standings()
	} else {
		t.standings()
		t.suggestions()
	}
	t.notices()
	return t
}

// targetName names what is looked into: as the list did in which it was picked, or the
// results do, else as [targetWords].
func (d *dialog) targetName() string {
	is := func(e entry) bool { return e.target() == d.target }
	if p := d.picker.entries; p != nil && d.target.Quote == "" {
		if at := slices.IndexFunc(p.all, is); at >= 0 {
			return p.all[at].name
		}
	}
	if d.result != nil && d.target.ChunkID != "" {
		for _, items := range [][]retrieval.Item{d.result.Items, d.result.NearMisses} {
			if at := slices.IndexFunc(items, func(it retrieval.Item) bool { return it.ChunkID == d.target.ChunkID }); at >= 0 {
				return wording.ListedTrail(&items[at], d.suffixes)
			}
		}
	}
	return targetWords(d.target)
}

// targetWords name a text that nothing is known of yet.
func targetWords(t whynot.Target) string {
	switch {
	case t.SourceURL != "":
		return wording.Line(t.SourceURL)
	case t.Quote != "":
		return "“" + wording.Line(t.Quote) + "”"
	default:
		return "the section " + wording.Line(t.ChunkID)
	}
}

// passageNote says which of several passages the report is about.
func (d *dialog) passageNote() string {
	r := d.report
	if d.stage != reported || r == nil || len(d.meant) < 2 {
		return ""
	}
	whole := d.first.SourceURL != ""
	switch {
	case whole && d.at == 0:
		return wording.Said(phrase.BestOf.With(phrase.Several(r.Meant, "passage")), wording.Score)
	case whole:
		return phrase.PassageOf.With(d.at+1, len(d.meant)).String()
	default:
		return phrase.OneOfPlaces.With(len(d.meant), d.at+1).String()
	}
}

// heading names what the report is about.
func (t *sheet) heading() {
	c := &t.report.Chunk
	if c.DocumentID == "" {
		t.say(t.s.Strong.Render, targetWords(t.report.Target))
		return
	}
	it := retrieval.Item{SourceURL: c.SourceURL, Title: c.Title, SectionHeading: c.Heading}
	if t.report.Target.SourceURL == "" {
		for _, h := range []string{c.Heading, c.Name} {
			if h != "" && !slices.Contains(it.HeadingPath, h) {
				it.HeadingPath = append(it.HeadingPath, h)
			}
		}
	} else {
		it.SectionHeading = ""
	}
	name := wording.Trail(&it, t.suffixes)
	if t.w < tableWidth {
		t.add(" " + t.s.Strong.Render(wording.CutPath(name, t.w-2)))
		return
	}
	address := wording.ShortURL(c.SourceURL, t.w/2)
	t.add(widget.Spread(" "+t.s.Strong.Render(wording.CutPath(name, t.w-ansi.StringWidth(address)-4)), t.s.Faint.Render(address)+" ", t.w))
}

// verdict is the answer in a sentence, with the sign that it is good or bad.
func (t *sheet) verdict() {
	t.gap()
	sign, style := t.s.Signs.Cross, t.s.Warning
	if t.report.Present {
		sign, style = t.s.Signs.Check, t.s.Up
	}
	said, mark := wording.Line(t.report.Shown()), " "+style.Render(sign)+" "
	if t.s.Spoken {
		word := "not returned: "
		if t.report.Present {
			word = "returned: "
		}
		said, mark = word+said, "   "
	}
	for i, l := range widget.Wrapped(said, max(1, t.w-4)) {
		if i == 0 {
			t.add(mark + t.s.Text.Render(l))
			continue
		}
		t.add("   " + t.s.Text.Render(l))
	}
	if t.report.Present {
		t.gap()
		t.say(t.s.Faint.Render, "Is it another one that is missing? w finds any page or section.")
	}
	if t.report.Absence != "" && t.report.Chunk.DocumentID == "" {
		t.gap()
		t.say(t.s.Faint.Render, absentAdvice(t.report.Target))
	}
}

// absentAdvice says what to do about a text that the corpus does not have.
func absentAdvice(t whynot.Target) string {
	if t.Quote != "" {
		return "Blanks, line ends and case do not matter, every other character does: try a shorter piece of the text, or look for its page (w)."
	}
	return "Pages are listed with their addresses when nothing is typed (w). One that is not there was never indexed, and no parameter brings it."
}

// labelled adds a line with a label before it; what does not fit goes on below.
func (t *sheet) labelled(label string, text string, style func(...string) string) {
	const wide = 11
	if t.w < tableWidth {
		t.add(widget.Indented(widget.Styled(style, widget.Wrapped(label+": "+text, max(1, t.w-2))), 1)...)
		return
	}
	for i, l := range widget.Wrapped(text, max(1, t.w-wide-2)) {
		if i > 0 {
			label = ""
		}
		t.add(" " + t.s.Faint.Render(widget.Fit(label, wide)) + style(l))
	}
}

// standings show where it stands in each arm, and what became of it behind them.
func (t *sheet) standings() {
	r := t.report
	if r.Vector == nil && r.Keyword == nil {
		return
	}
	t.gap()
	var arms []armWords
	if r.Vector != nil {
		arms = append(arms, t.wordsOf(param.StageVector, r.Vector))
	}
	if r.Keyword != nil {
		arms = append(arms, t.wordsOf(param.StageKeyword, r.Keyword))
	}
	scoreWide, rankWide := 0, 0
	for i := range arms {
		if arms[i].rank != "" {
			scoreWide, rankWide = max(scoreWide, ansi.StringWidth(arms[i].score)), max(rankWide, ansi.StringWidth(arms[i].rank))
		}
	}
	for i := range arms {
		t.arm(&arms[i], scoreWide, rankWide)
	}
	if has, lacks := queryWords(t.query, r.Keyword); len(has)+len(lacks) > 0 {
		t.labelled("words", wordsSaid(has, lacks), t.s.Text.Render)
	}
	t.after()
	if r.Graph != nil {
		t.labelled("edges", wording.Exactly(r.Graph.Words(true), &t.s.Signs), t.s.Text.Render)
	}
	if len(r.InResult) > 1 {
		t.labelled("result", wording.Spoken(whynot.NamePlaces(r.InResult), wording.Score, strconv.Itoa, nil), t.s.Text.Render)
	}
}

func (t *sheet) wordsOf(arm string, st *whynot.ArmPosition) armWords {
	in := t.section(cmp.Or(st.Section, st.ChunkID), st.Name)
	return wordsOf(arm, st, t.report, t.params.SimilarityFloor, in, t.passages)
}

// arm adds the line of an arm, or where that is too narrow several.
func (t *sheet) arm(a *armWords, scoreWide, rankWide int) {
	s := t.s
	var parts []string
	for _, c := range a.cuts {
		sign := s.Warning.Render(s.Signs.Cross + " " + c.text)
		if c.passes {
			sign = s.Up.Render(s.Signs.Check) + " " + s.Text.Render(c.text)
		}
		parts = append(parts, sign)
	}
	for _, n := range a.notes {
		parts = append(parts, s.Faint.Render(n))
	}
	head, indent := " "+s.Faint.Render(widget.Fit(a.arm, 11)), 12
	if t.w < tableWidth {
		head, indent = " "+s.Faint.Render(a.arm)+" ", 3
		scoreWide, rankWide = 0, 0
	}
	head += s.Score.Render(widget.Fit(a.score, max(scoreWide, ansi.StringWidth(a.score))))
	if a.rank != "" {
		head += "   " + s.Text.Render(widget.Fit(a.rank, max(rankWide, ansi.StringWidth(a.rank))))
	}
	line := head
	for _, p := range parts {
		switch {
		case ansi.StringWidth(line)+3+ansi.StringWidth(p) <= t.w-1:
			line += "   " + p
		default:
			t.add(line)
			line = strings.Repeat(" ", indent) + p
		}
	}
	t.add(line)
}

func wordsSaid(has, lacks []string) string {
	var parts []phrase.Phrase
	if len(has) > 0 {
		parts = append(parts, phrase.HasWords.With(phrase.Named(strings.Join(has, ", "))))
	}
	if len(lacks) > 0 {
		parts = append(parts, phrase.LacksWords.With(phrase.Named(strings.Join(lacks, ", "))))
	}
	return wording.Said(phrase.Join(parts, "; "), wording.Score)
}

// after says which stages behind the arms it has passed, and which it never
// reached.
func (t *sheet) after() {
	r := t.report
	stages := stagesAfter(t.result)
	if r.Mode == param.ModeFullContext || len(stages) == 0 || r.DroppedBy == nil && !r.Present {
		return
	}
	fell := len(stages)
	if r.DroppedBy != nil {
		fell = slices.Index(stages, r.DroppedBy.Stage)
	}
	var passed, missed []string
	for i, name := range stages {
		switch {
		case i < fell:
			passed = append(passed, stageTitle(name))
		case i > fell:
			missed = append(missed, stageTitle(name))
		}
	}
	line := ""
	if len(passed) > 0 {
		line = t.s.Signs.Check + " " + strings.Join(passed, ", ") + "   "
	}
	if fell >= 0 && fell < len(stages) {
		line += t.s.Signs.Cross + " " + stageTitle(stages[fell]) + "   "
	}
	if len(missed) > 0 {
		line += phrase.NotReached.With(strings.Join(missed, ", ")).String()
	}
	if it := t.item(); it != nil && r.Present && t.result.Budget < param.Unlimited {
		line += wording.Said(phrase.EndsAt.With(it.CumulativeTokens, t.result.Budget), wording.Score)
	}
	t.labelled("stages", strings.TrimSpace(line), t.s.Text.Render)
}

// item is what the report found in the result.
func (t *sheet) item() *retrieval.Item {
	for i := range t.result.Items {
		if t.result.Items[i].ChunkID == t.report.Item {
			return &t.result.Items[i]
		}
	}
	return nil
}

// notices say what was left untried and the like.
func (t *sheet) notices() {
	t.gap()
	for _, n := range t.report.Notices {
		sign, style := "i ", t.s.Faint
		if n.Warning {
			sign, style = "! ", t.s.Warning
		}
		t.say(style.Render, sign+wording.Line(n.Shown()))
	}
}
