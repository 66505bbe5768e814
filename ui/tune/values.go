package tune

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// SetValue gives a parameter a value.
func (v *View) SetValue(field, value string) tea.Cmd {
	p := v.Session().Params()
	if err := p.Set(field, value); err != nil {
		return v.Say(err.Error(), true)
	}
	v.arrived, v.looking.jump = "", 0
	cmd := v.Set(p, field)
	v.scroll()
	return cmd
}

// step moves the parameter under the cursor along its track.
func (v *View) step(sign int, coarse bool) tea.Cmd {
	spec, ok := v.selected()
	if !ok {
		return nil
	}
	if coarse {
		sign *= spec.Coarse()
	}
	return v.SetValue(spec.Field, spec.Walk(v.Session().Params(), sign))
}

// jump goes to the next value at which the ranking changes. While that is not
// known yet, the jump waits.
func (v *View) jump(sign int) tea.Cmd {
	spec, ok := v.selected()
	if !ok {
		return nil
	}
	if v.Session().Evidence() == nil {
		return v.Say("there is no ranking yet: ask something first", false)
	}
	track, ok := v.Session().ExactBreakpoints(spec.Field)
	if !ok && v.isRefused() {
		return v.Say(notTheirs+": {corpus.reopen} tries again", false)
	}
	if !ok {
		waits := v.looking.jump != 0
		v.looking.jump, v.looking.of = sign, v.ranking()
		if waits || v.Session().Pending() != "" {
			return nil
		}
		// At once: the pause of Follow spares the work for rows that the cursor only passes.
		return v.look(lookingFor{spec.Field, v.laid}, true)
	}
	point, at, ok := track.Next(v.Session().Params().Get(spec.Field), sign > 0)
	if !ok {
		text := "no further change to the left"
		if sign > 0 {
			text = "no further change to the right"
		}
		if asks := asksText(&spec, track, v.Session().Params().Get(spec.Field), sign); asks != "" {
			text += "; " + asks
		}
		return v.Say(text, false)
	}
	v.Session().Divide() // a jump is a change of its own, and so is what follows it
	cmd := v.SetValue(spec.Field, at)
	v.Session().Divide()
	v.arrived, v.arrivedAt = "at "+spec.Shown(at)+": "+wording.Cause(point.Cause(sign > 0), v.TitleSuffixes()), v.Session().Params()
	v.version++
	v.scroll()
	return cmd
}

// arrivedText says what the last jump did, as long as nothing was changed since.
func (v *View) arrivedText() string {
	if v.Session().Params() != v.arrivedAt {
		return ""
	}
	return v.arrived
}

// typeValue asks for a value: a number is typed, a word is chosen. On the folding
// row it folds.
func (v *View) typeValue() tea.Cmd {
	spec, ok := v.selected()
	if v.onFold {
		v.unfolded = !v.unfolded
		v.layRows()
		if v.unfolded {
			v.pager.Top = len(v.lines()) // scrolling finds the row a place at the top, and what it hid below
		}
		v.scroll()
		return nil
	}
	if !ok {
		return nil
	}
	field, present := spec.Field, v.Session().Params().Get(spec.Field)
	if spec.Kind == param.KindBool || spec.Kind == param.KindEnum {
		c := view.NewChooser(phrase.Capital(spec.Name), wordChoices(&spec, present), false)
		c.Then = func(value string) tea.Cmd { return v.SetValue(field, value) }
		for i := range c.All {
			if c.All[i].Value == present {
				c.At = i
			}
		}
		return v.Push(c)
	}
	label := rangeText(v.Session(), &spec)
	if _, end := spec.Special(); end == 0 && spec.Off != "" {
		label += "; " + spec.Off + " is off"
	}
	if word, ok := spec.Word(present); ok {
		present = word
	}
	check := func(text string) error {
		p := v.Session().Params()
		err := p.Set(field, text)
		if wrong := (*param.Error)(nil); errors.As(err, &wrong) {
			return errors.New(wrong.Says()) // the box is named after the parameter
		}
		return err
	}
	p := view.NewPrompt(phrase.Capital(spec.Name), label, present, check, func(text string) tea.Cmd { return v.SetValue(field, text) })
	p.Verb = "set"
	return v.Push(p)
}

// wordChoices are the words of a parameter.
func wordChoices(s *param.Spec, present string) []widget.Choice {
	var all []widget.Choice
	for _, value := range s.Positions() {
		title := s.Shown(value)
		if value == present {
			title += "  (as it is)"
		}
		all = append(all, widget.Choice{Value: value, Title: title})
	}
	return all
}

// copyParams copies the parameters as lines of an environment file.
func (v *View) copyParams() tea.Cmd {
	var b strings.Builder
	var floor param.Floor
	if v.Session().Result() != nil {
		floor = v.Session().Result().Floor
	}
	if err := v.Session().Params().WriteEnv(&b, floor); err != nil {
		return v.Say("not copied: "+err.Error(), true)
	}
	return v.Copy(".env block", b.String())
}
