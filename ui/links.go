package ui

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// listLinks reads the links of the selected section.
func (m *Model) listLinks() tea.Cmd {
	return m.start(m.session.ReadLinks(m.results.Selected().SectionID()))
}

// onLinks offers the links of the selected section.
func (m *Model) onLinks(d session.Done) tea.Cmd {
	it := m.results.Selected()
	switch {
	case it == nil || it.SectionID() != d.ID:
		return nil
	case d.Err != nil:
		return m.say("the links could not be read: "+d.Err.Error(), true)
	case len(d.Links) == 0:
		return m.say("this section has no links", false)
	}
	g := &m.styles.Signs
	inside := 0
	all := make([]widget.Choice, len(d.Links))
	for i, l := range d.Links {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: cmp.Or(wording.Line(l.Text), wording.ShortURL(l.URL, 60))}
		if l.Target != nil {
			inside++
			all[i].Key = g.Check + " " + widget.CutLeft(wording.SectionTrail(l.Target, m.suffixes), linkTargetWidth)
			if l.Target.ChunkID == d.ID {
				all[i].Key = g.Check + " this section"
			}
			continue
		}
		all[i].Key = g.ArrowRight + " " + wording.ShortURL(l.URL, linkTargetWidth)
	}
	title := fmt.Sprintf("Links: %d, %d of them in the corpus", len(all), inside)
	c := view.NewChooser(title, all, true)
	c.Wide = 100
	c.Then = func(value string) tea.Cmd {
		n, err := strconv.Atoi(value)
		if err != nil || n >= len(d.Links) {
			return nil
		}
		return m.followLink(d.Links[n])
	}
	return m.push(c)
}

// linkTargetWidth is the room for where a link leads, beside its text.
const linkTargetWidth = 44

// followLink opens the section that a link leads to, or offers what can be done
// with one that leads out of the corpus.
func (m *Model) followLink(l session.SectionLink) tea.Cmd {
	if l.Target != nil {
		return m.openSection(l.Target.ChunkID, landing{to: landAt})
	}
	cannot := ""
	switch {
	case !wording.IsWebURL(l.URL):
		cannot = "no web address"
	case m.opts.OpenURL == nil:
		cannot = "no program to open it with"
	}
	const open, copied = "open", "copy"
	c := view.NewChooser("Outside the corpus: "+wording.ShortURL(l.URL, 200), []widget.Choice{
		{Value: open, Title: "Open in the browser", Key: "o", Off: cannot},
		{Value: copied, Title: "Copy the address", Key: "u"},
	}, false)
	c.Wide = 100
	c.Then = func(value string) tea.Cmd {
		if m.tour.Refuses("following a link out of the corpus") {
			return nil
		}
		if value == open {
			return openURLCmd(m.opts.OpenURL, escaped(l.URL))
		}
		return m.clip("address", l.URL)
	}
	return m.push(c)
}

// escaped is an address whose fragment, which is kept decoded, is safe to give
// to a browser.
func escaped(address string) string {
	page, fragment, ok := strings.Cut(address, "#")
	if !ok {
		return page
	}
	return page + "#" + url.PathEscape(fragment)
}

// openAddress opens the section of the corpus that an address means.
func (m *Model) openAddress(address string) tea.Cmd {
	m.going = going{land: landing{to: landAt}}
	return m.start(m.session.ReadAddress(address))
}

// errNoAddress says that nothing was typed.
var errNoAddress = errors.New("type the address of a page")

func (m *Model) promptAddress() tea.Cmd {
	return m.push(view.NewPrompt("Open a page of the corpus", "its address; #NAME goes to a heading", "", func(s string) error {
		if strings.TrimSpace(s) == "" {
			return errNoAddress
		}
		return nil
	}, func(text string) tea.Cmd { return m.openAddress(strings.TrimSpace(text)) }))
}
