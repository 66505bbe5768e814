package ui

import (
	"errors"
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Profile is a preset or a profile that the parameters can start from.
type Profile struct {
	Name string
	// Base is the preset that a profile was made from; a preset's own name.
	Base string
	// Note says in a few words what it is.
	Note   string
	Params param.Params
	// Origin says where the value of a field comes from: "--set", "config.toml:12",
	// "preset webrag". nil says that it is the preset's.
	Origin func(field string) string
	// Problem is why it cannot be used, nil when it can.
	Problem error
}

// ErrProfileExists says that a profile was not saved because there is one of its
// name.
var ErrProfileExists = errors.New("there is a profile of this name")

// plainPresets are the presets as they are.
func plainPresets() []Profile {
	var list []Profile
	for _, info := range param.PresetInfos() {
		p, _ := param.Preset(info.Name)
		list = append(list, Profile{Name: info.Name, Base: info.Name, Note: info.Summary, Params: p})
	}
	return list
}

// chooseProfile lists the presets and profiles. Reading them waits for the disk.
func (m *Model) chooseProfile() tea.Cmd {
	read := m.opts.Profiles
	if read == nil {
		return m.showProfiles(plainPresets())
	}
	t := &m.tune
	_, gen := t.choosing.begin(m.ctx)
	return func() tea.Msg {
		list, err := read()
		return profilesRead{gen: gen, profiles: list, err: err}
	}
}

// profilesRead brings the presets and profiles.
type profilesRead struct {
	gen      int
	profiles []Profile
	err      error
}

func (msg profilesRead) arrive(m *Model) tea.Cmd {
	if msg.gen != m.tune.choosing.gen || len(m.dialogs) > 0 || m.typing() {
		return nil // something else has the keys by now
	}
	if msg.err != nil {
		return tea.Batch(m.showProfiles(plainPresets()), m.say("the profiles could not be read: "+msg.err.Error(), true))
	}
	return m.showProfiles(msg.profiles)
}

// noteColumn is where the notes of the profiles begin.
const noteColumn = 14

func (m *Model) showProfiles(list []Profile) tea.Cmd {
	byName := map[string]*Profile{}
	var all []widget.Choice
	at := 0
	for i := range list {
		p := &list[i]
		byName[p.Name] = p
		title := wording.Line(p.Name)
		title += strings.Repeat(" ", max(2, noteColumn-ansi.StringWidth(title))) + wording.Line(p.Note)
		c := widget.Choice{Value: p.Name, Title: title}
		if p.Problem != nil {
			c.Title, c.Off = wording.Line(p.Name), wording.Line(p.Problem.Error())
		}
		if p.Name == m.session.Start().Name {
			at = i
		}
		all = append(all, c)
	}
	c := view.NewChooser("Start from", all, false)
	c.At = at
	c.Wide = 92
	c.Then = func(name string) tea.Cmd {
		m.tune.plain[name] = *byName[name]
		p := m.suited(*byName[name])
		m.tune.knowOrigin(&p)
		m.tune.bases[p.Name] = p.Base
		cmd := m.retuned(m.session.StartFrom(session.Setting{Name: p.Name, Params: p.Params}))
		m.scrollTune()
		return cmd
	}
	return m.push(c)
}

// knowOrigin remembers where the values of a preset or profile come from.
func (t *tuning) knowOrigin(p *Profile) {
	if t.origins == nil {
		t.origins = map[string]func(string) string{}
	}
	t.origins[p.Name] = p.Origin
}

func (m *Model) canSaveProfile() (bool, string) {
	return m.opts.SaveProfile != nil, "there is no place to save profiles to"
}

// promptProfile asks for the name of a profile.
func (m *Model) promptProfile(name string) tea.Cmd {
	if _, isPreset := param.Preset(m.session.Start().Name); name == "" && !isPreset {
		name = wording.Line(m.session.Start().Name)
	}
	check := func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("a profile has a name")
		}
		return nil
	}
	var p *view.Prompt
	p = view.NewPrompt("Save as profile", "A name of letters, digits, dots, hyphens and underscores", name, check, func(text string) tea.Cmd {
		return m.saveProfile(strings.TrimSpace(text), false, p)
	})
	p.Verb, p.Stays = "save", true
	return m.push(p)
}

// saveProfile writes the parameters. from is the prompt that the name was typed
// into, nil for none.
func (m *Model) saveProfile(name string, replace bool, from *view.Prompt) tea.Cmd {
	save, params, base := m.opts.SaveProfile, m.session.Params(), m.baseOf(m.session.Start().Name)
	plain := m.plainParams()
	return func() tea.Msg {
		where, err := save(Profile{Name: name, Base: base, Params: plain}, replace)
		return profileSaved{name: name, base: base, where: where, params: params, plain: plain, from: from, err: err}
	}
}

// baseOf is the preset that parameters of a name started from.
func (m *Model) baseOf(name string) string {
	if base := m.tune.bases[name]; base != "" {
		return base
	}
	if _, ok := param.Preset(name); ok {
		return name
	}
	return param.PresetWebRAG
}

// profileSaved ends the saving of a profile.
type profileSaved struct {
	name, base, where string
	params            param.Params // on the screen
	plain             param.Params // in the file
	from              *view.Prompt
	err               error
}

func (msg profileSaved) arrive(m *Model) tea.Cmd {
	switch {
	case errors.Is(msg.err, ErrProfileExists):
		m.answerPrompt(msg.from, nil)
		c := view.NewChooser("There is a profile "+wording.Line(msg.name)+" already", []widget.Choice{
			{Value: "keep", Title: "Keep it, and choose another name", Key: "k"},
			{Value: "replace", Title: "Replace it", Key: "r"},
		}, false)
		c.Then = func(what string) tea.Cmd {
			if what == "replace" {
				return m.saveProfile(msg.name, true, nil)
			}
			return m.promptProfile(msg.name)
		}
		return m.push(c)
	case msg.err != nil && m.isOpen(msg.from):
		m.answerPrompt(msg.from, msg.err)
		return nil
	case msg.err != nil:
		return m.say("not saved: "+msg.err.Error(), true)
	}
	m.answerPrompt(msg.from, nil)
	t := &m.tune
	saved := Profile{Name: msg.name, Base: msg.base, Params: msg.plain, Origin: func(string) string { return "profile " + msg.name }}
	t.plain[msg.name] = saved
	saved = m.suited(saved)
	t.knowOrigin(&saved)
	t.bases[msg.name] = msg.base
	if m.session.Params() == msg.params {
		work := m.session.Saved(msg.name)
		t.pane.version++
		return tea.Batch(m.showSession(m.selectedID(), work), m.say("saved as "+msg.where, false))
	}
	return m.say("saved as "+msg.where, false)
}
