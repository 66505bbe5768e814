//go:build linux

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// injections put the words of languages into every place that takes text.
var injections = family{
	name:  "injections",
	tries: "SQL, FTS, shell, regex, glob, JSON path and format strings as query, owner, tag, metadata, heading, page, quotation, relation, profile and corpus name",
	holds: "they are text: a filter with one finds nothing, a query with one finds what its plain words find, and the corpus is as it was",
	count: 700, short: 12,
	begin: func(a *arena) (attempt, error) {
		path := a.corpus()
		want, err := a.standIn(filepath.Join(a.dir, "injections.home")).content(path)
		if err != nil {
			return nil, err
		}
		return func(t *try) error {
			corpus := t.copyOf(path, "corpus.db")
			if err := inject(t, corpus); err != nil {
				return err
			}
			return t.unchanged(corpus, want)
		}, nil
	},
}

// phrases end a string or a list, comment the rest out, or mean all.
var phrases = []string{
	`' OR '1'='1`, `' OR 1=1 --`, `'; DROP TABLE documents; --`, `'; DELETE FROM chunks; --`, `" OR ""="`, `') OR ('a'='a`, `\' OR 1=1 --`,
	`' UNION SELECT id FROM documents --`, `1; ATTACH DATABASE 'evil.db' AS e`, `'||(SELECT id FROM documents LIMIT 1)||'`, `%`, `_`, `%%`, `*`, `?`, `[a-z]*`,
	`.*`, `(a+)+$`, `^`, `(`, `[`, `\`, `$1`, `?1`, `:a`, `@a`, `{}`, `$.x`, `$[*]`, `"`, `'`, `''`, "`id`", `$(id > pwned)`, `; id > pwned`, `| id > pwned`,
	`&& touch pwned`, `%s%n%x%d`, `%!d(string=x)`, `{{.}}`, `${HOME}`, `../../../etc/passwd`, `file:///etc/passwd`, `-- `, `/* */`, `*/`, `NULL`, `null`, `true`,
	`NEAR(a b)`, `a AND b OR NOT c`, `"a b" -c`, `col:val`, `text MATCH 'a'`, `-`, `--help`, `-rf`, `a=b`, `a=b=c`, `=`, `,`, `a,b`, "a\nb", "a\tb", `U&'\0027'`, `E'\''`, `$$x$$`,
	`'::text`, `);--`, `array['a']`, `{"a":1}`, `ILIKE`, `pg_sleep(9)`, `'; SELECT pg_sleep(9); --`, `ROW(1)`, `1e999`, `NaN`, `0x27`, `%27%20OR%201=1`, `＇ OR 1=1`, `ʼ`, "\ufeff", "é'",
}

// phrase is one of the phrases, or two of them.
func phrase(t *try) string {
	p := one(t, phrases...)
	if t.IntN(3) == 0 {
		p += one(t, "", " ") + one(t, phrases...)
	}
	return p
}

// inject puts a phrase into one place of the program, whose corpus may be a
// database.
func inject(t *try, corpus string) error {
	p := phrase(t)
	// A place, and whether nothing can be found there: no page has such a word.
	filter := func(args ...string) error {
		o := t.run(append(args, "--corpus", corpus)...)
		if err := o.refused(1, 2); err != nil {
			return err
		}
		if strings.Contains(o.out, "file:pages/") {
			return o.wrong("found %s", brief(o.out))
		}
		return nil
	}
	list := func(flag, value string) func() error {
		return func() error { return filter("docs", "list", flag+"="+value) }
	}
	return one(t,
		list("--tag", p), list("--module", p), list("--chapter", p), list("--content-type", p), list("--source", p), list("--doc", p), list("--owner", "x"+p),
		list("--meta", "x"+p+"=a"), list("--meta", "a="+p), list("--heading", "x"+p), list("--after", "x"+p),
		func() error { return filter("docs", "show", "--", "x"+p) },
		func() error { return filter("docs", "delete", "--", "x"+p) },
		func() error { return filter("docs", "delete", "--forever", "--owner=x"+p, "file:pages/retries-1.md") },
		func() error { return filter("edges", "list", "--source=x"+p) },
		func() error { return filter("edges", "list", "--relation=x"+p) },
		func() error { return filter("cite", "--quote=x"+p+"y", "--", "file:pages/none.md") },
		func() error { return filter("why", "--source=x"+p, "--", "retries") },
		func() error { return filter("query", "--source=x"+p, "--", "retries") },
		func() error { return filter("query", "--profile=x"+p, "--", "retries") },
		func() error { return filter("query", "--preset=x"+p, "--", "retries") },
		func() error { return filter("query", "--set=x"+p, "--", "retries") },
		func() error { return asQuery(t, corpus, p) },
		func() error { return asQuery(t, corpus, p) },
		func() error { return asQuery(t, corpus, p) },
	)()
}

// asQuery asks with a phrase, and by the mode of keywords that reads no signs:
// each result must be one that the whole corpus has, and none may be missing
// that the plain words have.
func asQuery(t *try, corpus, p string) error {
	ask := func(text string) (string, error) {
		o := t.run("query", "--json", "--preset", "hybrid", "--set", "keyword_match=or", "--corpus", corpus, "--", text)
		if err := o.refused(0, 1); err != nil {
			return "", err
		}
		return o.out, nil
	}
	got, err := ask("retries " + p)
	if err != nil {
		return err
	}
	plainly, err := ask("retries")
	if err != nil {
		return err
	}
	if strings.Contains(plainly, "retries-1.md") && !strings.Contains(got, "retries-1.md") && !strings.Contains(strings.ToLower(p), "and") {
		return errors.New("the query " + brief("retries "+p) + " lost the page that its first word finds")
	}
	if n := strings.Count(got, `"chunk_id"`); n > 0 && !strings.Contains(got, "file:pages/") {
		return fmt.Errorf("the query %s found what is no page", brief(p))
	}
	return nil
}
