// Command buildidf makes the weight table of the built-in embedder from folders
// of HTML documentation. It is run by hand (build.sh), because a new table is a
// new embedder: every corpus has to be embedded again.
//
//	buildidf -table FILE -provenance FILE 'NAME|VERSION|LICENCE|FOLDER'...
//
// The same folders give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	table := flag.String("table", "", "write the weight table to this file")
	provenance := flag.String("provenance", "", "write where it comes from to this file")
	flag.Parse()
	if err := run(*table, *provenance, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "buildidf:", err)
		os.Exit(1)
	}
}

// source is a collection of documents under one licence.
type source struct {
	name, version, licence, folder string
	found, used                    int // passages
}

func parseSource(arg string) (source, error) {
	part := strings.Split(arg, "|")
	if len(part) != 4 {
		return source{}, fmt.Errorf("source %q: want NAME|VERSION|LICENCE|FOLDER", arg)
	}
	return source{name: part[0], version: part[1], licence: part[2], folder: part[3]}, nil
}

func run(table, provenance string, args []string) error {
	if table == "" || provenance == "" || len(args) == 0 {
		return errors.New("need -table, -provenance and at least one source")
	}
	c := newCounter()
	sources := make([]source, 0, len(args))
	for _, arg := range args {
		s, err := parseSource(arg)
		if err != nil {
			return err
		}
		passages, err := readPassages(s.folder)
		if err != nil {
			return fmt.Errorf("read %s: %w", s.name, err)
		}
		s.found = len(passages)
		for _, p := range sample(passages, s.name) {
			c.add(p)
			s.used++
		}
		sources = append(sources, s)
	}
	data := c.table()
	if err := os.WriteFile(table, data, 0o644); err != nil {
		return err
	}
	return os.WriteFile(provenance, describe(sources, c, data), 0o644)
}
