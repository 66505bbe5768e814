package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// demoThreshold is the full-context threshold of the demo. The guide is smaller
// than the default of 30,000 tokens, and in full context there is no ranking to
// look at.
const demoThreshold = 4000

// theDemo is where a value comes from that the demo chose.
const theDemo = "the demo"

// guidePlace stands for the bundled guide where corpora are named by their places.
const guidePlace = "guide:"

// guideName is what the guide is called where corpora are listed.
const guideName = "guide"

// demoExamples are questions that the guide answers well.
var demoExamples = []string{
	"how does depth decay change the ranking",
	"why are there fewer results than the limit",
	"what does a similarity of 0.3 mean",
}

// guideCorpus is where the bundled guide is kept once it is indexed.
func guideCorpus() string { return filepath.Join(xdg.CacheHome, appFolder, "guide.db") }

func newDemo(a *app) *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "demo [QUERY]",
		Short: "Explore the bundled guide: nothing to set up",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.demo(cmd.Context(), strings.Join(args, " "), f)
		},
	}
	a.exploreFlags(cmd.Flags(), &f)
	cmd.Flags().BoolVar(&f.guided, "tour", false, "play the guide's own tour, two minutes")
	return cmd
}

func (a *app) demo(ctx context.Context, query string, f exploreFlags) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	// The guide is embedded by the program itself, whatever is configured.
	from, err := basisFor(c, true)
	if f.guided && !c.IsSet(presetKey) {
		// The guide's tour tells of the floor and the depth of this preset.
		from, err = openBasis(param.PresetWebRAG)
	}
	if err != nil {
		return err
	}
	return a.explore(ctx, c, exploration{place: guidePlace, name: guideName, query: query, flags: f, from: from})
}

// adaptTo is a preset or profile as it suits the corpus at a place: with the guide
// the full-context threshold is lowered, unless somebody chose one.
func adaptTo(c *config.Config, place string, p session.Profile) session.Profile {
	base, ok := param.Preset(p.Base)
	if place != guidePlace || !ok || p.Params.Mode != param.ModeAuto ||
		c.IsSet(param.KeyPrefix+param.FieldFullContextThreshold) || p.Params.FullContextThreshold != base.FullContextThreshold {
		return p
	}
	plain := p.Origin
	if plain == nil {
		plain = func(string) string { return "preset " + p.Base }
	}
	p.Params.FullContextThreshold = demoThreshold
	p.Origin = func(field string) string {
		if field == param.FieldFullContextThreshold {
			return theDemo
		}
		return plain(field)
	}
	return p
}

// adaptedAt are the parameters that presets have on the corpus at a place in place of their
// own, by field.
func adaptedAt(c *config.Config, place string) map[string]string {
	const one = "webrag"
	plain, _ := param.Preset(one)
	return adaptTo(c, place, session.Profile{Name: one, Base: one, Params: plain}).Params.Differing(plain)
}

// guideNotices say what adapting start to the guide has changed.
func guideNotices(c *config.Config, start session.Profile) []retrieval.Notice {
	if adaptTo(c, guidePlace, start).Params == start.Params {
		return nil
	}
	return []retrieval.Notice{{
		Code: "demo_threshold",
		Text: fmt.Sprintf("demo: only up to %d tokens everything would be sent, so that the guide is searched", demoThreshold),
	}}
}
