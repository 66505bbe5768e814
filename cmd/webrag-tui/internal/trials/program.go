// Package trials has the commands that judge what retrieval returns, and measure and
// compare it by these judgments.
package trials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Program is what the commands need of the program that they belong to. All of it is
// called only while a command runs, but for those that add flags.
type Program struct {
	// Sets is the folder of the query sets, Flag adds the flag that names another one.
	Sets     func() (string, error)
	SetsFlag func(*pflag.FlagSet)
	// Flags adds the flags that change parameters, wherever these start.
	Flags func(*pflag.FlagSet)
	// ScopeFlags adds the flags that restrict a search to some pages, and returns what says
	// to which.
	ScopeFlags func(*pflag.FlagSet) func() (store.Scope, error)
	// Configuration finds a preset or profile by the value of a flag; an empty one is what
	// the settings say.
	Configuration func(flag, value string) (Configuration, error)
	// Corpus opens the configured corpus.
	Corpus func(context.Context) (*Corpus, error)
	// Model is the configured language model, nil if there is none. It says where what it
	// is asked is sent.
	Model func() (*llm.Chat, error)
	// Watched are the queries of the watch list of the configured corpus.
	Watched func() ([]judgment.Expected, error)
	// Out is standard output, IsJSON says that it is to be JSON, which Print writes.
	Out    func() io.Writer
	IsJSON func() bool
	Print  func(v any) error
	// Narrate prints notices on standard error.
	Narrate func([]retrieval.Notice)
	// Bar narrates work; it returns nil where nothing is narrated.
	Bar func() *progress.Bar
	// User is who is at the keyboard, for what they judge.
	User func() (string, error)
	Now  func() time.Time
	// ProfilePath is where a profile of a name is written, and what it is called there; the
	// error says why there can be none. WriteProfile writes it. Force replaces one that is
	// there.
	ProfilePath  func(name string, force bool) (path, short string, err error)
	WriteProfile func(path string, p param.Profile, force bool) error
	// Version is that of the program.
	Version string
	// Short is the error of a command that ran and found too little, when it has said so.
	Short error
}

// Configuration is a preset or profile with changes.
type Configuration struct {
	Name string
	// Preset is what the parameters started from.
	Preset string
	Params param.Params
}

// Corpus is an open corpus.
type Corpus struct {
	retrieval.Deps
	Name string
	// Close closes it.
	Close func()
}

// Commands are the commands.
func Commands(p *Program) []*cobra.Command {
	return []*cobra.Command{newJudge(p), newRun(p), newEvaluate(p), newSweep(p)}
}

// note narrates one sentence.
func (p *Program) note(format string, args ...any) {
	p.Narrate([]retrieval.Notice{{Text: fmt.Sprintf(format, args...)}})
}

// place splits what names a set into the folder of sets and the set's own: it is a path if
// it has a separator, or if there is such a folder here; else a name below the folder
// of sets.
func (p *Program) place(set string) (sets, name string, err error) {
	if strings.ContainsRune(set, '/') || strings.ContainsRune(set, filepath.Separator) || isSetHere(set) {
		abs, err := filepath.Abs(set)
		if err != nil {
			return "", "", fmt.Errorf("query set %s: %w", set, err)
		}
		return filepath.Dir(abs), filepath.Base(abs), nil
	}
	sets, err = p.Sets()
	return sets, set, err
}

// isSetHere says that a folder of this name is a query set.
func isSetHere(name string) bool {
	for _, file := range []string{"set.json", "queries.tsv"} {
		if _, err := os.Stat(filepath.Join(name, file)); err == nil {
			return true
		}
	}
	return false
}

// openSet opens a set, and tells what in its files is not as it should be.
func (p *Program) openSet(name string) (*judgment.Set, error) {
	sets, base, err := p.place(name)
	if err != nil {
		return nil, err
	}
	set, problems, err := judgment.Open(sets, base)
	if errors.Is(err, judgment.ErrNoSet) && name == guideSet {
		if err := judgment.Copy(guideFiles, sets, base); err != nil {
			return nil, err
		}
		p.note("copied the query set of the guide to %s", filepath.Join(sets, base))
		set, problems, err = judgment.Open(sets, base)
	}
	for i, x := range problems {
		if i == mostProblems {
			p.note("%s: and %d problems more; mend these first", base, len(problems)-mostProblems)
			break
		}
		p.Narrate([]retrieval.Notice{{Code: "query_set_problem", Text: base + ": " + x.String(), Warning: !x.Used}})
	}
	if err != nil {
		return nil, fmt.Errorf("%w; 'webrag-tui judge list' lists those that there are", err)
	}
	return set, nil
}

// guideSet is the set that comes with the guide: it is there when somebody names it.
const guideSet = "guide"

var guideFiles, _ = fs.Sub(docs.Judged, "judged") // the path is valid

// mostProblems is how many problems of a set's files are told.
const mostProblems = 5

// figure is a number for tables, with so many decimals and without a leading zero.
func figure(v float64, decimals int) string {
	text := fmt.Sprintf("%.*f", decimals, v)
	sign := ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = "-", rest
	}
	if strings.Trim(text, "0.") == "" {
		sign = ""
	}
	return sign + strings.TrimPrefix(text, "0")
}

// signed is a difference with its sign.
func signed(v float64) string {
	if text := figure(v, 3); text != ".000" && text[0] != '-' {
		return "+" + text
	}
	return figure(v, 3)
}

// brief is the beginning of a text, on one line.
func brief(text string, most int) string {
	runes := []rune(offset.Line(strings.Join(strings.Fields(text), " ")))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}
