package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// sectionLinksRead brings the links of a section, addressFound the section that
// an address means.
type (
	sectionLinksRead struct {
		gen   int
		id    string
		links []session.SectionLink
		err   error
	}
	addressFound struct {
		gen     int
		address string
		chunk   store.Chunk
		err     error
	}
)

// listLinks reads the links of the selected section.
func (m *Model) listLinks() tea.Cmd {
	ctx, gen := m.opening.begin(m.ctx)
	r, id := m.session.Corpus().Reader, sectionID(m.results.Selected())
	return func() tea.Msg {
		links, err := r.Links(ctx, id)
		return sectionLinksRead{gen: gen, id: id, links: links, err: err}
	}
}

func (msg sectionLinksRead) arrive(m *Model) tea.Cmd {
	it := m.results.Selected()
	switch {
	case msg.gen != m.opening.gen || it == nil || sectionID(it) != msg.id:
		return nil
	case msg.err != nil:
		return m.say("the links could not be read: "+msg.err.Error(), true)
	case len(msg.links) == 0:
		return m.say("this section has no links", false)
	}
	g := &m.styles.Signs
	inside := 0
	all := make([]widget.Choice, len(msg.links))
	for i, l := range msg.links {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: cmp.Or(wording.Line(l.Text), wording.ShortURL(l.URL, 60))}
		if l.Target != nil {
			inside++
			all[i].Key = g.Check + " " + widget.CutLeft(wording.SectionTrail(l.Target, m.tails), linkTargetWidth)
			if l.Target.ChunkID == msg.id {
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
		if err != nil || n >= len(msg.links) {
			return nil
		}
		return m.followLink(msg.links[n])
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
	case !isWebURL(l.URL):
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
		if m.refusesTour("following a link out of the corpus") {
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
	ctx, gen := m.opening.begin(m.ctx)
	r := m.session.Corpus().Reader
	return func() tea.Msg { return findAddress(ctx, r, gen, address) }
}

func findAddress(ctx context.Context, r session.Reader, gen int, address string) addressFound {
	c, err := r.SectionByURL(ctx, address)
	return addressFound{gen: gen, address: address, chunk: c, err: err}
}

func (msg addressFound) arrive(m *Model) tea.Cmd {
	if msg.gen != m.opening.gen {
		return nil
	}
	if msg.err != nil {
		return m.say("the address could not be opened: "+msg.err.Error(), true)
	}
	m.texts.keep(msg.chunk)
	return m.openItem(itemOf(msg.chunk), Span{}, landing{to: landAt})
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
