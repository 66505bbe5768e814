package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Collection is a test collection: documents, queries, and grades that say which
// document answers which query.
type Collection struct {
	// Documents and Queries are in the order of their files.
	Documents []Document
	Queries   []Query
	// Qrels holds the grades by query id and document id. Pairs that are not in
	// it were not judged.
	Qrels map[string]map[string]int
}

// Document is a text to be found. Title may be empty, and so may Text.
type Document struct {
	ID    string `json:"_id"`
	Title string `json:"title"` // also where it is empty, as programs add it to the text
	Text  string `json:"text"`
}

// Query is a text to ask with.
type Query struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

// ReadCollection reads a collection in the layout of the BEIR benchmark (Thakur et
// al. 2021): corpus.jsonl and queries.jsonl with the members _id, title and text, and
// qrels/SPLIT.tsv with query id, document id and grade between tabs, with or without a
// heading. Without a split it is "test", or the only one there is.
//
// Errors name file and line. Ids that qrels have and the other files lack are none:
// see [Collection.Unknown].
func ReadCollection(fsys fs.FS, split string) (*Collection, error) {
	qrels, err := qrelsOf(fsys, split)
	if err != nil {
		return nil, err
	}
	c := &Collection{}
	err = readFile(fsys, "corpus.jsonl", func(r io.Reader, name string) error {
		return readTexts(r, name, func(id, title, text string) {
			c.Documents = append(c.Documents, Document{ID: id, Title: title, Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, "queries.jsonl", func(r io.Reader, name string) error {
		return readTexts(r, name, func(id, _, text string) {
			c.Queries = append(c.Queries, Query{ID: id, Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, qrels, func(r io.Reader, name string) (err error) {
		c.Qrels, err = readTable(r, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// qrelsOf is the path of the qrels of a split.
func qrelsOf(fsys fs.FS, split string) (string, error) {
	const test = "qrels/test.tsv"
	if split != "" {
		return path.Join("qrels", split+".tsv"), nil
	}
	splits, err := fs.Glob(fsys, "qrels/*.tsv")
	if err != nil || slices.Contains(splits, test) || len(splits) == 0 {
		return test, err
	}
	if len(splits) > 1 {
		return "", fmt.Errorf("there are no %s, but %s: say which split is meant", test, strings.Join(splits, ", "))
	}
	return splits[0], nil
}

// Judged are the queries for which some document has a positive grade, in the
// order of the file: the ones that a mean is taken over.
func (c *Collection) Judged() []Query {
	var judged []Query
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

func readFile(fsys fs.FS, name string, read func(io.Reader, string) error) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f, name)
}

// readTexts reads JSON Lines with the members _id, title and text.
func readTexts(r io.Reader, name string, add func(id, title, text string)) error {
	first := map[string]int{}
	return eachLine(r, name, ofTexts, func(n int, line []byte) error {
		var one struct {
			ID    textOrNumber `json:"_id"`
			Title string       `json:"title"`
			Text  string       `json:"text"`
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return fmt.Errorf("%w: every line is a JSON object with _id and text", err)
		}
		id := string(one.ID)
		if err := checkID("_id", id); err != nil {
			return err
		}
		if at, ok := first[id]; ok {
			return fmt.Errorf("the _id %.60q is already that of line %d: keep one of the two", id, at)
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
			return errors.New("the id is neither text nor a number")
		}
		*s = textOrNumber(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(s))
}

// readTable reads qrels in three columns that tabs separate. The first line may be a
// heading: it is one if its third column has no digit. The same judgment may stand
// there twice, as it does in copies that were put together.
func readTable(r io.Reader, name string) (map[string]map[string]int, error) {
	found := pairs{}
	begun := false
	err := eachLine(r, name, ofRows, func(n int, line []byte) error {
		column := bytes.Split(line, []byte("\t"))
		if len(column) != 3 {
			return fmt.Errorf("%s between tabs, not 3 (query id, document id, grade); four are the qrels of TREC", thereAre(len(column)))
		}
		for i := range column {
			column[i] = bytes.TrimSpace(column[i])
		}
		heading := !begun && len(column[2]) > 0 && !bytes.ContainsAny(column[2], "0123456789")
		if begun = true; heading {
			return nil
		}
		grade, err := gradeOf(column[2])
		if err == nil {
			err = checkID("query id", column[0])
		}
		if err == nil {
			err = checkID("document id", column[1])
		}
		if err != nil {
			return err
		}
		if line, before, ok := found.add(n, column[0], column[1], grade); !ok && before != grade {
			return fmt.Errorf("document %.60q has the grade %d for query %.60q, and had %d in line %d: keep one of the two", column[1], grade, column[0], before, line)
		}
		return nil
	})
	return found.qrels(), err
}
