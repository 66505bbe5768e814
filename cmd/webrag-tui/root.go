package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// app is one run of the program: its world and the flags that all commands know.
type app struct {
	process
	configFile string
	json       bool
	quiet      bool
	debug      bool
	noColor    bool
	// flags are settings given on the command line, by key; set are those given
	// as --set field=value.
	flags map[string]string
	set   []string
}

func newRoot(a *app) *cobra.Command {
	a.flags = map[string]string{}
	explore := newExplore(a)
	root := &cobra.Command{
		Use:   "webrag-tui [QUERY]",
		Short: "See why your retriever returned what it returned",
		Long: "webrag-tui opens a corpus of web pages, sends a query through the pipeline that\n" +
			"feeds a language model, and shows the sections it returns with the matched\n" +
			"passages marked, every score taken apart and every dropped candidate with its reason.",
		Example: "webrag-tui demo                      # the guide, in the explorer\n" +
			"webrag-tui index docs/               # make a corpus of a folder\n" +
			"webrag-tui query 'gradient boosting' # ask it from a script\n" +
			"webrag-tui                           # explore it",
		Args: cobra.ArbitraryArgs,
		RunE: explore.RunE,
	}
	pf := root.PersistentFlags()
	pf.StringVar(&a.configFile, "config", "", "config `file` (default: see 'webrag-tui config path')")
	pf.BoolVar(&a.json, "json", false, "print data as JSON")
	pf.BoolVar(&a.quiet, "quiet", false, "print no narration on standard error")
	pf.BoolVar(&a.debug, "debug", false, "write a debug log into the state folder")
	pf.BoolVar(&a.noColor, "no-color", false, "use no colours")
	a.settingFlag(pf, "corpus.path")
	a.settingFlag(pf, "corpus.owner")
	root.Flags().AddFlagSet(explore.Flags())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return fmt.Errorf("%w; 'webrag-tui --help' lists the flags", err)
	})
	root.AddCommand(explore, newDemo(a), newIndex(a), newQuery(a), newConfig(a), newKeys(a), newVersion(a))
	return root
}

// newVersion prints the version and what was built in.
func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.printVersion()
		},
	}
}
