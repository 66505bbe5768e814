package judgment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// Query is one line of queries.tsv.
type Query struct {
	// ID has letters, digits, "_", "." and "-", at most 100.
	ID string
	// Text is one line, at most 10,000 code points.
	Text string
	// Tags are what figures are taken by, each on one line and without a comma.
	Tags []string
}

// The most of a query: code points of its text, and tags.
const (
	mostText = 10_000
	mostTags = 50
)

// parseQuery reads a line of queries.tsv.
func parseQuery(line string) (Query, error) {
	columns := strings.Split(line, "\t")
	q := Query{ID: columns[0]}
	if len(columns) > 3 {
		return q, fmt.Errorf("there are %d columns between tabs, not 2 or 3 (id, text, tags)", len(columns))
	}
	if len(columns) > 1 {
		q.Text = columns[1]
	}
	if len(columns) > 2 {
		q.Tags = strings.Split(columns[2], ",")
	}
	return q, q.check()
}

// check makes the texts of a query fit for one line, and says what cannot be.
func (q *Query) check() error {
	q.Text = offset.Trimmed(q.Text)
	var tags []string
	for _, tag := range q.Tags {
		if tag = offset.Trimmed(tag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	q.Tags = tags
	switch {
	case !isID(q.ID):
		return fmt.Errorf("%q is no id of a query: it has letters, digits, \"_\", \".\" and \"-\", at most %d", brief(offset.Line(q.ID), mostName), mostName)
	case q.Text == "":
		return fmt.Errorf("the query %s has no text", q.ID)
	case utf8.RuneCountInString(q.Text) > mostText:
		return fmt.Errorf("the query %s has more than %d characters", q.ID, mostText)
	case len(q.Tags) > mostTags:
		return fmt.Errorf("the query %s has more than %d tags", q.ID, mostTags)
	}
	for _, tag := range q.Tags {
		if strings.Contains(tag, ",") || utf8.RuneCountInString(tag) > mostName {
			return fmt.Errorf("the tag %q has a comma, or more than %d characters", brief(tag, mostName), mostName)
		}
	}
	return nil
}

func (q *Query) line() string {
	line := q.ID + "\t" + q.Text
	if len(q.Tags) > 0 {
		line += "\t" + strings.Join(q.Tags, ",")
	}
	return line + "\n"
}

// readQueries reads queries.tsv. Of an id that is there twice the first counts.
func readQueries(r io.Reader, told *problems) (list []Query, err error) {
	ids, texts := map[string]int{}, map[string]int{}
	err = told.eachLine(r, mostQueries, func(n int, line []byte) {
		q, err := parseQuery(string(line))
		if err == nil && ids[q.ID] > 0 {
			err = fmt.Errorf("the id %s is already that of line %d", q.ID, ids[q.ID])
		}
		if err != nil {
			told.add(n, false, "%v; the line is left out: mend it", err)
			return
		}
		if texts[q.Text] > 0 {
			told.add(n, true, "the query is that of line %d again, and counts twice", texts[q.Text])
		}
		ids[q.ID], texts[q.Text] = n, n
		list = append(list, q)
	})
	return list, err
}

// Query is the query with an id, nil for none.
func (s *Set) Query(id string) *Query {
	at := slices.IndexFunc(s.Queries, func(q Query) bool { return q.ID == id })
	if at < 0 {
		return nil
	}
	return &s.Queries[at]
}

// AddQuery adds a query at the end. Without an id it gets one that is made of its text;
// it returns the query as it was added. An id that is taken is an error.
func (s *Set) AddQuery(ctx context.Context, q Query) (Query, error) {
	added, err := s.AddQueries(ctx, q)
	if err != nil {
		return q, err
	}
	return added[0], nil
}

// AddQueries adds several as [Set.AddQuery] does one, all or none.
func (s *Set) AddQueries(ctx context.Context, queries ...Query) ([]Query, error) {
	added := slices.Clone(queries)
	err := s.rewriteQueries(ctx, func(raw []byte) ([]byte, error) {
		ids := map[string]bool{}
		if lines := bytes.Count(raw, []byte("\n")) + len(added); lines > mostQueries {
			return nil, fmt.Errorf("it would have %d queries, and a set has at most %d; make two of it", lines, mostQueries)
		}
		for line := range strings.Lines(string(raw)) {
			id, _, _ := strings.Cut(strings.TrimRight(strings.TrimPrefix(line, "\uFEFF"), "\r\n"), "\t")
			ids[id] = true
		}
		if len(raw) > 0 && !bytes.HasSuffix(raw, []byte("\n")) {
			raw = append(raw, '\n')
		}
		for i := range added {
			q := &added[i]
			if q.ID == "" {
				q.ID = freeID(q.Text, ids)
			}
			if err := q.check(); err != nil {
				return nil, err
			}
			if ids[q.ID] {
				return nil, fmt.Errorf("%s: %w; choose another one", q.ID, ErrIDTaken)
			}
			ids[q.ID] = true
			raw = append(raw, q.line()...)
		}
		return raw, nil
	})
	return added, err
}

// ChangeQuery gives the query with the same id another text and other tags. What was
// judged for it stays.
func (s *Set) ChangeQuery(ctx context.Context, q Query) error {
	if err := q.check(); err != nil {
		return fmt.Errorf("change a query of %s: %w", s.Folder, err)
	}
	return s.replaceQuery(ctx, q.ID, q.line())
}

// RemoveQuery takes a query out of the set. Its judgments stay in their file, and count
// again when a query of this id is added.
func (s *Set) RemoveQuery(ctx context.Context, id string) error { return s.replaceQuery(ctx, id, "") }

// replaceQuery puts another line in the place of a query's.
func (s *Set) replaceQuery(ctx context.Context, id, with string) error {
	return s.rewriteQueries(ctx, func(raw []byte) ([]byte, error) {
		var kept strings.Builder
		found := false
		for line := range strings.Lines(string(raw)) {
			q, err := parseQuery(strings.TrimRight(strings.TrimPrefix(line, "\uFEFF"), "\r\n"))
			if err == nil && q.ID == id && !found {
				found, line = true, with
			}
			kept.WriteString(line)
		}
		if !found {
			return nil, fmt.Errorf("%s is no query of the set", brief(offset.Line(id), mostName))
		}
		return []byte(kept.String()), nil
	})
}

// rewriteQueries writes queries.tsv anew while no other program does, with all its lines
// but those that rewrite changes, and reads it.
func (s *Set) rewriteQueries(ctx context.Context, rewrite func(raw []byte) ([]byte, error)) error {
	path := filepath.Join(s.Folder, queriesFile)
	err := s.locked(ctx, func() error {
		raw, err := file.Read(path, mostFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if raw, err = rewrite(raw); err != nil {
			return err
		}
		list, err := readQueries(bytes.NewReader(raw), &problems{})
		if err == nil {
			err = file.ReplaceAtOnce(path, 0o600, raw)
		}
		if err == nil {
			s.Queries = list
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("change the queries of %s: %w", s.Folder, err)
	}
	return nil
}

// longestSlug is how much of a text becomes an id, in bytes.
const longestSlug = 40

// freeID makes an id of a text: its letters and digits of ASCII in lower case, the rest
// as hyphens. A text with few of these, as most scripts have, gets the beginning of its
// hash. Of ids that are taken the first free number makes another one.
//
//	freeID("What is max_depth?", nil) // "what-is-max_depth"
func freeID(text string, taken map[string]bool) string {
	var b strings.Builder
	letters, hyphen := 0, false
	for _, r := range strings.ToLower(text) {
		if r < utf8.RuneSelf && r != '-' && r != '.' && isID(string(r)) {
			if hyphen && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			hyphen = false
			letters++
		} else {
			hyphen = true
		}
	}
	id := strings.TrimRight(brief(b.String(), longestSlug), "-")
	if 2*letters < utf8.RuneCountInString(text) || letters < 2 {
		sum := sha256.Sum256([]byte(text))
		id = "q-" + hex.EncodeToString(sum[:4])
	}
	for n := 1; ; n++ {
		free := id
		if n > 1 {
			free += "-" + strconv.Itoa(n)
		}
		if !taken[free] {
			return free
		}
	}
}
