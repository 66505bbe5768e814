package session

import (
	"errors"

	"github.com/webrag/webrag-tui/retrieval/param"
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

// Presets are the presets as they are.
func Presets() []Profile {
	var list []Profile
	for _, info := range param.PresetInfos() {
		p, _ := param.Preset(info.Name)
		list = append(list, Profile{Name: info.Name, Base: info.Name, Note: info.Summary, Params: p})
	}
	return list
}

// Profiles are the presets and profiles that the parameters were started from, by name.
// The zero value knows none.
type Profiles struct {
	// Suit gives one as it suits the present corpus; nil takes all as they are.
	Suit func(Profile) Profile
	// plain are they as they were before they suited a corpus, suited as they suit
	// the present one.
	plain, suited map[string]Profile
}

// Know remembers a preset or profile, and returns it as it suits the present corpus.
func (p *Profiles) Know(plain Profile) Profile {
	if p.plain == nil {
		p.plain, p.suited = map[string]Profile{}, map[string]Profile{}
	}
	p.plain[plain.Name] = plain
	suited := plain
	if p.Suit != nil {
		suited = p.Suit(plain)
	}
	p.suited[plain.Name] = suited
	return suited
}

// Adapted are the parameters that one gives on the present corpus, which may be another
// than before: for [Session.Adapt]. ok is false for one that is not known.
func (p *Profiles) Adapted(name string) (adapted param.Params, ok bool) {
	plain, ok := p.plain[name]
	if !ok {
		return adapted, false
	}
	return p.Know(plain).Params, true
}

// Origin says where the value of a field comes from, as [Profile] has it; empty where
// that is not known.
func (p *Profiles) Origin(name, field string) string {
	if from := p.suited[name].Origin; from != nil {
		return from(field)
	}
	return ""
}

// Base is the preset that one was made from, [param.PresetWebRAG] where that is not
// known.
func (p *Profiles) Base(name string) string {
	if base := p.suited[name].Base; base != "" {
		return base
	}
	if _, ok := param.Preset(name); ok {
		return name
	}
	return param.PresetWebRAG
}

// Plain are parameters that started from one without what suits the present corpus only:
// what a profile of them holds.
func (p *Profiles) Plain(start Setting, params param.Params) param.Params {
	plain, ok := p.plain[start.Name]
	if !ok {
		return params
	}
	return Rebase(params, start.Params, plain.Params)
}
