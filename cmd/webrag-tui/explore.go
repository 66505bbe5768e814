package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/atotto/clipboard"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/surface"
)

// exploreFlags are the flags of the explorer.
type exploreFlags struct {
	span    string
	noMouse bool
}

// exploration is what the explorer is opened with.
type exploration struct {
	query    string
	examples []string
	command  []string
	flags    exploreFlags
	// preset is the name of the preset or profile that params started from.
	preset   string
	params   retrieval.Params
	notices  []retrieval.Notice
	embedder embedder.Embedder
	name     string
	open     func(context.Context) (store.Store, error)
}

// newExplore is the default command.
func newExplore(a *app) *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [QUERY]",
		Short: "Open the explorer (the default)",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.exploreCorpus(cmd.Context(), strings.Join(args, " "), f)
		},
	}
	a.exploreFlags(cmd.Flags(), &f)
	return cmd
}

func (a *app) exploreFlags(fs *pflag.FlagSet, f *exploreFlags) {
	a.retrievalFlags(fs)
	a.settingFlag(fs, "ui.theme")
	a.settingFlag(fs, "ui.background")
	a.settingFlag(fs, "ui.plain")
	fs.StringVar(&f.span, "span", "", "open a page at a span and paint it as a citation: `URL:START-END`")
	fs.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

func (a *app) exploreCorpus(ctx context.Context, query string, f exploreFlags) error {
	c, from, params, err := a.retrievalBasis()
	if err != nil {
		return err
	}
	emb, err := newEmbedder(c)
	if err != nil {
		return err
	}
	return a.explore(ctx, c, exploration{
		query: query, flags: f, preset: from.profile.Name, params: params, embedder: emb, command: a.commandLine(c, "webrag-tui"),
		open: func(ctx context.Context) (store.Store, error) { return openCorpus(ctx, c) },
	})
}

// explore opens the explorer. Opening the corpus is left to it, so that the first
// frame does not wait for the disk.
func (a *app) explore(ctx context.Context, c *config.Config, x exploration) error {
	look, err := loadLooks(c)
	if err != nil {
		return err
	}
	if !a.hasTerminal() {
		return errors.New("the explorer needs a terminal; from a script use 'webrag-tui query --json TEXT'")
	}
	scorers, err := newScorers(c)
	if err != nil {
		return err
	}
	o := ui.Options{
		Open: func(ctx context.Context) (*ui.Corpus, error) {
			st, err := x.open(ctx)
			if err != nil {
				return nil, err
			}
			emb, notices, err := forQueries(ctx, x.embedder, st)
			if err != nil {
				return nil, errors.Join(err, st.Close())
			}
			corpus := ui.NewCorpus(retrieval.Deps{Store: st, Embedder: emb, Scorers: scorers, Log: a.log, Now: a.now})
			corpus.Notices = append(corpus.Notices, notices...)
			for _, n := range advice(st.Info()) {
				n.Warning = false // once read, it gives its place away
				corpus.Notices = append(corpus.Notices, n)
			}
			if x.name != "" {
				corpus.Name = x.name
			}
			return corpus, nil
		},
		CorpusName: x.name, Preset: x.preset, Params: x.params, Query: x.query, Notices: append(look.notices, x.notices...),
		Examples: x.examples, Theme: look.name, Themes: look.own, Dark: darkSetting(c), AssumeLight: isLightGround(a.getenv("COLORFGBG")), NoColor: a.noColor || a.getenv("NO_COLOR") != "",
		NoMouse:        x.flags.noMouse || !c.Bool("ui.mouse"),
		Plain:          c.Bool("ui.plain"),
		Keys:           rebindings(c),
		HTMLToMarkdown: surface.Markdown,
		ItemJSON:       retrieval.EncodeItem,
		Clipboard:      clipboard.WriteAll,
		OpenURL:        openURL,
		Editor:         cmp.Or(a.getenv("VISUAL"), a.getenv("EDITOR")),
		Command:        x.command,
		StatePath:      filepath.Join(stateFolder(), "explorer.json"),
		Version:        version,
		Now:            a.now,
	}
	if x.flags.span != "" {
		span, err := ui.ParseSpan(x.flags.span)
		if err != nil {
			return fmt.Errorf("--span: %w", err)
		}
		o.Span = &span
	}
	if a.logFile != nil {
		o.Debug = a.logFile
	}
	return ui.Run(ctx, o)
}

// darkSetting is the configured background, nil to ask the terminal.
func darkSetting(c *config.Config) *bool {
	dark := c.Text("ui.background") == "dark"
	if c.Text("ui.background") == "auto" {
		return nil
	}
	return &dark
}

// isLightGround reads what some terminals say of their colours in the environment,
// as "FOREGROUND;BACKGROUND" by the numbers of the sixteen colours. It is no more
// than a guess: a multiplexer, or a shell on another machine, may hand on what
// another terminal said.
func isLightGround(colours string) bool {
	back := colours[strings.LastIndexByte(colours, ';')+1:]
	n, err := strconv.Atoi(back)
	return err == nil && strings.Contains(colours, ";") && (n == 7 || n >= 9 && n <= 15)
}

// hasTerminal reports whether a person is there to look and to type. Standard
// input may be a pipe: the explorer then takes its keys from the terminal.
func (a *app) hasTerminal() bool {
	f, ok := a.out.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

func (a *app) getenv(name string) string {
	for _, pair := range a.environ {
		if text, ok := strings.CutPrefix(pair, name+"="); ok {
			return text
		}
	}
	return ""
}

// stateFolder keeps what the program remembers between runs, and its log.
func stateFolder() string { return filepath.Join(xdg.StateHome, appFolder) }

// openURL shows an address in the user's browser. Only addresses of the web are
// handed to the system: a corpus must not be able to start programs.
func openURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s is not an address of the web", address)
	}
	name, args := "xdg-open", []string{u.String()}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", u.String()}
	}
	if err := exec.Command(name, args...).Start(); err != nil {
		return fmt.Errorf("open %s: %w", address, err)
	}
	return nil
}
