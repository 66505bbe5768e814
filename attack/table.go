//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
)

// The marks around the table in a document.
const (
	tableBegins = "<!-- attacks -->\n"
	tableEnds   = "<!-- /attacks -->"
)

// table is what became of the families, in markdown; what gave way, and how,
// comes below it.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| attack | what is tried | what must hold | attempts | gave way |\n| --- | --- | --- | ---: | ---: |\n")
	for _, r := range rows {
		count, gaveWay := fmt.Sprint(r.attempts), fmt.Sprint(r.gaveWay)
		if r.attempts == 0 {
			count, gaveWay = "not tried", "unknown"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.name, r.tries, r.holds, count, gaveWay)
	}
	for _, r := range rows {
		for _, how := range r.how {
			fmt.Fprintf(&b, "\n%s: %s\n", r.name, how)
		}
	}
	return b.String()
}

// writeTable puts the table between its marks in a document.
func writeTable(path string, rows []row) error {
	for _, r := range rows {
		if r.attempts == 0 || r.gaveWay > 0 {
			return fmt.Errorf("%s is left as it is: only a run in which every family was tried and nothing gave way is written", path)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(raw), tableBegins)
	_, tail, ok2 := strings.Cut(rest, tableEnds)
	if !ok || !ok2 {
		return fmt.Errorf("%s has lost the marks around its table", path)
	}
	return os.WriteFile(path, []byte(head+tableBegins+table(rows)+tableEnds+tail), 0o644)
}
