package ui

import (
	"encoding/base64"
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
	copyTitle    = "title with its address"
)

// maxInBand is the longest text, encoded, that terminals take through the
// escape sequence of their clipboard.
const maxInBand = 74_994

// linkTarget is the address of a section on its page.
func linkTarget(it *retrieval.Item) string { return citations.Cite(it.Place(), citations.Links{}).URL }

// focusedSpan is the passage that the preview stands on, in code points of the
// page, or else the section as a whole.
func (m *Model) focusedSpan(it *retrieval.Item) Span {
	s := Span{URL: it.SourceURL, Start: it.CharStart, End: it.CharEnd}
	mark, ok := m.preview.focused()
	if n := m.focusedMatch(); n >= 0 && n < len(it.Matches) {
		s.Start, s.End = it.Matches[n].CharStart, it.Matches[n].CharEnd
	} else if ok && kindOf(mark.Level) == markCited && m.opened.cites() {
		s.Start, s.End = max(s.Start, m.opened.span.Start), min(s.End, m.opened.span.End)
	} else if ok {
		if start, end, ok := m.preview.page.origin(mark); ok {
			s.Start, s.End = it.CharStart+start, it.CharStart+end
		}
	}
	return s
}

func (m *Model) openCopyMenu() tea.Cmd {
	it := m.results.Selected()
	switch {
	case it == nil && m.results.OnPage():
		return m.openFoldedCopyMenu()
	case it == nil:
		return m.say("nothing is selected", false)
	}
	noJSON := ""
	if m.opts.ItemJSON == nil {
		noJSON = "not available"
	}
	noResults := ""
	switch {
	case m.session.Result() == nil:
		noResults = "no query was asked"
	case slices.ContainsFunc(m.session.Result().Items, func(it retrieval.Item) bool { return it.ChunkText == "" }):
		noResults = "texts are still being read"
	}
	marked := "the section as a whole"
	if m.preview.focus >= 0 {
		marked = m.preview.counter()
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
	c.Then = m.copy
	return m.push(c)
}

// saidPage is said where a section is needed and a folded page is selected.
const saidPage = "a page is selected: unfold it to choose one of its sections"

// openFoldedCopyMenu offers what there is to copy of a folded page.
func (m *Model) openFoldedCopyMenu() tea.Cmd {
	url, title := m.results.SelectedPage()
	c := view.NewChooser("Copy", []widget.Choice{
		{Value: copyAddress, Title: "Address of the page", Key: "u"},
		{Value: copyTitle, Title: "Title with its address", Key: "t"},
		{Value: copyCommand, Title: "Command line that shows this", Key: "l"},
	}, false)
	c.Then = func(what string) tea.Cmd {
		switch what {
		case copyAddress:
			return m.clip(what, url)
		case copyTitle:
			return m.clip(what, title+"\n"+url+"\n")
		default:
			return m.clip(what, m.commandLine())
		}
	}
	return m.push(c)
}

// copy puts text on the terminal's clipboard and the machine's.
func (m *Model) copy(what string) tea.Cmd {
	it := m.results.Selected()
	if it == nil {
		return nil
	}
	text, err := m.copyText(what, it)
	if err != nil {
		return m.say("not copied: "+err.Error(), true)
	}
	return m.clip(what, text)
}

// clip puts a text on both clipboards.
func (m *Model) clip(what, text string) tea.Cmd {
	inBand := base64.StdEncoding.EncodedLen(len(text)) <= maxInBand
	cmd := clipboardCmd(m.opts.Clipboard, what, text, inBand)
	if inBand {
		return tea.Batch(cmd, tea.SetClipboard(text))
	}
	return cmd
}

func (m *Model) copyText(what string, it *retrieval.Item) (string, error) {
	switch what {
	case copySpan:
		s := m.focusedSpan(it)
		return offset.NewIndex(it.ChunkText).Slice(s.Start-it.CharStart, s.End-it.CharStart), nil
	case copySection:
		return it.ChunkText, nil
	case copyCitation:
		return citationOf(it, m.focusedSpan(it)), nil
	case copyAddress:
		return linkTarget(it), nil
	case copyJSON:
		b, err := m.opts.ItemJSON(it)
		return string(b), err
	case copyResults:
		b, err := wire.Encode(*m.session.Result(), wire.Options{Indent: true, ApproxTokens: m.estimated()})
		return string(b), err
	case copyContext:
		return m.session.Result().Ground(citations.Policy{Offsets: true}).Context, nil
	default:
		return m.commandLine(), nil
	}
}

// citationOf quotes a span of a section with its place.
func citationOf(it *retrieval.Item, s Span) string {
	quote := offset.NewIndex(it.ChunkText).Slice(s.Start-it.CharStart, s.End-it.CharStart)
	return fmt.Sprintf("“%s”\n%s\n%s\n%s\n", strings.TrimSpace(quote), wording.Trail(it, nil), linkTarget(it), s)
}

func (m *Model) onCopied(msg copied) tea.Cmd {
	if msg.err != nil && !msg.inBand {
		return m.say(fmt.Sprintf("not copied: the %s is too long for the terminal's clipboard, and %v", msg.what, msg.err), true)
	}
	return m.say(fmt.Sprintf("copied the %s, %s", msg.what, wording.Plural(msg.size, "character")), false)
}

// selectedAddress is that of the selected section, or of the folded page under the
// cursor; empty without one.
func (m *Model) selectedAddress() string {
	if it := m.results.Selected(); it != nil {
		return linkTarget(it)
	}
	url, _ := m.results.SelectedPage()
	return url
}

func (m *Model) openURL() tea.Cmd {
	return openURLCmd(m.opts.OpenURL, m.selectedAddress())
}

// editOrDetails shows the details of an error; otherwise it opens a copy of the
// section in the editor, at the line of the focused mark.
func (m *Model) editOrDetails() tea.Cmd {
	if f := m.welcome.Failure(); f != nil {
		return m.push(&view.TextDialog{
			Title: "What went wrong", Wanted: 84,
			Text: view.PlainText(f.What, wording.Display(f.Err.Error()), m.keyed("What now: "+f.Next)),
		})
	}
	it := m.results.Selected()
	s := m.focusedSpan(it)
	before := offset.NewIndex(it.ChunkText).Slice(0, s.Start-it.CharStart)
	return draftCmd(it.ChunkText, 1+strings.Count(before, "\n"))
}

func (m *Model) showHelp() tea.Cmd {
	about := "Hold shift to select text with the mouse, in most terminals. The palette (:) finds any action by its name."
	if m.opts.Version != "" {
		about = "webrag-tui " + m.opts.Version + ". " + about
	}
	return m.push(newHelpDialog(m.actions, about))
}

func (m *Model) showPalette() tea.Cmd {
	m.leaveTyping()
	var all []widget.Choice
	for i := range m.actions {
		a := &m.actions[i]
		if !slices.ContainsFunc(a.Contexts, m.allPanes().Has) || a.ID == "palette.show" || strings.HasPrefix(a.ID, "move.") {
			continue
		}
		c := widget.Choice{Value: a.ID, Title: a.Title, Words: strings.ToLower(a.Title + " " + a.Help + " " + a.Words)}
		if len(a.Keys) > 0 {
			c.Key = a.Keys[0]
		}
		if a.Enabled != nil {
			if ok, why := a.Enabled(); !ok {
				c.Off = m.keyed(why)
			}
		}
		all = append(all, c)
	}
	c := view.NewChooser("Actions", all, true)
	c.IsAction, c.Wide = true, 84
	return m.push(c)
}

func (m *Model) promptSpan(value string) tea.Cmd {
	return m.push(view.NewPrompt("Open a span", "URL:START-END, in characters of the page's markdown", value, func(s string) error {
		_, err := ParseSpan(s)
		return err
	}, func(text string) tea.Cmd {
		s, err := ParseSpan(text)
		if err != nil {
			return nil // the prompt has checked it
		}
		return m.openSpan(s)
	}))
}
