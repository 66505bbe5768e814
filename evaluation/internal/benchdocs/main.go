// Command benchdocs asks the judged questions of real documentation with the
// presets and prints how well they are answered.
//
//	benchdocs [-corpora DIR] [-cache DIR] [-rebuild] [-held] [-corpus NAME]...
//	          [-preset NAME]... [-base NAME] [-set FIELD=VALUE]... [-each] [-readme]
//
// -corpora is the folder that "make corpora" filled, $WEBRAG_CORPORA if not given.
// The pages are indexed once into the folder -cache (webrag-tui/judged in the user's
// cache folder if not given; it takes half a gigabyte), and again when the program
// would cut or embed them otherwise; -rebuild indexes them in any case.
//
// Without -held, questions are those that parameters may be tuned with; with it,
// the others. With -set, or with -base, each preset, with its parameters so
// changed, is compared with itself as it is, or with the preset -base, question by
// question: the mean differences with 95 % intervals (paired bootstrap). -each
// prints what the questions got, but not of the held ones. -readme asks all and
// prints the table of docs/quality.md.
//
// The exit code is 0, or 2 when something is wrong.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchdocs:", err)
		os.Exit(2)
	}
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set adds a value.
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// bench is what was asked for.
type bench struct {
	corpora, cache              string
	rebuild, held, each, readme bool
	only, presets, sets         list
	base                        string
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	b := bench{corpora: os.Getenv("WEBRAG_CORPORA")}
	flags := flag.NewFlagSet("benchdocs", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&b.corpora, "corpora", b.corpora, "the folder of real pages")
	flags.StringVar(&b.cache, "cache", "", "where indexed pages are kept")
	flags.BoolVar(&b.rebuild, "rebuild", false, "index the pages again")
	flags.BoolVar(&b.held, "held", false, "ask the questions that nothing is tuned on")
	flags.BoolVar(&b.each, "each", false, "print each question")
	flags.BoolVar(&b.readme, "readme", false, "print the table of docs/quality.md")
	flags.Var(&b.only, "corpus", "ask only this corpus")
	flags.Var(&b.presets, "preset", "measure only this preset")
	flags.StringVar(&b.base, "base", "", "compare with this preset")
	flags.Var(&b.sets, "set", "change a parameter: field=value")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag", flags.Arg(0))
	case b.corpora == "":
		return errors.New("no pages: run make corpora and name the folder that it prints with -corpora or WEBRAG_CORPORA")
	case b.each && b.held:
		return errors.New("-each does not go with -held: who looks at a held question tunes on it")
	}
	if len(b.presets) == 0 {
		b.presets = param.Presets()
	}
	if b.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("%w; name a folder with -cache", err)
		}
		b.cache = filepath.Join(dir, "webrag-tui", "judged")
	}
	rows, err := b.rows()
	if err != nil {
		return err
	}
	for _, c := range judged.Corpora() {
		if len(b.only) > 0 && !slices.Contains(b.only, c.Name) {
			continue
		}
		if err := b.ask(ctx, c, rows); err != nil {
			return err
		}
	}
	if len(rows[0].scores) == 0 {
		return fmt.Errorf("there is no corpus %s", b.only.String())
	}
	if b.readme {
		printReadme(out, rows)
		return nil
	}
	return b.print(out, rows)
}

// row is one way to answer.
type row struct {
	name   string
	params param.Params
	scores []judged.Score
	// against is the row that this one is compared with, nil for none.
	against *row
}

// rows are the presets, each followed by what is compared with it.
func (b *bench) rows() ([]*row, error) {
	var rows []*row
	add := func(name string, against *row, sets ...string) (*row, error) {
		p, err := judged.Preset(name, sets)
		r := &row{name: strings.Join(append([]string{name}, sets...), " "), params: p, against: against}
		rows = append(rows, r)
		return r, err
	}
	var base *row
	var err error
	if b.base != "" {
		if base, err = add(b.base, nil); err != nil {
			return nil, err
		}
	}
	for _, name := range b.presets {
		plain := base
		if base == nil || name != b.base {
			r, err := add(name, base)
			if err != nil {
				return nil, err
			}
			plain = cmp.Or(base, r)
		}
		if len(b.sets) > 0 {
			if _, err := add(name, plain, b.sets...); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// ask asks a corpus in all ways.
func (b *bench) ask(ctx context.Context, c judged.Corpus, rows []*row) (err error) {
	lib, err := judged.Open(ctx, c, b.corpora, b.cache, b.rebuild)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lib.Close()) }()
	asked, err := lib.Resolve(ctx)
	if err != nil {
		return err
	}
	asked = slices.DeleteFunc(asked, func(a judged.Asked) bool { return !b.readme && a.Held != b.held })
	for _, r := range rows {
		scores, err := lib.Ask(ctx, asked, r.params)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.scores = append(r.scores, scores...)
	}
	return nil
}
