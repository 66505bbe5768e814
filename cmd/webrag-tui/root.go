package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/trials"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// app is one run of the program: its world and the flags that all commands know.
type app struct {
	process
	// out and err are those of the process with a net below: what is printed there
	// cannot steer a terminal, wherever it comes from. Only what draws on a terminal
	// itself writes to those of the process.
	out, err   io.Writer
	configFile string
	json       bool
	quiet      bool
	debug      bool
	noColor    bool
	exact      bool
	profile    string
	// flags are settings given on the command line, by key; set are those given
	// as --set field=value.
	flags map[string]string
	set   []string
	// answers are what is typed at questions of the program.
	answers io.Reader
	// log is what --debug writes, to logFile; without it both do nothing.
	log     *slog.Logger
	logFile *os.File
	waited  lastWait
}

func newApp(p process) *app {
	return &app{
		process: p, out: offset.NewWriter(p.out, bold, faint, plain), err: offset.NewWriter(p.err, bold, faint, plain),
		flags: map[string]string{}, log: slog.New(slog.DiscardHandler),
	}
}

func newRoot(a *app) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := misspelt(cmd, args); err != nil {
				return err
			}
			return explore.RunE(cmd, args)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.answers = readUntil(cmd.Context(), a.in)
			return a.openLog(cmd.CommandPath())
		},
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetHelpFunc(a.help)
	pf := root.PersistentFlags()
	pf.StringVar(&a.configFile, "config", "", "config `file` (default: see 'webrag-tui config path')")
	pf.BoolVar(&a.json, "json", false, "print data as JSON")
	pf.BoolVar(&a.quiet, "quiet", false, "print no narration on standard error")
	pf.BoolVar(&a.debug, "debug", false, "write a debug log into the state folder")
	pf.BoolVar(&a.noColor, "no-color", false, "use no colours")
	a.settingFlags(pf, "corpus.path", "corpus.table", "corpus.map", "corpus.owner")
	root.Flags().AddFlagSet(explore.Flags())
	root.SetFlagErrorFunc(a.flagError)
	root.AddCommand(explore, newDemo(a), newIndex(a), newQuery(a), newWhy(a), newCompare(a), newContext(a), newCite(a), newPresets(a), newProfile(a),
		newDocs(a), newEdges(a), newCopy(a), newAnn(a), newDoctor(a), newMigrate(a), newConfig(a), newTrust(a), newKeys(a), newReplay(a), newVersion(a))
	root.AddCommand(trials.Commands(trialsOf(a))...)
	return root
}

// misspelt refuses a query that looks like a mistyped command, since everything
// that is no command is a query.
func misspelt(root *cobra.Command, args []string) error {
	const (
		edits = 2
		// shortest is the shortest word that is compared: fewer letters are near
		// to any short name.
		shortest = 3
	)
	if len(args) == 0 || len(args[0]) < shortest || strings.ContainsAny(args[0], " \t\n") {
		return nil
	}
	root.SuggestionsMinimumDistance = edits
	near := root.SuggestionsFor(args[0])
	if len(near) == 0 {
		return nil
	}
	return fmt.Errorf("%q is no command; did you mean %q? To ask for it, use: webrag-tui explore %s",
		args[0], near[0], file.ShellWord(strings.Join(args, " ")))
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}
