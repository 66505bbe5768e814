package evaluation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// Collection is a test collection: documents, queries, and grades that say which
// document answers which query.
type Collection struct {
	// Documents and Queries are in the order of their files.
	Documents []CollectionDocument
	Queries   []CollectionQuery
	// Qrels holds the grades by query id and document id. Pairs that are not in
	// it were not judged.
	Qrels map[string]map[string]int
}

// CollectionDocument is a text to be found. Title may be empty, and so may Text.
type CollectionDocument struct{ ID, Title, Text string }

// CollectionQuery is a text to ask with.
type CollectionQuery struct{ ID, Text string }

// ReadCollection reads a collection in the layout of the BEIR benchmark:
// corpus.jsonl and queries.jsonl with the members _id, title and text, and
// qrels/test.tsv with query id, document id and grade.
//
// Errors name file and line. Ids that qrels have and the other files lack are
// none: see [Collection.Unknown].
func ReadCollection(fsys fs.FS) (*Collection, error) {
	c := &Collection{}
	err := readFile(fsys, "corpus.jsonl", func(r io.Reader) error {
		return readTexts(r, func(id, title, text string) {
			c.Documents = append(c.Documents, CollectionDocument{ID: id, Title: title, Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, "queries.jsonl", func(r io.Reader) error {
		return readTexts(r, func(id, _, text string) {
			c.Queries = append(c.Queries, CollectionQuery{ID: id, Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, "qrels/test.tsv", func(r io.Reader) (err error) {
		c.Qrels, err = readQrels(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Judged are the queries for which some document has a positive grade, in the
// order of the file: the ones that a mean is taken over.
func (c *Collection) Judged() []CollectionQuery {
	var judged []CollectionQuery
	for _, q := range c.Queries {
		for _, grade := range c.Qrels[q.ID] {
			if grade > 0 {
				judged = append(judged, q)
				break
			}
		}
	}
	return judged
}

// Unknown counts what is judged and not there: queries, and documents of the
// queries that are. Copies of collections lose lines; a document that is not
// there can never be found.
func (c *Collection) Unknown() (queries, documents int) {
	asked := make(map[string]bool, len(c.Queries))
	for _, q := range c.Queries {
		asked[q.ID] = true
	}
	there := make(map[string]bool, len(c.Documents))
	for _, d := range c.Documents {
		there[d.ID] = true
	}
	missing := map[string]bool{}
	for query, grades := range c.Qrels {
		if !asked[query] {
			queries++
			continue
		}
		for id := range grades {
			if !there[id] {
				missing[id] = true
			}
		}
	}
	return queries, len(missing)
}

func readFile(fsys fs.FS, name string, read func(io.Reader) error) error {
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("read collection: %w", err)
	}
	defer f.Close()
	if err := read(f); err != nil {
		return fmt.Errorf("read collection: %s: %w", name, err)
	}
	return nil
}

// eachLine calls line with each line that is not blank, without its end, and its
// number from 1. Only \n ends a line: texts hold U+2028 and U+0085 as they are.
func eachLine(r io.Reader, line func(n int, text []byte) error) error {
	in := bufio.NewReader(r)
	for n, last := 1, false; !last; n++ {
		text, err := in.ReadBytes('\n')
		if last = errors.Is(err, io.EOF); err != nil && !last {
			return err
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		}
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		if len(bytes.Trim(text, " \t")) > 0 {
			if err := line(n, text); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	return nil
}

// readTexts reads JSON Lines with the members _id, title and text.
func readTexts(r io.Reader, add func(id, title, text string)) error {
	first := map[string]int{}
	return eachLine(r, func(n int, line []byte) error {
		var one struct {
			ID    textOrNumber `json:"_id"`
			Title string       `json:"title"`
			Text  string       `json:"text"`
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		id := string(one.ID)
		if id == "" {
			return errors.New("there is no _id")
		}
		if at, ok := first[id]; ok {
			return fmt.Errorf("_id %q is already that of line %d", id, at)
		}
		first[id] = n
		add(id, one.Title, one.Text)
		return nil
	})
}

// textOrNumber is an id that was written with or without quotes.
type textOrNumber string

func (s *textOrNumber) UnmarshalJSON(data []byte) error {
	var number json.Number
	if len(data) > 0 && data[0] != '"' {
		if err := json.Unmarshal(data, &number); err != nil {
			return errors.New("the _id is neither text nor a number")
		}
		*s = textOrNumber(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(s))
}

// readQrels reads three columns that tabs separate. The first line may be a
// heading: it is one if its third column is no number.
func readQrels(r io.Reader) (map[string]map[string]int, error) {
	qrels := map[string]map[string]int{}
	err := eachLine(r, func(n int, line []byte) error {
		column := strings.Split(string(line), "\t")
		if len(column) != 3 {
			return fmt.Errorf("there are %d columns between tabs, not 3 (query id, document id, grade)", len(column))
		}
		query, document := strings.TrimSpace(column[0]), strings.TrimSpace(column[1])
		grade, err := strconv.Atoi(strings.TrimSpace(column[2]))
		switch {
		case err != nil && n == 1:
			return nil
		case err != nil || grade < -127 || grade > 127:
			return fmt.Errorf("the grade %q is no whole number from -127 to 127", column[2])
		case query == "" || document == "":
			return errors.New("an id is empty")
		}
		if qrels[query] == nil {
			qrels[query] = map[string]int{}
		}
		if before, ok := qrels[query][document]; ok && before != grade {
			return fmt.Errorf("document %q has the grade %d for query %q, and had %d", document, grade, query, before)
		}
		qrels[query][document] = grade
		return nil
	})
	return qrels, err
}
