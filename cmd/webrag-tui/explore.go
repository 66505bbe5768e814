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
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/atotto/clipboard"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guard"
	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guide"
	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/surface"
	"github.com/webrag/webrag-tui/ui/welcome"
)

type exploreFlags struct {
	span    string
	noMouse bool
	// fresh begins anew, without what was last on the screen.
	fresh bool
	tourFlags
	// record is the file that the session is written to.
	record string
}

// exploration is what the explorer is opened with.
type exploration struct {
	query string
	flags exploreFlags
	// from is what the parameters start from, and start what they then are.
	from    basis
	start   session.Profile
	notices []retrieval.Notice
	name    string
	// place tells the corpus from others, without secrets; empty remembers nothing.
	place string
	// open and embedder are those of the corpus; the guide needs neither.
	open     opener
	embedder embedder.Embedder
}

// opener opens a corpus, which the explorer does when its first frame is drawn.
type opener func(context.Context) (store.Store, error)

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
	a.settingFlags(fs, "ui.theme", "ui.background", "ui.plain", "evaluation.sets")
	fs.StringVar(&f.span, "span", "", "open a page at a span and paint it as a citation: `URL:START-END`")
	fs.BoolVar(&f.fresh, "fresh", false, "begin anew, without the query and the parameters of the last session")
	f.tourFlags.add(fs)
	fs.StringVar(&f.record, "record", "", "write the session, with the texts that are shown, to a new `FILE` for 'webrag-tui replay'")
	fs.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

func (a *app) exploreCorpus(ctx context.Context, query string, f exploreFlags) error {
	c, from, _, err := retrievalBasis(a.loadConfig)
	if err != nil {
		return err
	}
	emb, err := newEmbedder(c)
	if err != nil {
		return err
	}
	own, at := corpusPlace(c), corpusPlace(c)
	if !c.IsSet("corpus.path") && query == "" && f.span == "" && !f.fresh {
		at = lastCorpus(at)
	}
	x := exploration{query: query, flags: f, from: from, embedder: emb, place: at.id(), open: at.opener(c), notices: lastNotices(at, own)}
	return a.explore(ctx, c, x)
}

// explore opens the explorer. Opening the corpus is left to it, so that the first
// frame does not wait for the disk.
func (a *app) explore(ctx context.Context, c *config.Config, x exploration) error {
	ctx = remote.WithWaiting(ctx, nil) // the screen has a sign of its own for what it waits for
	var err error
	if x.start, err = startOf(c, x.from); err != nil {
		return err
	}
	o, err := a.screen(c, x.flags.noMouse)
	if err != nil {
		return err
	}
	script, err := x.flags.load()
	if err != nil {
		return err
	}
	given := x.start
	o.StartAt = func(last string) session.Profile {
		if _, start, err := startAt(c, last); err == nil && !c.IsSet(presetKey) {
			return start
		}
		return given
	}
	resume := !x.flags.fresh && !retrievalGiven(c) && script == nil // a tour speaks of the start that it was made for
	if resume {
		x.goOn(c, ui.LastStart(explorerState(), x.place))
	}
	if !a.hasTerminal() {
		return errors.New("the explorer needs a terminal; from a script use 'webrag-tui query --json TEXT'")
	}
	scorers, err := newScorers(c)
	if err != nil {
		return err
	}
	// On the screen as long as it is read, and below it in the terminal.
	sending := sendNotices(c, param.RerankerHTTP, param.RerankerLLM)
	a.narrate(sending)
	corpus := func(ctx context.Context, open opener, e embedder.Embedder, name string) (*session.Corpus, error) {
		st, err := open(ctx)
		if err != nil {
			return nil, err
		}
		emb, notices, err := forQueries(ctx, e, st)
		if err != nil {
			return nil, errors.Join(err, st.Close())
		}
		corpus := session.NewCorpus(retrieval.Deps{Store: st, Embedder: emb, Scorers: scorers, Log: a.log, Now: a.now})
		corpus.Notices = append(corpus.Notices, notices...)
		for _, n := range advice(st.Info()) {
			n.Warning = false // shown until the next key, not for as long as it holds
			corpus.Notices = append(corpus.Notices, n)
		}
		if name != "" {
			corpus.Name = name
		}
		if name == guideName {
			corpus.Examples = demoExamples
			there, err := guide.Set(ctx, o.Sets, guideName)
			if there {
				corpus.Set = guideName
			}
			if err != nil {
				corpus.Notices = append(corpus.Notices, retrieval.Notice{Code: "no_set", Warning: true, Text: err.Error()})
			}
			corpus.Notices = append(corpus.Notices, guideNotices(c, x.start)...)
		}
		return corpus, nil
	}
	g := guide.Guide{Path: guideCorpus(), Temp: appFolder + "-guide-"}
	defer g.Close()
	openGuide := func(ctx context.Context) (*session.Corpus, error) {
		emb := embedder.NewBuiltin()
		return corpus(ctx, func(ctx context.Context) (store.Store, error) { return g.Open(ctx, emb) }, emb, guideName)
	}
	open := openGuide
	if x.place != guidePlace {
		open = func(ctx context.Context) (*session.Corpus, error) { return corpus(ctx, x.open, x.embedder, "") }
	}
	var rec *recorder
	o.Open = func(ctx context.Context) (*session.Corpus, error) {
		opened, err := open(ctx)
		if err == nil && rec != nil {
			opened = rec.Wrap(opened)
		}
		return opened, err
	}
	o.OpenPlace = func(ctx context.Context, text string) (*session.Corpus, error) {
		if text == guidePlace {
			return openGuide(ctx)
		}
		emb, err := newEmbedder(c)
		if err != nil {
			return nil, err
		}
		return corpus(ctx, placeOf(text).opener(c), emb, "")
	}
	o.Place, o.Corpora = x.place, []welcome.Corpus{{Name: guideName, Place: guidePlace}}
	o.Index, o.CheckSource = a.indexInside(c), checkSource
	if own := corpusPlace(c); !own.isDatabase { // a database is filled by who names it
		o.Own = own.id()
	}
	o.Adapt = func(place string, p session.Profile) session.Profile { return adaptTo(c, place, p) }
	o.Resume, o.Tour, o.TourSpeed = resume, script, x.flags.speed
	o.CorpusName, o.Query = x.name, x.query
	o.Preset, o.Params, o.Origin, o.Base = x.start.Name, x.start.Params, x.start.Origin, x.start.Base
	o.Notices = slices.Concat(o.Notices, sending, x.notices, x.from.notices())
	o.Profiles = func() ([]session.Profile, error) { return startsFor(c, x.from) }
	o.SaveProfile = func(p session.Profile, replace bool) (string, error) {
		return a.saveFromExplorer(cmp.Or(x.name, tunedOn(c)), p, replace)
	}
	o.Editor = cmp.Or(a.getenv("VISUAL"), a.getenv("EDITOR"))
	o.Command = viewCommand{app: a, c: c, configured: corpusPlace(c).id(), place: x.place, start: x.start}.words
	o.StatePath = explorerState()
	if x.flags.span != "" {
		span, err := citations.ParsePageSpan(x.flags.span)
		if err != nil {
			return fmt.Errorf("--span: %w", err)
		}
		o.Span = &span
	}
	if rec, err = a.record(x.flags.record, adaptTo(c, x.place, x.start), adaptedAt(c, x.place)); err != nil {
		return err
	}
	if rec != nil {
		o.Moved, o.Recording = rec.Move, rec.Status
	}
	return errors.Join(a.draw(ctx, o), a.endRecording(rec))
}

// screen are the options of every explorer: how it looks, and what the system does for it.
func (a *app) screen(c *config.Config, noMouse bool) (ui.Options, error) {
	o := ui.Options{
		Dark: darkSetting(c), AssumeLight: isLightGround(a.getenv("COLORFGBG")), NoColor: a.noColor || a.getenv("NO_COLOR") != "",
		NoMouse: noMouse || !c.Bool("ui.mouse"), Plain: c.Bool("ui.plain"), Keys: rebindings(c),
		HTMLToMarkdown: surface.Markdown, ItemJSON: wire.EncodeItem, Clipboard: clipboard.WriteAll, OpenURL: openURL,
		Version: version, Now: a.now,
		Sets: setsFolder(c),
	}
	if a.logFile != nil {
		o.Debug = a.logFile
	}
	var err error
	if o.Judge, err = judgeOf(a, c); err != nil {
		return o, err
	}
	return o, loadThemes(c, &o)
}

// lastCorpus is the corpus that was last open, if it is still there, in place of
// the default one.
func lastCorpus(otherwise place) place {
	last := ui.LastPlace(explorerState(), func(text string) bool {
		if text == guidePlace {
			return false // it is opened by its own command
		}
		p := placeOf(text)
		if p.isDatabase {
			return true
		}
		_, err := os.Stat(p.path)
		return err == nil
	})
	if last == "" {
		return otherwise
	}
	return placeOf(last)
}

// lastNotices say that the corpus of the last session is opened; nil where commands use it, too.
func lastNotices(at, own place) []retrieval.Notice {
	if at.id() == own.id() {
		return nil
	}
	return []retrieval.Notice{{
		Code: ui.LastCorpus, Text: fmt.Sprintf("%s is the corpus of the last session; commands without --corpus use %s", at.name(), own),
		Placeless: "this is the corpus of the last session; commands without --corpus use the default one",
	}}
}

// retrievalGiven says that the command line chose a preset or parameters: they
// are meant, and not those of the last session.
func retrievalGiven(c *config.Config) bool {
	isGiven := func(key string) bool { return c.Value(key).Origin.Source == config.Flag }
	return isGiven(presetKey) || slices.ContainsFunc(param.Specs(), func(s param.Spec) bool { return isGiven(s.Key) })
}

// explorerState is the file in which the explorer keeps what it remembers.
func explorerState() string { return filepath.Join(stateFolder(), "explorer.json") }

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
func (a *app) hasTerminal() bool { return isTerminal(a.process.out) }

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(file.Fd())
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

// draw runs the explorer, and has the terminal guarded while it is on the screen. A
// guard that cannot be started is no reason not to explore.
func (a *app) draw(ctx context.Context, o ui.Options) error {
	g, err := guard.Start(guard.Terminal{
		Report: filepath.Join(stateFolder(), "crash.txt"), Program: "webrag-tui " + version, Plain: o.Plain,
	})
	if err != nil && a.log != nil {
		a.log.Warn("no guard of the terminal", "error", err)
	}
	defer g.End()
	return ui.Run(ctx, o)
}
