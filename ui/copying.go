package ui

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// What the copy menu of a folded page offers.
const (
	copyAddress = "address"
	copyCommand = "command"
	copyTitle   = "title with its address"
)

// maxInBand is the longest text, encoded, that terminals take through the
// escape sequence of their clipboard.
const maxInBand = 74_994

func (m *Model) openCopyMenu() tea.Cmd {
	if m.results.OnPage() {
		return m.openFoldedCopyMenu()
	}
	return m.reader.OpenCopyMenu()
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

// clip puts a text on both clipboards.
func (m *Model) clip(what, text string) tea.Cmd {
	inBand := base64.StdEncoding.EncodedLen(len(text)) <= maxInBand
	cmd := clipboardCmd(m.opts.Clipboard, what, text, inBand)
	if inBand {
		return tea.Batch(cmd, tea.SetClipboard(text))
	}
	return cmd
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
		return reader.AddressOf(it)
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
			Text: view.PlainText(f.What, wording.Display(f.Err.Error()), m.Keyed("What now: "+f.Next)),
		})
	}
	return draftCmd(m.reader.Draft())
}

func (m *Model) showHelp() tea.Cmd {
	about := m.Keyed("The key {palette.show} finds any action by its name. Hold shift to select text with the mouse, in most terminals.")
	if m.opts.Version != "" {
		about = "webrag-tui " + m.opts.Version + ". " + about
	}
	h := view.HelpOn{Actions: m.Actions, Place: m.context(), Named: placeNames[m.context()], About: about}
	if d := m.top(); d != nil {
		h.Hints = d.Hints()
	}
	return m.push(view.NewHelp(h))
}

func (m *Model) showPalette() tea.Cmd {
	m.leaveTyping()
	var all []widget.Choice
	ordered := m.oftenFirst()
	for i := range ordered {
		a := &ordered[i]
		if !slices.ContainsFunc(a.Contexts, m.allPanes().Has) || a.ID == "palette.show" || strings.HasPrefix(a.ID, "move.") {
			continue
		}
		c := widget.Choice{Value: a.ID, Title: a.Title, About: a.Help, Words: a.Words}
		if len(a.Keys) > 0 {
			c.Key = a.Keys[0]
		}
		if a.Enabled != nil {
			if ok, why := a.Enabled(); !ok {
				c.Off = m.Keyed(why)
			}
		}
		if where := whereOf(m, a); where != "" {
			c.Off = where
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b widget.Choice) int { return min(1, len(a.Off)) - min(1, len(b.Off)) })
	c := view.NewChooser("Actions", all, true)
	c.IsAction, c.Wide = true, 84
	return m.push(c)
}

// whereOf says where an action is done that needs what another view shows; empty for one that
// can be done here.
func whereOf(m *Model, a *view.Action) string {
	for i := range m.views {
		row := &m.views[i]
		isAway := func(c view.Context) bool { return !slices.Contains(row.Panes(), c) }
		if viewID(i) != m.view && viewID(i) != viewExplore && !slices.ContainsFunc(a.Contexts, isAway) {
			return m.Keyed("in the view " + row.title + ", {view." + row.name + "}")
		}
	}
	return ""
}

// oftenFirst are all actions, first those of what has the keys as the footer weighs them.
func (m *Model) oftenFirst() []view.Action {
	context := m.context()
	weight := func(a *view.Action) int {
		if a.Footer >= held || !a.Contexts.Has(context) {
			return 0
		}
		return a.Footer
	}
	all := slices.Clone(m.Actions)
	slices.SortStableFunc(all, func(a, b view.Action) int { return weight(&b) - weight(&a) })
	return all
}

func (m *Model) promptSpan(value string) tea.Cmd {
	return m.push(view.NewPrompt("Open a span", "URL:START-END, in characters of the page's markdown", value, func(s string) error {
		_, err := citations.ParsePageSpan(s)
		return err
	}, func(text string) tea.Cmd {
		s, err := citations.ParsePageSpan(text)
		if err != nil {
			return nil // the prompt has checked it
		}
		return navigation{m}.openSpan(s)
	}))
}
