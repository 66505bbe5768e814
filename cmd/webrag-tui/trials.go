package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/webrag/webrag-tui/config"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/trials"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
)

// setsFolder is where the query sets are.
func setsFolder(c *config.Config) string {
	return cmp.Or(c.Text("evaluation.sets"), filepath.Join(xdg.DataHome, appFolder, "sets"))
}

// trialsOf is what the commands that judge and measure need of the program.
func trialsOf(a *app) *trials.Program {
	user := func() (string, error) {
		c, err := a.loadConfig()
		if err != nil {
			return "", err
		}
		return a.judge(c)
	}
	return &trials.Program{
		Sets: func() (string, error) {
			c, err := a.loadConfig()
			if err != nil {
				return "", err
			}
			return setsFolder(c), nil
		},
		SetsFlag:   func(fs *pflag.FlagSet) { a.settingFlags(fs, "evaluation.sets") },
		Flags:      a.parameterFlags,
		ScopeFlags: func(fs *pflag.FlagSet) func() (store.Scope, error) { return new(scopeFlags).register(fs) },
		Configuration: func(flag, value string) (trials.Configuration, error) {
			s, err := a.side(flag, value, nil)
			return trials.Configuration{Name: s.name, Preset: s.preset, Params: s.params}, err
		},
		Corpus: func(ctx context.Context) (*trials.Corpus, error) { return corpusOfTrials(ctx, a) },
		Model: func() (*llm.Chat, error) {
			c, err := a.loadConfig()
			if err != nil {
				return nil, err
			}
			a.narrate(toChat.notices(c))
			return newChat(c)
		},
		ProfilePath: newProfilePath, WriteProfile: a.writeProfile,
		Watched: func() ([]judgment.Expected, error) {
			c, err := a.loadConfig()
			if err != nil {
				return nil, err
			}
			var list []judgment.Expected
			for _, q := range ui.WatchedAt(explorerState(), corpusPlace(c).id()) {
				list = append(list, judgment.Expected{Query: q.Query, Page: q.Required()})
			}
			return list, nil
		},
		Out: func() io.Writer { return a.output() }, IsJSON: func() bool { return a.json }, Print: a.printJSON,
		Narrate: a.narrate, User: user, Now: a.now, Version: version, Short: errNothing,
		Bar: func() *progress.Bar {
			if a.quiet {
				return nil
			}
			return progress.NewBar(a.process.err, func() int { return columns(a.process.err) }, a.now)
		},
	}
}

// corpusOfTrials opens the corpus, and reads what the first search would have to.
func corpusOfTrials(ctx context.Context, a *app) (*trials.Corpus, error) {
	q := &asker{app: a}
	if err := q.openCorpus(ctx); err != nil {
		return nil, err
	}
	a.narrate(slices.DeleteFunc(q.opened, isOfDefaultPreset)) // it is of no profile
	if err := q.load(ctx); err != nil {
		q.close()
		return nil, err
	}
	return &trials.Corpus{Deps: q.deps, Name: q.deps.Store.Info().Name, Close: q.close}, nil
}

// judge is the name of who judges.
func (a *app) judge(c *config.Config) (string, error) {
	if name := c.Text("evaluation.judge"); name != "" {
		if err := judgment.CheckPerson(name); err != nil {
			return "", fmt.Errorf("%s: %w", settingOf("evaluation.judge").Env, err)
		}
		return name, nil
	}
	if user := a.getenv("USER"); user != "" && judgment.CheckPerson(user) == nil {
		return user, nil
	}
	return "me", nil
}
