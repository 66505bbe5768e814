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
		return firstPage{v}.waysPage(w)
	case v.IsBlank():
		return firstPage{v}.blankPage(w)
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
	default:
		say(s.Faint.Render, "…")
	}
	return lines
}

// missing says which corpus is not there, empty where one is open.
func (v firstPage) missing() string {
	if v.Session().Corpus() != nil {
		return ""
	}
	// Its advice is left out: the keys of the page are that.
	missing := wording.FirstLine(v.failure.Err)
	if e := session.NoCorpusError(nil); errors.As(v.failure.Err, &e) {
		missing = wording.Line(e.Missing())
	}
	return phrase.Capital(missing) + "."
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
