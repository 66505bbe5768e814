package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func newConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where each comes from",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Print every setting with its value and its origin",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.configShow() },
	}
	a.retrievalFlags(show.Flags())
	cmd.AddCommand(show, &cobra.Command{
		Use:   "path",
		Short: "Print the files and folders that the program uses",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.configPath() },
	}, &cobra.Command{
		Use:   "env",
		Short: "Print a documented .env file with every variable commented out",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.out, config.BlankEnv(settings()))
			return err
		},
	})
	return cmd
}

// shownSetting is a row of config show.
type shownSetting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

func (a *app) configShow() error {
	c, from, p, err := retrievalBasis(a.readConfig)
	if err != nil {
		return err
	}
	var rows []shownSetting
	for _, v := range c.Values() {
		row := shownSetting{Key: v.Setting.Key, Value: v.Shown(), Origin: v.Origin.String()}
		if v.Origin.Source == config.Default {
			row.Value, row.Origin = defaultOf(v, p, from)
		}
		if !isUsed(c, v.Setting.Key) {
			row.Value, row.Origin = "not used", "embedding.provider "+provider(c)
		}
		rows = append(rows, row)
	}
	if e := untrusted(c); e != nil {
		fmt.Fprintf(a.err, "! nothing is done with these settings: %s\n", offset.Line(e.Error()))
	}
	return printRows(a, rows, func(r shownSetting) string {
		return r.Key + "\t" + offset.Line(r.Value) + "\t" + offset.Line(r.Origin)
	})
}

// isUsed says that a setting means something to the configured embedder: one that
// runs in the program asks no server, and must not look as if it did.
func isUsed(c *config.Config, key string) bool {
	if c.IsSet(key) {
		return true
	}
	switch key {
	case "embedding.base_url", "embedding.batch_size", "embedding.max_workers":
		return provider(c) == providerOpenAI
	case "embedding.model":
		return provider(c) != providerBuiltin
	default:
		return true
	}
}

// defaultOf is the value that holds when nothing is given: a preset's, a
// model's, or the table's.
func defaultOf(v config.Value, p param.Params, from basis) (text, origin string) {
	switch key := v.Setting.Key; {
	case key == presetKey:
		return from.profile.Preset, "default: " + from.why
	case key == param.KeyPrefix+param.FieldReranker && p.Reranker != from.profile.Params.Reranker:
		return p.Get(fieldName(key)), "retrieval.rerank_enabled"
	case strings.HasPrefix(key, param.KeyPrefix) && p.Get(fieldName(key)) != "":
		return p.Get(fieldName(key)), from.origin(fieldName(key))
	case key == "corpus.path":
		return defaultCorpus(), "default"
	case v.Text == "" && v.Setting.DefaultNote != "":
		return v.Setting.DefaultNote, "default"
	case v.Text == "" && !v.Setting.Secret:
		return "none", "default"
	default:
		return v.Shown(), "default"
	}
}

func (a *app) configPath() error {
	paths := map[string]string{
		"config": cmp.Or(a.configFile, defaultConfig()), "themes": themesFolder(), "profiles": profilesFolder(),
		"corpus": defaultCorpus(), "guide": guideCorpus(), "state": stateFolder(),
	}
	if a.json {
		return a.printJSON(paths)
	}
	return printTable(a.out, []string{"config", "themes", "profiles", "corpus", "guide", "state"}, func(name string) string {
		return name + "\t" + paths[name]
	})
}

func (a *app) printVersion() error {
	platform, builtin := runtime.GOOS+"/"+runtime.GOARCH, embedder.NewBuiltin().Info().ID
	if a.json {
		return a.printJSON(map[string]string{"version": version, "go": runtime.Version(), "platform": platform, "embedder": builtin})
	}
	_, err := fmt.Fprintf(a.out, "webrag-tui %s (%s, %s)\nbuilt-in embedder %s\n", version, runtime.Version(), platform, builtin)
	return err
}
