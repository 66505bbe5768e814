//go:build linux

package main

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"

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
		done, err := db.Exec(s)
		must(err)
		n, err := done.RowsAffected()
		must(err)
		if n == 0 && (strings.HasPrefix(s, "UPDATE") || strings.HasPrefix(s, "DELETE")) {
			must(fmt.Errorf("%s changes nothing", s))
		}
	}
}

// rebuild writes all tables of an SQLite file into a new one, in which nothing is
// left of what guards the pages of the old.
func rebuild(from, to string) {
	db, err := sql.Open("sqlite", to)
	must(err)
	defer db.Close()
	db.SetMaxOpenConns(1) // that which has the old one beside it
	_, err = db.Exec("ATTACH ? AS old", from)
	must(err)
	rows, err := db.Query("SELECT type, name, sql FROM old.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table'")
	must(err)
	defer rows.Close()
	var statements []string
	for rows.Next() {
		var kind, name, statement string
		must(rows.Scan(&kind, &name, &statement))
		statements = append(statements, statement)
		if kind == "table" {
			statements = append(statements, "INSERT INTO main."+name+" SELECT * FROM old."+name)
		}
	}
	must(rows.Err())
	must(rows.Close())
	for _, s := range append([]string{"PRAGMA foreign_keys = off", "PRAGMA ignore_check_constraints = on"}, statements...) {
		_, err := db.Exec(s)
		must(err)
	}
}
