package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/keys"
)

// keysSection is the section of the config file with the user's table of keys.
const keysSection = "keys"

// rebindings is the user's table of keys.
func rebindings(c *config.Config) []keys.Rebinding {
	return eachOf(c.Lists(keysSection), func(l config.List) keys.Rebinding {
		return keys.Rebinding{Name: l.Name, Keys: l.Texts, Origin: l.Origin.String()}
	})
}

func newKeys(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "Print the explorer's keys and where each comes from",
		Long: "keys prints the actions of the explorer with the keys that run them. Change them in\n" +
			"the config file, in a section [keys]: the action's name and a list of keys, an empty\n" +
			"list for none. A key with an empty list does nothing any more. What is wrong in the\n" +
			"section, such as one key for two actions in one place, is an error.",
		Example: "webrag-tui keys\n" +
			"webrag-tui keys --json | jq '.[] | select(.origin != \"default\")'",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.printKeys() },
	}
}

func (a *app) printKeys() error {
	c, err := a.readConfig()
	if err != nil {
		return err
	}
	all, err := ui.Keys(rebindings(c))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(all)
	}
	err = printTable(a.out, all, func(k keys.Info) string {
		shown, origin := cmp.Or(strings.Join(k.Keys, " "), "(palette)"), k.Origin
		if k.Fixed {
			origin = "fixed"
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s", offset.Line(k.ID), offset.Line(shown), offset.Line(origin), k.Help)
	})
	if err != nil {
		return fmt.Errorf("print the keys: %w", err)
	}
	return nil
}
