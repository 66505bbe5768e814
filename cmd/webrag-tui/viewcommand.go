package main

import (
	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/postgres"
)

// viewCommand makes the command lines that open what the explorer shows: a corpus
// by its place, and parameters by the preset or profile that they started from.
// What the environment and the files of settings say is left to them.
type viewCommand struct {
	app *app
	c   *config.Config
	// configured is the place of the corpus that the settings name.
	configured string
	// place and start are the exploration's.
	place string
	start session.Profile
}

// words are those of the command, without a query. An explorer that is asked for
// by its name takes any query, also one that reads like a command.
func (v viewCommand) words(place, start string, p param.Params) []string {
	words := append([]string{"webrag-tui"}, v.corpusWords(place)...)
	if v.app.configFile != "" {
		words = append(words, "--config", v.app.configFile)
	}
	if owner := v.c.Value("corpus.owner"); owner.Origin.Source == config.Flag {
		words = append(words, "--"+settingOf("corpus.owner").Flag, owner.Text)
	}
	preset, from := v.startWords(start)
	return append(append(words, preset...), v.changedWords(place, from, p)...)
}

func (v viewCommand) corpusWords(place string) []string {
	given := v.c.Value("corpus.path")
	switch {
	case place == guidePlace:
		return []string{"demo"}
	case place != v.place, place != v.configured:
		// The one that was last open is not brought back by a query either.
		return []string{"explore", "--corpus", place}
	}
	words := []string{"explore"}
	if given.Origin.Source == config.Flag {
		corpus := given.Text
		if placeOf(corpus).isDatabase {
			corpus = postgres.WithoutPassword(corpus)
		}
		words = append(words, "--corpus", corpus)
	}
	for _, key := range []string{"corpus.table", "corpus.map"} {
		if value := v.c.Value(key); value.Origin.Source == config.Flag {
			words = append(words, "--"+settingOf(key).Flag, value.Text)
		}
	}
	return words
}

// startWords choose a preset or profile, if the settings do not, and give what the
// parameters then are.
func (v viewCommand) startWords(start string) ([]string, session.Profile) {
	if start == v.start.Name {
		if preset := v.c.Value(presetKey); preset.Origin.Source == config.Flag {
			return []string{preset.Origin.Name, preset.Text}, v.start
		}
		return nil, v.start
	}
	_, from, err := startAt(v.c, start)
	if err != nil {
		return nil, v.start // it is gone: its parameters are spelled out
	}
	return []string{"--" + settingOf(presetKey).Flag, start}, from
}

// changedWords set the parameters that were changed, and those that the command
// line gave. Whether the guide's threshold is lowered depends on the mode: it is set
// as soon as that is.
func (v viewCommand) changedWords(place string, from session.Profile, p param.Params) []string {
	from = adaptTo(v.c, place, from)
	adapted := p.Mode != from.Params.Mode && place == guidePlace
	var words []string
	for _, spec := range param.Specs() {
		given := v.c.Value(spec.Key).Origin.Source == config.Flag
		if value := p.Get(spec.Field); given || value != from.Params.Get(spec.Field) || adapted && spec.Field == param.FieldFullContextThreshold {
			words = append(words, "--set", spec.Field+"="+value)
		}
	}
	return words
}
