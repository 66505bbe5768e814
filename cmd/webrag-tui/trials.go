package main

import (
	"cmp"
	"context"
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

// judgeOf is the name of who judges.
func judgeOf(a *app, c *config.Config) (string, error) {
	return trials.WhoJudges(settingOf("evaluation.judge").Env, c.Text("evaluation.judge"), a.getenv("USER"))
}

// configured asks for the settings first.
func configured[T any](a *app, of func(*config.Config) (T, error)) func() (T, error) {
	return func() (v T, err error) {
		c, err := a.loadConfig()
		if err != nil {
			return v, err
		}
		return of(c)
	}
}

// trialsOf is what the commands that judge and measure need of the program.
func trialsOf(a *app) *trials.Program {
	return &trials.Program{
		Sets:       configured(a, func(c *config.Config) (string, error) { return setsFolder(c), nil }),
		User:       configured(a, func(c *config.Config) (string, error) { return judgeOf(a, c) }),
		SetsFlag:   func(fs *pflag.FlagSet) { a.settingFlags(fs, "evaluation.sets") },
		Flags:      a.parameterFlags,
		ScopeFlags: func(fs *pflag.FlagSet) func() (store.Scope, error) { return new(scopeFlags).register(fs) },
		Configuration: func(flag, value string) (trials.Configuration, error) {
			s, err := a.side(flag, value, nil)
			return trials.Configuration{Name: s.name, Preset: s.preset, Params: s.params}, err
		},
		Corpus: func(ctx context.Context) (*trials.Corpus, error) { return corpusOfTrials(ctx, a) },
		Model: configured(a, func(c *config.Config) (*llm.Chat, error) {
			a.narrate(toChat.notices(c))
			return newChat(c)
		}),
		ProfilePath: newProfilePath, WriteProfile: a.writeProfile,
		Watched: configured(a, func(c *config.Config) ([]judgment.Expected, error) {
			var list []judgment.Expected
			for _, q := range ui.WatchedAt(explorerState(), corpusPlace(c).id()) {
				list = append(list, judgment.Expected{Query: q.Query, Page: q.Required()})
			}
			return list, nil
		}),
		Out: func() io.Writer { return a.output() }, IsJSON: func() bool { return a.json }, Print: a.printJSON,
		Narrate: a.narrate, Now: a.now, Version: version, Short: errNothing,
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
