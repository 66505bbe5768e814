package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// startOf is what the explorer's parameters would start from with another preset
// or profile: the settings that are given explicitly hold with any of them.
func startOf(c *config.Config, from basis) (session.Profile, error) {
	params, err := retrievalParams(c, from.profile.Params)
	if err != nil {
		return session.Profile{}, err
	}
	return session.Profile{
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
	return summaryOf(b.profile.Name)
}

// startsFor lists what the explorer can start from: the presets, the profiles,
// and the one that is used, wherever its file is.
func startsFor(c *config.Config, used basis) ([]session.Profile, error) {
	names, err := profileNames()
	if err != nil {
		return nil, err
	}
	var list []session.Profile
	add := func(b basis, err error) {
		var start session.Profile
		if err == nil {
			start, err = startOf(c, b)
		}
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			start = session.Profile{Name: b.profile.Name, Problem: fmt.Errorf("%s", first)}
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
func (a *app) saveFromExplorer(corpus string, tuned session.Profile, replace bool) (string, error) {
	if err := checkProfileName(tuned.Name); err != nil {
		return "", err
	}
	path := profilePath(tuned.Name)
	if _, err := os.Stat(path); err == nil && !replace {
		return "", session.ErrProfileExists
	}
	p := param.Profile{Name: tuned.Name, Preset: tuned.Base, Corpus: corpus, Note: tuned.Note, Params: tuned.Params}
	return path, a.writeProfile(path, p, replace)
}

// startAt is that with a preset or profile by its name or file.
func startAt(c *config.Config, name string) (from basis, start session.Profile, err error) {
	if from, err = openBasis(name); err == nil {
		start, err = startOf(c, from)
	}
	return from, start, err
}

// goOn starts an exploration from the preset or profile that the last session of
// its corpus ended with, empty for none, where the settings choose none. One that is gone since is
// told.
func (x *exploration) goOn(c *config.Config, last string) {
	if last == "" || last == x.start.Name || c.IsSet(presetKey) {
		return
	}
	from, start, err := startAt(c, last)
	if err == nil {
		x.from, x.start = from, start
		return
	}
	x.notices = append(x.notices, retrieval.Notice{
		Code: "session_start", Warning: true,
		Text: fmt.Sprintf("the last session used %s, which cannot be used any more; this one starts from %s: %v", last, x.start.Name, err),
	})
}
