package reader

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// What the copy menu offers.
const (
	copySpan     = "span"
	copySection  = "section"
	copyCitation = "citation"
	copyAddress  = "address"
	copyJSON     = "json"
	copyCommand  = "command"
	copyResults  = "results"
	copyContext  = "context"
)

// AddressOf is the address of a section on its page.
func AddressOf(it *retrieval.Item) string { return citations.Cite(it.Place(), citations.Links{}).URL }

// Draft is the text of the selected section, and the line, from 1, of what the reader
// stands on in it.
func (v *View) Draft() (text string, line int) {
	it := v.Item()
	s := copying{v}.focusedSpan(it)
	before := offset.NewIndex(it.ChunkText).Slice(0, s.Start-it.CharStart)
	return it.ChunkText, 1 + strings.Count(before, "\n")
}

// focusedSpan is the passage that the reader stands on, in code points of the
// page, or else the section as a whole.
func (v copying) focusedSpan(it *retrieval.Item) citations.PageSpan {
	s := citations.PageSpan{URL: it.SourceURL, Start: it.CharStart, End: it.CharEnd}
	mark, ok := v.shown.focused()
	if n := v.FocusedMatch(); n >= 0 && n < len(it.Matches) {
		s.Start, s.End = it.Matches[n].CharStart, it.Matches[n].CharEnd
	} else if of, cited := v.needs.Cited(); ok && isCited(mark) && of != nil {
		s.Start, s.End = max(s.Start, cited.Start), min(s.End, cited.End)
	} else if ok {
		if start, end, ok := v.shown.ready.Origin(mark); ok {
			s.Start, s.End = it.CharStart+start, it.CharStart+end
		}
	}
	return s
}

// OpenCopyMenu offers what there is to copy of the selected section and of the result that
// it is of.
func (v *View) OpenCopyMenu() tea.Cmd { return copying{v}.open() }

// copying is the menu of what can be copied.
type copying struct{ *View }

func (v copying) open() tea.Cmd {
	it := v.Item()
	if it == nil {
		return v.Say("nothing is selected", false)
	}
	noJSON := ""
	if v.needs.JSON == nil {
		noJSON = "not available"
	}
	noResults := ""
	switch {
	case v.Session().Result() == nil:
		noResults = "no query was asked"
	case !slices.ContainsFunc(v.result().Items, func(it retrieval.Item) bool { return it.ChunkText == "" }):
	case v.Session().Pending() != "":
		noResults = "texts are still being read"
	default:
		noResults = v.Keyed("texts are missing; {corpus.reopen} reads them")
	}
	marked := "the section as a whole"
	if v.shown.focus >= 0 {
		marked = v.shown.counter()
	}
	c := view.NewChooser("Copy", []widget.Choice{
		{Value: copySpan, Title: "Span: " + marked, Key: "s"},
		{Value: copySection, Title: "Section: " + wording.Heading(it), Key: "t"},
		{Value: copyCitation, Title: "Citation with its place", Key: "c"},
		{Value: copyAddress, Title: "Address of the page", Key: "u"},
		{Value: copyJSON, Title: "JSON of the section", Key: "j", Off: noJSON},
		{Value: copyCommand, Title: "Command line that shows this", Key: "l"},
		{Value: copyResults, Title: "JSON of all results", Key: "a", Off: noResults},
		{Value: copyContext, Title: "What a model gets: all results as text", Key: "m", Off: noResults},
	}, false)
	c.Then = v.copy
	return v.Push(c)
}

// result is that of the session, with the texts that came later.
func (v copying) result() retrieval.Result {
	r := *v.Session().Result()
	r.Items = v.texts.completed(r.Items)
	return r
}

// copy puts text on the terminal's clipboard and the machine's.
func (v copying) copy(what string) tea.Cmd {
	it := v.Item()
	if it == nil {
		return nil
	}
	text, err := v.textOf(what, it)
	if err != nil {
		return v.Say("not copied: "+err.Error(), true)
	}
	return v.Copy(what, text)
}

// textOf is what a choice of the menu copies of a section.
func (v copying) textOf(what string, it *retrieval.Item) (string, error) {
	switch what {
	case copySpan:
		s := v.focusedSpan(it)
		return offset.NewIndex(it.ChunkText).Slice(s.Start-it.CharStart, s.End-it.CharStart), nil
	case copySection:
		return it.ChunkText, nil
	case copyCitation:
		return citationOf(it, v.focusedSpan(it)), nil
	case copyAddress:
		return AddressOf(it), nil
	case copyJSON:
		b, err := v.needs.JSON(it)
		return string(b), err
	case copyResults:
		b, err := wire.Encode(v.result(), wire.Options{Indent: true, ApproxTokens: v.IsEstimated()})
		return string(b), err
	case copyContext:
		r := v.result()
		return r.Ground(citations.Policy{Offsets: true}).Context, nil
	default:
		return v.needs.CommandLine(), nil
	}
}

// citationOf quotes a span of a section with its place.
func citationOf(it *retrieval.Item, s citations.PageSpan) string {
	quote := offset.NewIndex(it.ChunkText).Slice(s.Start-it.CharStart, s.End-it.CharStart)
	return fmt.Sprintf("“%s”\n%s\n%s\n%s\n", strings.TrimSpace(quote), wording.Trail(it, nil), AddressOf(it), s)
}
