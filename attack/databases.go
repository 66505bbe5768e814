//go:build linux

package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the server
)

// databases inject into a corpus in PostgreSQL, and into the description of a
// table that another program made.
var databases = family{
	name:  "databases",
	tries: "the same in PostgreSQL, and as names and columns of --table and --map, and as owners",
	holds: "as above; an owner never sees another's rows; no table is gone or changed",
	count: 150, short: 4,
	begin: func(a *arena) (attempt, error) {
		dsn := os.Getenv("WEBRAG_TEST_DSN")
		if dsn == "" {
			return nil, fmt.Errorf("%w: no server in WEBRAG_TEST_DSN; 'make attack' starts one", errSkipped)
		}
		a.corpus()
		name := fmt.Sprintf("attack_%d_%d", os.Getpid(), a.seed)
		db, err := sql.Open("pgx", dsn)
		must(err)
		defer db.Close()
		_, err = db.Exec("CREATE DATABASE " + name)
		must(err)
		a.after = append(a.after, func() {
			if db, err := sql.Open("pgx", dsn); err == nil {
				_, _ = db.Exec("DROP DATABASE " + name + " WITH (FORCE)")
				_ = db.Close()
			}
		})
		address, err := url.Parse(dsn)
		must(err)
		address.Path = "/" + name
		corpus := address.String()
		pages := filepath.Join(a.dir, "first", "pages")
		a.make2(corpus, pages, "--owner", "ann")
		a.make2(corpus, filepath.Join(pages, "retries-1.md"), "--owner", "ben")
		want, err := a.standIn(filepath.Join(a.dir, "databases.home")).content(corpus)
		if err != nil {
			return nil, err
		}
		return func(t *try) error {
			attack := one(t, func() error { return inject(t, corpus) }, func() error { return foreign(t, corpus) }, func() error { return otherOwner(t, corpus) })
			if err := attack(); err != nil {
				return err
			}
			return t.unchanged(corpus, want)
		}, nil
	},
}

// make2 is make for a database.
func (a *arena) make2(corpus string, args ...string) {
	t := a.standIn(filepath.Join(a.dir, "make2.home"))
	defer os.RemoveAll(t.dir)
	must(t.run(append([]string{"index", "--corpus", corpus}, args...)...).fine())
}

// foreign describes a table by phrases.
func foreign(t *try, corpus string) error {
	args := []string{"query", "--corpus", corpus, "retries"}
	p := phrase(t)
	switch t.IntN(3) {
	case 0:
		args = append(args, "--table=x"+p)
	case 1:
		args = append(args, "--table=chunk_texts", "--map=text=x"+p)
	default:
		args = append(args, "--table=chunk_texts", "--map=x"+p)
	}
	o := t.run(args...)
	if err := o.refused(2, 3); err != nil {
		return err
	}
	if o.code == 3 {
		return o.wrong("exit code 3, as if the server were away: %s", o.said())
	}
	return nil
}

// otherOwner asks as an owner whose name is a phrase, and as one who has pages.
func otherOwner(t *try, corpus string) error {
	p := phrase(t)
	for _, owner := range []string{"ben' OR owner='ann", "ann\x00"[:3] + p, "ben" + p, strings.ToUpper("ben")} {
		o := t.run("docs", "list", "--corpus", corpus, "--owner="+owner)
		if err := o.refused(1, 2); err != nil {
			return err
		}
		if strings.Contains(o.out, "file:") {
			return o.wrong("owner %s sees %s", brief(owner), brief(o.out))
		}
	}
	o := t.run("query", "--json", "--corpus", corpus, "--owner=ben", "--", "boosting "+p)
	if err := o.refused(0, 1); err != nil {
		return err
	}
	if n := strings.Count(o.out, `"source_url": "file:`); n != strings.Count(o.out, `"source_url": "file:retries-1.md"`) {
		return o.wrong("ben sees a page of ann's")
	}
	return nil
}
