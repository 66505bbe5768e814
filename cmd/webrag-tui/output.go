package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// What standard output may be told: all other control sequences are taken out of it.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[22m"
)

// output is standard output with its colours cut to what it can show: none in a
// pipe, none with NO_COLOR.
func (a *app) output() io.Writer {
	w := colorprofile.NewWriter(a.process.out, a.environ)
	w.Forward = a.out
	if a.noColor {
		w.Profile = min(w.Profile, colorprofile.ASCII)
	}
	return w
}

// narrate prints notices on standard error, unless that is to be quiet.
func (a *app) narrate(notices []retrieval.Notice) {
	if a.quiet {
		return
	}
	for _, n := range notices {
		sign := "·"
		if n.Warning {
			sign = "! warning:"
		}
		fmt.Fprintf(a.err, "%s %s\n", sign, offset.Line(n.Text))
	}
}

// note narrates one sentence.
func (a *app) note(format string, args ...any) {
	a.narrate([]retrieval.Notice{{Text: fmt.Sprintf(format, args...)}})
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err = fmt.Fprintf(a.out, "%s\n", offset.JSON(raw))
	return err
}

// printEncoded prints what package wire has made of a result.
func (a *app) printEncoded(raw []byte, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s\n", raw)
	return nil
}

// eachOf makes a list of another; an empty one is [] in JSON, and not null.
func eachOf[T, U any](list []T, encode func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = encode(v)
	}
	return out
}

// printRows prints rows as JSON, or for people in columns: a line of each, with tabs
// between them.
func printRows[T any](a *app, rows []T, line func(T) string) error {
	if a.json {
		return a.printJSON(rows)
	}
	return printTable(a.out, rows, line)
}

func printTable[T any](out io.Writer, rows []T, line func(T) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, line(r))
	}
	return w.Flush()
}

// plural is a number of things: "1 page", "9 pages".
func plural(n int, word string) string { return phrase.Counted(n, word) }

func pad(s string, cells int) string {
	return s + strings.Repeat(" ", max(0, cells-len([]rune(s))))
}

// score is a score for lists: three decimals without the leading zero.
func score(v float64) string { return phrase.Bare(fmt.Sprintf("%.3f", v)) }

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	if n < 999_950 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// byteSize prints bytes in the unit that suits them.
func byteSize(n int64) string {
	const step = 1024
	units := []string{"B", "kB", "MB", "GB", "TB"}
	value, unit := float64(n), 0
	for value >= step && unit < len(units)-1 {
		value, unit = value/step, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}

// said writes a phrase with numbers as they stand in lists.
func said(p phrase.Phrase) string {
	return p.Words(func(part phrase.Part) string {
		switch part.Kind {
		case phrase.Count:
			return strconv.Itoa(int(part.Number))
		case phrase.Score:
			return score(part.Number)
		case phrase.Title:
			return nameWords(part.Text)
		default:
			return offset.Line(part.Text)
		}
	})
}
