//go:build linux

package main

import (
	"database/sql"
	"regexp"

	_ "modernc.org/sqlite" // the driver of corpus files
)

// lineNumber is what a line of "query -" says of where its query stood.
var lineNumber = regexp.MustCompile(`"(line|number)":\d+,?`)

// craft runs statements on an SQLite file, as somebody with bad intentions would,
// past all that the program checks.
func craft(path string, statements ...string) {
	db, err := sql.Open("sqlite", path)
	must(err)
	defer db.Close()
	for _, s := range append([]string{"PRAGMA foreign_keys = off", "PRAGMA ignore_check_constraints = on"}, statements...) {
		_, err := db.Exec(s)
		must(err)
	}
}
