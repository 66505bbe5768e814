package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/file"
)

// limits are the most that is read of a file, in bytes of a line and in all. The largest
// collections that are in use are below them: MS MARCO has 8.8 million passages in 3 GB,
// and runs of 7 million lines.
type limits struct {
	line int
	all  int64
}

var (
	ofRows  = limits{1 << 20, 2 << 30}  // of ids and numbers
	ofTexts = limits{64 << 20, 8 << 30} // of documents and queries
)

// mostLines are the most of any file.
const mostLines = 1<<24 - 1

// eachLine calls line with each line that is not blank, without its end, and its
// number from 1; the text is valid until line returns. Only \n and \r\n end a line:
// texts hold U+2028 and U+0085 as they are. Errors name the file and the line.
func eachLine(r io.Reader, name string, most limits, line func(n int, text []byte) error) error {
	plain, err := unmarked(file.Limit(r, name, most.all))
	if err != nil {
		return inFile(name, err)
	}
	in := bufio.NewScanner(plain)
	in.Buffer(make([]byte, 64<<10), most.line)
	n := 0
	for in.Scan() && in.Err() == nil { // an error may have cut the last line
		n++
		if n > mostLines {
			return fmt.Errorf("%s: there are more than %d lines: check that it is the right file, or divide it", name, mostLines)
		}
		text := in.Bytes()
		if len(bytes.Trim(text, " \t\r")) == 0 {
			continue
		}
		if err := line(n, text); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s: line %d: it is longer than %d MB: check that it is the right file, and that its lines end with line feeds", name, n+1, most.line>>20)
	case err != nil:
		return inFile(name, err)
	}
	return nil
}

// inFile is an error with the name of the file that was read, which that of a limit has
// already.
func inFile(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && at.Path == name {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// unmarked drops the byte order mark at the beginning of a UTF-8 text, and refuses
// those of UTF-16, in which every other byte would be a NUL.
func unmarked(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	head, _ := in.Peek(3) // what fails here fails at the next reading, too
	switch {
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		_, err := in.Discard(3)
		return in, err
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, errors.New("it is written in UTF-16: save it as UTF-8")
	}
	return in, nil
}

// columns divides a line at its runs of ASCII white space, as trec_eval does. It
// keeps as many columns as there is room for, and counts all.
func columns(line []byte, into [][]byte) int {
	count := 0
	for at := 0; at < len(line); {
		if isBlank(line[at]) {
			at++
			continue
		}
		start := at
		for at < len(line) && !isBlank(line[at]) {
			at++
		}
		if count < len(into) {
			into[count] = line[start:at]
		}
		count++
	}
	return count
}

// thereAre says how many columns there are.
func thereAre(columns int) string {
	if columns == 1 {
		return "there is 1 column"
	}
	return fmt.Sprintf("there are %d columns", columns)
}

// isBlank is isspace of C.
func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// checkID says what is wrong with an id that a file has, or that is to be written
// into one; kind is what the id is called,
// as "document id".
func checkID[T string | []byte](kind string, id T) error {
	if len(id) == 0 {
		return fmt.Errorf("the %s is empty: every line needs one", kind)
	}
	plain := id[0] != ' ' && id[len(id)-1] != ' '
	for i := 0; i < len(id) && plain; i++ {
		plain = ' ' <= id[i] && id[i] < utf8.RuneSelf-1
	}
	if plain {
		return nil
	}
	text := string(id)
	switch {
	case !utf8.ValidString(text):
		return fmt.Errorf("the %s %.60q is no UTF-8: save the file as UTF-8", kind, text)
	case strings.ContainsFunc(text, unicode.IsControl):
		return fmt.Errorf("the %s %.60q has a control character in it: ids are printable text", kind, text)
	case strings.TrimSpace(text) != text:
		return fmt.Errorf("the %s %.60q has a space at an end: take it away", kind, text)
	}
	return nil
}

// checkColumn says what is wrong with an id that is a column of a TREC file. Programs
// differ in which spaces beyond those of ASCII end a column, so an id has none.
func checkColumn[T string | []byte](kind string, id T) error {
	if err := checkID(kind, id); err != nil {
		return err
	}
	for i := 0; i < len(id); i++ {
		if id[i] == ' ' || id[i] >= utf8.RuneSelf {
			if text := string(id); strings.ContainsFunc(text, unicode.IsSpace) {
				return fmt.Errorf("the %s %.60q has a space in it, where a column of TREC files ends: percent-encode it, a space is %%20", kind, text)
			}
			break
		}
	}
	return nil
}

// isComment tells the lines that trec_eval skips since version 10.
func isComment(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#"))
}
