package welcome

import (
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Lines are what stands in a list of w cells while there is nothing to list: what is going
// on, or what to do. They are nil where a query was answered with nothing, of which the list
// says why.
func (v *View) Lines(w int) []string {
	s := v.Styles()
	var lines []string
	say := func(style func(...string) string, text string) {
		lines = append(lines, "")
		lines = append(lines, widget.Indented(widget.Styled(style, widget.Wrapped(text, w-4)), 2)...)
	}
	switch {
	case v.Session().Indexing() != "" && !v.isIndexedElsewhere():
		return v.indexingLines(w)
	case v.IsShown():
		say(s.Strong.Render, "Nothing to search yet.")
		if v.Session().Corpus() == nil {
			say(s.Text.Render, "This program shows what a language model would be given from your pages, and why. It needs a corpus: pages, cut into sections, with their vectors.")
		} else {
			say(s.Text.Render, "This corpus has no pages yet.")
		}
		say(s.Text.Render, "Press one of these keys:")
		for _, c := range []struct{ key, what string }{
			{"{welcome.index}", "index a folder of HTML or markdown pages"},
			{"{welcome.guide}", "open the bundled guide, to look around"},
			{"{welcome.connect}", "connect to PostgreSQL, or open a file"},
		} {
			lines = append(lines, "", "    "+s.KeyName.Render(v.Keyed(c.key))+"  "+s.Text.Render(c.what))
		}
		if v.Session().Corpus() == nil {
			// Its advice is left out: the keys above are that.
			missing := wording.FirstLine(v.failure.Err)
			if e := session.NoCorpusError(nil); errors.As(v.failure.Err, &e) {
				missing = wording.Line(e.Missing())
			}
			say(s.Faint.Render, phrase.Capital(missing)+".")
		}
	case v.failure != nil:
		say(s.Failure.Render, "! "+v.failure.What)
		say(s.Text.Render, wording.FirstLine(v.failure.Err))
		if tried := v.tried(); tried != "" {
			say(s.Text.Render, tried)
		}
		say(s.Faint.Render, v.Keyed("{section.edit} shows the details; "+v.failure.Next+"."))
	case v.Session().Corpus() == nil:
		say(s.Faint.Render, "Opening the corpus …")
	case v.IsEmpty() && v.Session().Corpus().Foreign:
		say(s.Strong.Render, "This database has no pages yet.")
		say(s.Text.Render, "The program that made it fills it; this one only looks.")
	case v.IsEmpty():
		say(s.Strong.Render, "This corpus has no pages yet.")
		say(s.Text.Render, "Index a folder of HTML or markdown pages into it, then open it again:")
		say(s.Accent.Render, indexCommand(v.needs.Command()))
		say(s.Text.Render, "or look at the bundled guide first:")
		say(s.Accent.Render, "webrag-tui demo")
	case v.Session().Loading() && v.Session().Waiting():
		say(s.Text.Render, "The corpus is being loaded; the query is asked then.")
		say(s.Faint.Render, wording.Loading(v.Session().Progress()))
	case v.Session().Asking():
		say(s.Faint.Render, "…")
	case v.Session().Result() != nil:
		return nil
	case v.Session().Waiting():
		say(s.Faint.Render, "…")
	default:
		if v.needs.IsEditing() {
			say(s.Strong.Render, "Ask in your own words.")
		} else {
			say(s.Strong.Render, v.Keyed("Press {query.edit}, then ask in your own words."))
		}
		switch c := v.Session().Corpus(); {
		case c.Live:
			say(s.Faint.Render, "Sections appear while you type; enter goes to them.")
		case c.Recorded:
			say(s.Faint.Render, "Enter asks. What was not asked in the recorded session has no answer.")
		default:
			say(s.Faint.Render, "Enter asks: this corpus's embedding server costs time or money.")
		}
		if examples := v.Examples(); len(examples) > 0 {
			how := "For example (↓):"
			if !v.needs.IsEditing() {
				how = v.Keyed("For example ({query.edit} and ↓):")
			}
			say(s.Faint.Render, how)
			for _, e := range examples {
				lines = append(lines, widget.Indented(widget.Styled(s.Accent.Render, widget.Wrapped(wording.Line(e), w-6)), 4)...)
			}
		}
	}
	return lines
}

// Examples are queries that the corpus answers well.
func (v *View) Examples() []string {
	if v.Session().Corpus() != nil && len(v.Session().Corpus().Examples) > 0 {
		return v.Session().Corpus().Examples
	}
	return v.needs.Examples()
}

// Beside introduces the corpus in w cells, while no section is selected; nil where there is
// nothing to introduce.
func (v *View) Beside(w int) []string {
	s := v.Styles()
	if v.failure != nil || v.Session().Corpus() == nil || v.Session().Summary() == nil || v.IsEmpty() || v.Session().Result() != nil {
		return nil
	}
	var lines []string
	for i, text := range []string{
		"What comes back is what a language model would be given, with the reason for every section: the passages that matched are marked in its text, and its score is taken apart.",
		fmt.Sprintf("%s: %s, %s, %s.", v.needs.Name(), wording.Plural(v.Session().Summary().Documents, "page"), wording.Plural(v.Session().Summary().Parents, "section"), wording.Tokens(v.Session().Summary().Tokens, v.IsEstimated())),
	} {
		style := s.Text.Render
		if i > 0 {
			style = s.Faint.Render
		}
		lines = append(lines, "")
		lines = append(lines, widget.Indented(widget.Styled(style, widget.Wrapped(text, min(72, w-6))), 3)...)
	}
	return lines
}

// indexCommand is the command that fills the corpus which a command opens.
func indexCommand(open []string) string {
	words := "webrag-tui index FOLDER"
	for i, w := range open {
		if w == "--corpus" && i+1 < len(open) {
			words += " --corpus " + wording.ShellQuote(open[i+1])
		}
	}
	return words
}
