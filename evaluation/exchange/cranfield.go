package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// ReadCranfield reads the Cranfield collection from its own files: cran.all.1400 with
// documents, cran.qry with queries, and cranqrel with lines of query, document and
// code, or of query, 0, document and code as some copies have them.
//
// A query's id is its place among the queries, from 1, as cranqrel means it: the
// numbers in cran.qry (1, 2, 4, 8 ...) are others. Codes are no grades: scale says what
// they stand for, see [CranfieldBinary]. Errors name file and
// line, and are an *[OffScaleError] for codes that the scale does not know.
func ReadCranfield(fsys fs.FS, scale Scale) (*Collection, error) {
	c := &Collection{}
	err := readFile(fsys, "cran.all.1400", func(r io.Reader, name string) error {
		return eachRecord(r, name, func(id, title, text string) {
			c.Documents = append(c.Documents, Document{ID: id, Title: title, Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, "cran.qry", func(r io.Reader, name string) error {
		return eachRecord(r, name, func(_, _, text string) {
			c.Queries = append(c.Queries, Query{ID: strconv.Itoa(len(c.Queries) + 1), Text: text})
		})
	})
	if err != nil {
		return nil, err
	}
	err = readFile(fsys, "cranqrel", func(r io.Reader, name string) error {
		codes, err := readCodes(r, name)
		if err != nil {
			return err
		}
		if c.Qrels, err = scale.Regrade(codes); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// readCodes reads cranqrel.
func readCodes(r io.Reader, name string) (map[string]map[string]int, error) {
	var found pairs
	err := eachLine(r, name, ofRows, func(n int, line []byte) error {
		var column [4][]byte
		switch count := columns(line, column[:]); count {
		case 3:
			return found.take(n, column[0], column[1], column[2])
		case 4:
			return found.take(n, column[0], column[2], column[3])
		default:
			return fmt.Errorf("%s, not 3 (query, document, code): a line has one judgment", thereAre(count))
		}
	})
	return found.qrels(), err
}

// eachRecord reads records that begin with ".I ID", and have fields that begin with a
// point and a letter in a line of their own: T a title, A authors, B where it was
// published, W the text. The lines of a field are joined by line feeds.
func eachRecord(r io.Reader, name string, take func(id, title, text string)) error {
	id, at, field := "", byte(0), map[byte][]byte{}
	end := func() {
		if id != "" {
			take(id, string(field['T']), string(field['W']))
		}
	}
	err := eachLine(r, name, ofRows, func(_ int, line []byte) error {
		text := bytes.TrimSpace(line)
		if next, ok := bytes.CutPrefix(text, []byte(".I ")); ok {
			end()
			id, at, field = string(bytes.TrimSpace(next)), 0, map[byte][]byte{}
			return checkID("id", id)
		}
		switch {
		case id == "":
			return errors.New("the file does not begin with a line .I and a number, as Cranfield's do: check that it is the right one")
		case len(text) == 2 && text[0] == '.' && strings.IndexByte("TABWX", text[1]) >= 0:
			at = text[1]
		case len(field[at]) > 0:
			field[at] = append(append(field[at], '\n'), text...)
		default:
			field[at] = append(field[at], text...)
		}
		return nil
	})
	if err == nil {
		end()
	}
	return err
}
