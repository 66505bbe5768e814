package tune

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// chooseProfile lists the presets and profiles. Reading them waits for the disk.
func (v *View) chooseProfile() tea.Cmd {
	if v.needs.Read == nil {
		return v.showProfiles(session.Presets())
	}
	read := v.needs.Read
	return v.reading.Run(v.Context(), func(context.Context) func() tea.Cmd {
		list, err := read()
		return func() tea.Cmd {
			switch {
			case v.needs.IsTaken():
				return nil // something else has the keys by now
			case err != nil:
				return tea.Batch(v.showProfiles(session.Presets()), v.Say("the profiles could not be read: "+err.Error(), true))
			}
			return v.showProfiles(list)
		}
	})
}

func (v *View) showProfiles(list []session.Profile) tea.Cmd {
	byName := map[string]*session.Profile{}
	var all []widget.Choice
	at := 0
	for i := range list {
		p := &list[i]
		byName[p.Name] = p
		c := widget.Choice{Value: p.Name, Title: wording.Noted(wording.Line(p.Name), wording.Line(p.Note))}
		if p.Problem != nil {
			c.Title, c.Off = wording.Line(p.Name), wording.Line(p.Problem.Error())
		}
		if p.Name == v.Session().Start().Name {
			at = i
		}
		all = append(all, c)
	}
	c := view.NewChooser("Start from", all, true)
	c.At = at
	c.Wide = 112
	c.Then = func(name string) tea.Cmd {
		p := v.needs.Profiles.Know(*byName[name])
		cmd := v.needs.Changed(v.Session().StartFrom(session.Setting{Name: p.Name, Params: p.Params}))
		v.scroll()
		return cmd
	}
	return v.Push(c)
}

func (v *View) canSaveProfile() (bool, string) {
	return v.needs.Save != nil, "there is no place to save profiles to"
}

// saving saves parameters as profiles.
type saving struct{ *View }

// kept are parameters that are saved, with what they started from and what is to be noted; title
// says what they are.
type kept struct {
	params param.Params
	start  session.Setting
	note   string
	title  string
}

// SaveAs asks for the name of a profile of parameters that started from others, and saves
// them with a note; name is proposed.
func (v *View) SaveAs(name string, p param.Params, start session.Setting, note string) tea.Cmd {
	return saving{v}.promptProfile(name, kept{p, start, note, "Save as profile"})
}

// saveThese saves the present parameters.
func (v saving) saveThese() tea.Cmd {
	now, name := v.Session(), ""
	if _, isPreset := param.Preset(now.Start().Name); !isPreset {
		name = wording.Line(now.Start().Name)
	}
	return v.promptProfile(name, kept{now.Params(), now.Start(), v.needs.Note(now.Params()), "Save the live parameters as profile"})
}

// promptProfile asks for the name of a profile.
func (v saving) promptProfile(name string, k kept) tea.Cmd {
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("a profile has a name")
		}
		return nil
	}
	var p *view.Prompt
	p = view.NewPrompt(k.title, "A name of letters, digits, dots, hyphens and underscores", name, check, func(text string) tea.Cmd {
		return v.saveProfile(strings.TrimSpace(text), k, false, p)
	})
	p.Verb, p.Stays = "save", true
	return v.Push(p)
}

// saveProfile writes the parameters. from is the prompt that the name was typed
// into, nil for none.
func (v saving) saveProfile(name string, k kept, replace bool, from *view.Prompt) tea.Cmd {
	save, base := v.needs.Save, v.needs.Profiles.Base(k.start.Name)
	plain := v.needs.Profiles.Plain(k.start, k.params)
	return func() tea.Msg {
		where, err := save(session.Profile{Name: name, Base: base, Note: k.note, Params: plain}, replace)
		return profileSaved{kept: k, v: v, name: name, base: base, where: where, plain: plain, from: from, err: err}
	}
}

// profileSaved ends the saving of a profile.
type profileSaved struct {
	kept
	v                 saving
	name, base, where string
	plain             param.Params // in the file
	from              *view.Prompt
	err               error
}

// Apply implements [view.Arrival].
func (msg profileSaved) Apply() tea.Cmd {
	v := msg.v
	switch {
	case errors.Is(msg.err, session.ErrProfileExists):
		v.Answer(msg.from, nil)
		c := view.NewChooser("There is a profile "+wording.Line(msg.name)+" already", []widget.Choice{
			{Value: "keep", Title: "Keep it, and choose another name", Key: "k"},
			{Value: "replace", Title: "Replace it", Key: "r"},
		}, false)
		c.Then = func(what string) tea.Cmd {
			if what == "replace" {
				return v.saveProfile(msg.name, msg.kept, true, nil)
			}
			return v.promptProfile(msg.name, msg.kept)
		}
		return v.Push(c)
	case v.Answer(msg.from, msg.err) && msg.err != nil:
		return nil
	case msg.err != nil:
		return v.Say("not saved: "+msg.err.Error(), true)
	}
	v.needs.Profiles.Know(session.Profile{
		Name: msg.name, Base: msg.base, Params: msg.plain, Origin: func(string) string { return "profile " + msg.name },
	})
	var cmd tea.Cmd
	if now := v.Session(); now.Params() == msg.params {
		v.version++
		cmd = v.needs.Changed(now.Saved(msg.name))
	}
	return tea.Batch(cmd, v.Say("saved as "+msg.where, false))
}
