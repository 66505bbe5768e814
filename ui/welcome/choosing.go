package welcome

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

func (v *View) canSwitch() (bool, string) {
	return v.needs.Open != nil, "this program opens one corpus only"
}

// chooseCorpus lists the corpora that are known: those of the settings, and those
// that were opened before.
func (v *View) chooseCorpus() tea.Cmd {
	var all []widget.Choice
	known, present := map[string]bool{}, 0
	for _, c := range v.needs.Corpora() {
		if known[c.Place] {
			continue
		}
		known[c.Place] = true
		one := widget.Choice{Value: c.Place, Title: wording.Line(c.Name), Key: wording.ShortURL(c.Place, 30)}
		if c.Place == v.needs.Place() && v.Session().Corpus() != nil {
			one.Off, present = "open now", len(all)
		}
		all = append(all, one)
	}
	const other = ""
	all = append(all, widget.Choice{Value: other, Title: "a file or database…"})
	c := view.NewChooser("Switch to a corpus", all, true)
	c.At = present // as in the lists of other programs, and so its neighbours are seen
	c.Then = func(place string) tea.Cmd {
		if place == other {
			return v.promptCorpus()
		}
		return v.SwitchTo(place, nil)
	}
	return v.Push(c)
}

// promptCorpus asks for the place of a corpus, and stays until it is open.
func (v *View) promptCorpus() tea.Cmd {
	v.LeaveTyping()
	var p *view.Prompt
	p = view.NewPrompt("Open a corpus", "a path, or the address of a PostgreSQL database", "", func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errNoPlace
		}
		return nil
	}, func(text string) tea.Cmd { return v.SwitchTo(view.InHome(strings.TrimSpace(text)), p) })
	p.CompletePaths(v)
	p.Input.Placeholder, p.Stays = "postgres://USER@HOST/DATABASE", true
	p.Left = func() tea.Cmd {
		if v.opening.from == p {
			v.Session().StopOpeningBeside()
		}
		return nil
	}
	return v.Push(p)
}

// SwitchTo opens another corpus. The present one stays until the other is open,
// so that a mistyped place costs nothing. from is the prompt that the place was
// typed into, nil for none.
func (v *View) SwitchTo(place string, from *view.Prompt) tea.Cmd {
	v.opening = opening{place, from}
	open := v.needs.Open
	return v.Begin(v.Session().OpenBeside(func(ctx context.Context) (*session.Corpus, error) { return open(ctx, place) }))
}

// opening is what another corpus is opened for: its place, and the prompt that this was
// typed into, nil for none.
type opening struct {
	place string
	from  *view.Prompt
}

// onOpenedBeside takes another corpus that was opened.
func (v *View) onOpenedBeside(d session.Done) tea.Cmd {
	to := v.opening
	if d.Err != nil {
		v.typeahead.on = false
	}
	switch {
	case to.from != nil && !v.Answer(to.from, d.Err):
		return v.Begin(v.Session().CloseCorpus(d.Corpus))
	case d.Err != nil && to.from != nil:
		return nil
	case d.Err != nil:
		lines := []string{wording.Display(d.Err.Error())}
		if v.Session().Corpus() != nil {
			lines = append(lines, v.needs.Name()+" stays open.")
		}
		return v.Push(&view.TextDialog{Title: wording.ShortURL(to.place, 40) + " could not be opened", Wanted: 76, Text: view.PlainText(lines...)})
	}
	// From the welcome one key has opened it: what is typed after it is no query.
	asking := v.Session().Corpus() != nil || to.from != nil
	return v.take(to.place, d.Corpus, asking)
}

// take has a corpus taken; unless it is to be asked at once, what is typed on after the key
// that opened it is dropped for a moment.
func (v *View) take(place string, c *session.Corpus, asking bool) tea.Cmd {
	cmd := v.needs.Take(place, c, asking)
	if asking {
		return cmd
	}
	v.LeaveTyping()
	return tea.Batch(cmd, v.restTyping())
}

// errNoPlace says that nothing was typed.
var errNoPlace = errors.New("type the path of a corpus, or the address of a database")
