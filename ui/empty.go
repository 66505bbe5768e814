package ui

import (
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// emptyResults is what stands in the list while there is nothing to list: what
// is going on, or what to do.
func (m *Model) emptyResults(w int) []string {
	s := m.styles
	var lines []string
	say := func(style func(...string) string, text string) {
		lines = append(lines, "")
		lines = append(lines, widget.Indented(widget.Styled(style, widget.Wrapped(text, w-4)), 2)...)
	}
	switch {
	case m.session.Indexing() != "" && !m.isIndexedElsewhere():
		return m.indexingLines(w)
	case m.welcoming():
		say(s.Strong.Render, "Nothing to search yet.")
		if m.session.Corpus() == nil {
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
			lines = append(lines, "", "    "+s.KeyName.Render(m.keyed(c.key))+"  "+s.Text.Render(c.what))
		}
		if m.session.Corpus() == nil {
			// Its advice is left out: the keys above are that.
			missing := wording.FirstLine(m.failure.err)
			if e := NoCorpusError(nil); errors.As(m.failure.err, &e) {
				missing = wording.Line(e.Missing())
			}
			say(s.Faint.Render, widget.Capital(missing)+".")
		}
	case m.failure != nil:
		say(s.Failure.Render, "! "+m.failure.what)
		say(s.Text.Render, wording.FirstLine(m.failure.err))
		if tried := m.tried(); tried != "" {
			say(s.Text.Render, tried)
		}
		say(s.Faint.Render, m.keyed("{section.edit} shows the details; "+m.failure.next+"."))
	case m.session.Corpus() == nil:
		say(s.Faint.Render, "Opening the corpus …")
	case m.isEmptyCorpus() && m.session.Corpus().Foreign:
		say(s.Strong.Render, "This database has no pages yet.")
		say(s.Text.Render, "The program that made it fills it; this one only looks.")
	case m.isEmptyCorpus():
		say(s.Strong.Render, "This corpus has no pages yet.")
		say(s.Text.Render, "Index a folder of HTML or markdown pages into it, then open it again:")
		say(s.Accent.Render, indexCommand(m.command()))
		say(s.Text.Render, "or look at the bundled guide first:")
		say(s.Accent.Render, "webrag-tui demo")
	case m.session.Loading() && m.session.Waiting():
		say(s.Text.Render, "The corpus is being loaded; the query is asked then.")
		say(s.Faint.Render, m.loadingText())
	case m.session.Asking():
		say(s.Faint.Render, "…")
	case m.session.Result() != nil:
		say(s.Text.Render, m.nothingSaid())
		if m.session.Result().Mode == param.ModeChunk && !m.isEmptyCorpus() {
			say(s.Faint.Render, m.keyed(m.why.Hint()))
		}
	case m.session.Waiting():
		say(s.Faint.Render, "…")
	default:
		if m.editing {
			say(s.Strong.Render, "Ask in your own words.")
		} else {
			say(s.Strong.Render, m.keyed("Press {query.edit}, then ask in your own words."))
		}
		if m.session.Corpus().Live {
			say(s.Faint.Render, "Sections appear while you type; enter goes to them.")
		} else {
			say(s.Faint.Render, "Enter asks: this corpus's embedding server costs time or money.")
		}
		if examples := m.examples(); len(examples) > 0 {
			how := "For example (↓):"
			if !m.editing {
				how = m.keyed("For example ({query.edit} and ↓):")
			}
			say(s.Faint.Render, how)
			for _, e := range examples {
				lines = append(lines, widget.Indented(widget.Styled(s.Accent.Render, widget.Wrapped(wording.Line(e), w-6)), 4)...)
			}
		}
	}
	return lines
}

// examples are queries that the corpus answers well.
func (m *Model) examples() []string {
	if m.session.Corpus() != nil && len(m.session.Corpus().Examples) > 0 {
		return m.session.Corpus().Examples
	}
	return m.opts.Examples
}

// nothingSaid says why a query brought nothing.
func (m *Model) nothingSaid() string {
	r := m.session.Result()
	if r == nil {
		return ""
	}
	switch {
	case m.isEmptyCorpus():
		return "The corpus has no pages."
	case r.ChildrenFound == 0 && noticeOf(r) != "":
		return noticeOf(r)
	case r.ChildrenFound == 0:
		return phrase.NothingComparable
	case r.ChildrenKept == 0 && len(r.NearMisses) > 0 && r.NearMisses[0].Why != nil:
		d := r.NearMisses[0].Why
		return m.unworded() + wording.Said(phrase.NothingSimilar.With(d.Value, r.Floor.Worded(d.Threshold).Number()), wording.Score)
	case len(r.NearMisses) > 0:
		return wording.Said(phrase.NothingLeftBut.With(wording.Children(r.ChildrenFound)), wording.Score)
	}
	return wording.Said(phrase.NothingLeft.With(wording.Children(r.ChildrenFound)), wording.Score)
}

// unworded says first of all that a query has nothing to do with the corpus,
// before anything is let in.
func (m *Model) unworded() string {
	if match := m.session.TermMatch(); match.None {
		return phrase.NoTermMatch(match.Lexical)
	}
	return ""
}

// noticeOf is the notice that says why nothing was found, if there is one.
func noticeOf(r *retrieval.Result) string {
	for _, n := range r.Notices {
		switch n.Code {
		case phrase.NoticeNoWords.Code, phrase.NoticeNoVectors.Code, phrase.NoticeEmptyScope.Code, phrase.NoticeNoParents.Code:
			return widget.Capital(wording.Line(n.Text))
		}
	}
	return ""
}

func (m *Model) isEmptyCorpus() bool {
	return m.session.Survey() != nil && m.session.Survey().Documents == 0
}

// emptyPreview introduces the corpus while no section is selected.
func (m *Model) emptyPreview(w int) []string {
	s := m.styles
	if m.failure != nil || m.session.Corpus() == nil || m.session.Survey() == nil || m.isEmptyCorpus() || m.session.Result() != nil {
		return nil
	}
	var lines []string
	for i, text := range []string{
		"What comes back is what a language model would be given, with the reason for every section: the passages that matched are marked in its text, and its score is taken apart.",
		fmt.Sprintf("%s: %s, %s, %s.", m.corpusName(), wording.Plural(m.session.Survey().Documents, "page"), wording.Plural(m.session.Survey().Parents, "section"), wording.Tokens(m.session.Survey().Tokens, m.estimated())),
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
