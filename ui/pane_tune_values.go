package ui

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// setParameter gives a parameter a value.
func (m *Model) setParameter(field, value string) tea.Cmd {
	p := m.session.Params()
	if err := p.Set(field, value); err != nil {
		return m.say(err.Error(), true)
	}
	m.tune.pane.arrived, m.tune.pane.turning.jump = "", 0
	cmd := m.setParams(p, field)
	m.scrollTune()
	return cmd
}

// stepParameter moves the parameter under the cursor along its track.
func (m *Model) stepParameter(sign int, coarse bool) tea.Cmd {
	spec, ok := m.selectedParameter()
	if !ok {
		return nil
	}
	if coarse {
		sign *= spec.Coarse()
	}
	return m.setParameter(spec.Field, spec.Walk(m.session.Params(), sign))
}

func (m *Model) resetParameter() tea.Cmd {
	return m.setParameter(m.tune.pane.field, m.session.Start().Params.Get(m.tune.pane.field))
}

// jumpTurn goes to the next value at which the ranking changes. While that is not
// known yet, the jump waits.
func (m *Model) jumpTurn(sign int) tea.Cmd {
	spec, ok := m.selectedParameter()
	if !ok {
		return nil
	}
	if m.session.Evidence() == nil {
		return m.say("there is no ranking yet: ask something first", false)
	}
	d := &m.tune.pane
	track, ok := m.session.ExactBreakpoints(spec.Field)
	if !ok {
		waits := d.turning.jump != 0
		d.turning.jump = sign
		if waits || m.session.Pending() != "" {
			return nil
		}
		// At once: the pause of followTune spares the work for rows that the cursor only passes.
		return m.seekTurns(turningFor{spec.Field, d.laid}, true)
	}
	turn, at, ok := track.Next(m.session.Params().Get(spec.Field), sign > 0)
	if !ok {
		way := "to the left"
		if sign > 0 {
			way = "to the right"
		}
		text := "nothing changes further " + way
		if asks := asksText(&spec, track); asks != "" {
			text += ", as far as is known: " + asks
		}
		return m.say(text, false)
	}
	cmd := m.setParameter(spec.Field, at)
	d.arrived, d.arrivedAt = "at "+parameterValue(&spec, at)+": "+wording.Spoken(turn.Cause(sign > 0), wording.Score, strconv.Itoa, nil), m.session.Params()
	d.version++
	m.scrollTune()
	return cmd
}

// arrivedText says what the last jump did, as long as nothing was changed since.
func (m *Model) arrivedText() string {
	if m.session.Params() != m.tune.pane.arrivedAt {
		return ""
	}
	return m.tune.pane.arrived
}

// typeParameter asks for a value: a number is typed, a word is chosen. On the folding
// row it folds.
func (m *Model) typeParameter() tea.Cmd {
	spec, ok := m.selectedParameter()
	if m.tune.pane.onFold {
		d := &m.tune.pane
		d.unfolded = !d.unfolded
		m.layRows()
		if d.unfolded {
			d.Top = len(m.tuneLines(d.w, true)) // scrolling finds the row a place at the top, and what it hid below
		}
		m.scrollTune()
		return nil
	}
	if !ok {
		return nil
	}
	field, present := spec.Field, m.session.Params().Get(spec.Field)
	if spec.Kind == param.KindBool || spec.Kind == param.KindEnum {
		c := view.NewChooser(field, wordChoices(&spec, present), false)
		c.Then = func(value string) tea.Cmd { return m.setParameter(field, value) }
		for i := range c.All {
			if c.All[i].Value == present {
				c.At = i
			}
		}
		return m.push(c)
	}
	label := m.rangeText(&spec)
	if spec.Off != "" {
		label += "; " + spec.Off + " is off"
	}
	check := func(text string) error {
		p := m.session.Params()
		return p.Set(field, text)
	}
	p := view.NewPrompt(field, label, present, check, func(text string) tea.Cmd { return m.setParameter(field, text) })
	p.Verb = "set"
	return m.push(p)
}

// wordChoices are the words of a parameter.
func wordChoices(s *param.Spec, present string) []widget.Choice {
	var all []widget.Choice
	for _, value := range s.Positions() {
		title := parameterValue(s, value)
		if value == present {
			title += "  (as it is)"
		}
		all = append(all, widget.Choice{Value: value, Title: title})
	}
	return all
}

// copyParams copies the parameters as lines of an environment file.
func (m *Model) copyParams() tea.Cmd {
	var b strings.Builder
	var floor param.Floor
	if m.session.Result() != nil {
		floor = m.session.Result().Floor
	}
	if err := m.session.Params().WriteEnv(&b, floor); err != nil {
		return m.say("not copied: "+err.Error(), true)
	}
	text := b.String()
	inBand := base64.StdEncoding.EncodedLen(len(text)) <= maxInBand
	cmd := clipboardCmd(m.opts.Clipboard, ".env block", text, inBand)
	if inBand {
		return tea.Batch(cmd, tea.SetClipboard(text))
	}
	return cmd
}
