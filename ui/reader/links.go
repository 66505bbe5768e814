package reader

import (
	"cmp"
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

// LinkActions lead from the text to what it links to, and to other parts of its page.
func (v *View) LinkActions() []view.Action { return leads{v}.actions() }

// leads lead on from the text.
type leads struct{ *View }

func (v leads) actions() []view.Action {
	return []view.Action{
		{
			ID: "page.outline", Title: "Page: Outline…", Words: "contents headings toc", Short: "outline", Help: "List the headings of the whole page and go to one. Sections of the result have their rank.",
			Keys: []string{"O"}, Contexts: v.needs.Reading, Footer: 14, Enabled: v.canLeadOn,
			Run: v.showOutline,
		},
		{
			ID: "section.links", Title: "Section: Follow a link…", Short: "links", Help: "List the links of the section: those into the corpus open here, others in the browser.",
			Keys: []string{"F"}, Contexts: v.needs.Reading, Footer: 15, Enabled: v.canLeadOn,
			Run: v.listLinks,
		},
	}
}

// canLeadOn says whether there is a section to go on from.
func (v leads) canLeadOn() (bool, string) {
	switch {
	case v.Session().Corpus() == nil:
		return false, "the corpus is not open yet"
	case v.Item() == nil:
		return false, "nothing is selected"
	}
	return true, ""
}

// listLinks reads the links of the selected section.
func (v leads) listLinks() tea.Cmd {
	return v.Begin(v.Session().ReadLinks(v.Item().SectionID()))
}

// offerLinks offers the links of the selected section.
func (v leads) offerLinks(d session.Done) tea.Cmd {
	it := v.Item()
	switch {
	case it == nil || it.SectionID() != d.ID:
		return nil
	case d.Err != nil:
		return v.Say("the links could not be read: "+d.Err.Error(), true)
	case len(d.Links) == 0:
		return v.Say("this section has no links", false)
	}
	g := &v.Styles().Signs
	inside := 0
	all := make([]widget.Choice, len(d.Links))
	for i, l := range d.Links {
		all[i] = widget.Choice{Value: strconv.Itoa(i), Title: cmp.Or(wording.Line(l.Text), wording.ShortURL(l.URL, 60))}
		if l.Target != nil {
			inside++
			all[i].Key = g.Check + " " + wording.CutPath(wording.SectionTrail(l.Target, v.TitleSuffixes()), linkTargetWidth)
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
		return v.followLink(d.Links[n])
	}
	return v.Push(c)
}

// linkTargetWidth is the room for where a link leads, beside its text.
const linkTargetWidth = 44

// followLink opens the section that a link leads to, or offers what can be done
// with one that leads out of the corpus.
func (v leads) followLink(l session.SectionLink) tea.Cmd {
	if l.Target != nil {
		return v.OpenSection(l.Target.ChunkID, 0)
	}
	cannot := ""
	if !wording.IsWebURL(l.URL) {
		cannot = "no web address"
	} else if _, why := v.Browse(l.URL); why != "" {
		cannot = "no program to open it with"
	}
	const open, copied = "open", "copy"
	c := view.NewChooser("Outside the corpus: "+wording.ShortURL(l.URL, 200), []widget.Choice{
		{Value: open, Title: "Open in the browser", Key: "o", Off: cannot},
		{Value: copied, Title: "Copy the address", Key: "u"},
	}, false)
	c.Wide = 100
	c.Then = func(value string) tea.Cmd {
		if v.needs.RefusesTour("following a link out of the corpus") {
			return nil
		}
		if value == open {
			cmd, _ := v.Browse(escaped(l.URL))
			return cmd
		}
		return v.Copy("address", l.URL)
	}
	return v.Push(c)
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
