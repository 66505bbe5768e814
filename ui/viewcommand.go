package ui

import (
	"strings"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/ui/wording"
)

// command opens this corpus with these parameters, without a query.
func (m *Model) command() []string {
	return m.opts.Command(m.opts.Place, m.session.Start().Name, m.session.Params())
}

// commandLine is what opens this view again: the corpus, the parameters, the
// section or span that is being read, and the query.
func (m *Model) commandLine() string {
	words := m.command()
	span := m.viewedSpan()
	switch {
	case span != nil:
		words = append(words, "--span", span.String())
	case m.session.Query() == "":
		words = append(words, "--fresh") // else the last session's query would come back
	}
	if m.session.Query() != "" {
		if strings.HasPrefix(m.session.Query(), "-") {
			words = append(words, "--")
		}
		words = append(words, m.session.Query())
	}
	for i := range words {
		words[i] = wording.ShellQuote(words[i])
	}
	return strings.Join(words, " ")
}

// viewedSpan is the opened span, or the beginning of the section that is being
// read; nil for what a query shows by itself.
func (m *Model) viewedSpan() *citations.PageSpan {
	it := m.reader.Item()
	switch {
	case m.opened.cites():
		return &m.opened.span
	case it == nil || m.session.Query() != "" && m.opened == nil && m.results.OnBest():
		return nil
	}
	return &citations.PageSpan{URL: it.SourceURL, Start: it.CharStart, End: it.CharStart}
}
