package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpCells bounds the lines of the help: longer ones are hard to read.
const helpCells = 100

// columns is the width of a terminal in cells, 0 for what is none.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(f.Fd())
	return width
}

// help prints a command's help. It has bold and faint type, but no colours that
// would depend on the terminal's background: asking for that takes seconds where
// nothing answers.
func (a *app) help(cmd *cobra.Command, _ []string) {
	width := helpCells
	if c := columns(a.process.out); c > 0 {
		width = min(width, c)
	}
	h := helpPage{w: a.output(), width: width}
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintln(h.w, ansi.Wordwrap(text, width, ""))
	h.title("Usage")
	fmt.Fprintln(h.w, "  "+cmd.UseLine())
	if cmd.Example != "" {
		h.title("Examples")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(h.w, "  "+strings.TrimRight(line, "\n"))
		}
	}
	h.rows("Commands", commandRows(cmd))
	own, filters := filtersApart(cmd.LocalNonPersistentFlags())
	h.rows("Flags", flagRows(own))
	h.rows("Filters (different ones must all hold; of one given several times, any value)", flagRows(filters))
	shared := pflag.NewFlagSet("", pflag.ContinueOnError)
	shared.AddFlagSet(cmd.PersistentFlags())
	shared.AddFlagSet(cmd.InheritedFlags())
	h.rows("Flags of all commands", flagRows(shared))
}

type helpPage struct {
	w     io.Writer
	width int
}

// helpRow is a name with what it means.
type helpRow struct{ name, text string }

func (h *helpPage) title(words string) { fmt.Fprintf(h.w, "\n%s%s%s\n", bold, words, plain) }

// rows prints two columns; on a narrow terminal the text goes below its name.
func (h *helpPage) rows(title string, rows []helpRow) {
	if len(rows) == 0 {
		return
	}
	h.title(title)
	names := 0
	for _, r := range rows {
		names = max(names, len([]rune(r.name)))
	}
	const least = 30 // cells for the text beside its name
	indent := names + 4
	if h.width-indent < least {
		indent = 6
	}
	for _, r := range rows {
		text := strings.ReplaceAll(ansi.Wordwrap(r.text, max(1, h.width-indent), ""), "\n", "\n"+strings.Repeat(" ", indent))
		if indent < names+4 {
			fmt.Fprintf(h.w, "  %s\n%s%s\n", r.name, strings.Repeat(" ", indent), text)
			continue
		}
		fmt.Fprintf(h.w, "  %s%s\n", pad(r.name, indent-2), text)
	}
}

func commandRows(cmd *cobra.Command) []helpRow {
	var rows []helpRow
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			rows = append(rows, helpRow{sub.Name(), sub.Short})
		}
	}
	return rows
}

// filtersApart parts the flags that restrict a search from the others.
func filtersApart(flags *pflag.FlagSet) (own, filters *pflag.FlagSet) {
	own, filters = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[filterGroup]; ok {
			filters.AddFlag(f)
			return
		}
		own.AddFlag(f)
	})
	return own, filters
}

func flagRows(flags *pflag.FlagSet) []helpRow {
	var rows []helpRow
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + strings.ToUpper(value)
		}
		rows = append(rows, helpRow{name, usage})
	})
	return rows
}

// newMan prints the manual page. It is made of a tree of commands of its own,
// whose flags have their usage without the marks around the value's name.
func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := newRoot(newApp(a.process))
			unquote(root)
			root.SetArgs([]string{"man"})
			return fang.Execute(cmd.Context(), root, fang.WithVersion(version))
		},
	}
}

func unquote(cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	}
	for _, sub := range cmd.Commands() {
		unquote(sub)
	}
}
