package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui"
)

// startOf is what the explorer's parameters would start from with another preset
// or profile: the settings that are given explicitly hold with any of them.
func startOf(c *config.Config, from basis) (ui.Profile, error) {
	params, err := retrievalParams(c, from.profile.Params)
	if err != nil {
		return ui.Profile{}, err
	}
	return ui.Profile{
		Name: from.profile.Name, Base: from.profile.Preset, Note: noteOf(from), Params: params,
		Origin: func(field string) string {
			spec, ok := param.SpecOf(field)
			if ok && c.IsSet(spec.Key) {
				return c.Value(spec.Key).Origin.String()
			}
			return from.origin(field)
		},
	}, nil
}

// noteOf says in a few words what parameters are started from.
func noteOf(b basis) string {
	if b.file != "" {
		note := changedWords(b.profile)
		if b.profile.Note != "" {
			note = b.profile.Note + "; " + note
		}
		return note
	}
	for _, info := range param.PresetInfos() {
		if info.Name == b.profile.Name {
			return info.Summary
		}
	}
	return ""
}

// startsFor lists what the explorer can start from: the presets, the profiles,
// and the one that is used, wherever its file is.
func startsFor(c *config.Config, used basis) ([]ui.Profile, error) {
	names, err := profileNames()
	if err != nil {
		return nil, err
	}
	var list []ui.Profile
	add := func(b basis, err error) {
		var start ui.Profile
		if err == nil {
			start, err = startOf(c, b)
		}
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			start = ui.Profile{Name: b.profile.Name, Problem: fmt.Errorf("%s", first)}
		}
		list = append(list, start)
	}
	for _, name := range param.Presets() {
		add(openBasis(name))
	}
	isListed := used.file == ""
	for _, name := range names {
		path := filepath.Join(profilesFolder(), name+profileExt)
		b, err := openBasis(path)
		// Its file's name is the one by which it can be asked for.
		b.profile.Name = name
		isListed = isListed || b.file != "" && path == used.file
		add(b, err)
	}
	if !isListed {
		add(used, nil)
	}
	return list, nil
}

// saveFromExplorer writes parameters that were tuned as a profile of the profiles'
// folder.
func (a *app) saveFromExplorer(corpus string, tuned ui.Profile, replace bool) (string, error) {
	if err := checkProfileName(tuned.Name); err != nil {
		return "", err
	}
	path := profilePath(tuned.Name)
	if _, err := os.Stat(path); err == nil && !replace {
		return "", ui.ErrProfileExists
	}
	p := param.Profile{
		Version: param.ProfileVersion, Name: tuned.Name, Preset: tuned.Base, Created: a.now().UTC().Truncate(1e9),
		Corpus: corpus, Params: tuned.Params,
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("make the profiles' folder: %w", err)
	}
	if err := writeProfile(path, file.Bytes(), replace); err != nil {
		return "", err
	}
	return path, nil
}
