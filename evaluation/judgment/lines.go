package judgment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// What is read at most: bytes of a line and of a file, lines of either file, judges, and
// problems that are told one by one.
const (
	mostLine     = 1 << 20
	mostFile     = 512 << 20
	mostQueries  = 1_000_000
	mostRecords  = 2_000_000
	mostJudges   = 500
	mostProblems = 100
)

// Problem is something in a file of a set that is not as it should be.
type Problem struct {
	// File is the base name of the file, Line the line from 1; 0 for the file as a
	// whole.
	File string
	Line int
	// Text says what it is and what to do, without a full stop.
	Text string
	// Used says that what stands there counts nevertheless. What does not is left alone
	// and stays in the file.
	Used bool
}

// String is the problem with its place: "queries.tsv:3: …".
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// problems collects those of one file.
type problems struct {
	file string
	list []Problem
	more int
}

func (p *problems) add(line int, used bool, format string, args ...any) {
	if len(p.list) == mostProblems {
		p.more++
		return
	}
	p.list = append(p.list, Problem{p.file, line, fmt.Sprintf(format, args...), used})
}

// all are the problems, with the number of those that were not kept.
func (p *problems) all() []Problem {
	if p.more == 0 {
		return p.list
	}
	return append(p.list, Problem{p.file, 0, fmt.Sprintf("there are %d problems more; mend these first", p.more), false})
}

// eachLine calls use with each line that is not blank, without its end, and its number
// from 1. Only \n ends a line: texts hold U+2028 and U+0085 as they are. Lines that are
// too long or hold NUL are problems. Beyond most lines nothing is read.
func (p *problems) eachLine(r io.Reader, most int, use func(n int, line []byte)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	returns := 0
	for n, last := 1, false; !last; n++ {
		var length int
		var err error
		if line, length, err = readLine(in, line[:0]); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		last = err != nil
		text := bytes.TrimSuffix(line, []byte("\n"))
		if n == 1 && bytes.HasPrefix(text, []byte("\uFEFF")) {
			text = text[len("\uFEFF"):]
			p.add(1, true, "the file begins with a byte order mark, which is no part of the text; save it as UTF-8 without one")
		}
		if bytes.HasSuffix(text, []byte("\r")) {
			text = text[:len(text)-1]
			if returns++; returns == 1 {
				p.add(n, true, "the lines end as on Windows, with CR LF, which is read as LF")
			}
		}
		switch {
		case length > mostLine:
			p.add(n, false, "the line has %d bytes, more than %d, and is left out", length, mostLine)
		case len(bytes.TrimSpace(text)) == 0:
		case n > most:
			p.add(n, false, "there are more than %d lines; what follows is left out: split the set", most)
			return nil
		case bytes.IndexByte(text, 0) >= 0:
			p.add(n, false, "the line has a NUL character, as after a crash while it was written, and is left out; delete it")
		default:
			use(n, text)
		}
	}
	return nil
}

// readLine appends the next line with its end to line, but for what is longer than a
// line may be. length is how long it was.
func readLine(in *bufio.Reader, line []byte) (_ []byte, length int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= mostLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, length, err
		}
	}
}

// sayJSON says why something is no JSON of the wanted shape.
func sayJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return errors.New("it is cut in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON from byte %d on: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s is %s, which it cannot be", offset.Line(kind.Field), brief(offset.Line(kind.Value), mostName))
	}
	return errors.New("it is no object of JSON, such as {\"query_id\": …}")
}

// twice returns a name that an object has two values for, empty for none. The line is an
// object of valid JSON. Go takes the last of both, other languages others; and it takes
// names of any case.
func twice(line []byte) string {
	names := map[string]bool{}
	depth, from := 0, -1
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case from >= 0 && c == '\\':
			i++
		case c == '"' && from < 0:
			from = i
		case c == '"':
			if depth == 1 && bytes.HasPrefix(bytes.TrimLeft(line[i+1:], " \t\r\n"), []byte(":")) {
				name := string(line[from+1 : i])
				if strings.Contains(name, `\`) {
					_ = json.Unmarshal(line[from:i+1], &name) // valid, as all of the line
				}
				folded := fold(name)
				if names[folded] {
					return brief(offset.Line(name), mostName)
				}
				names[folded] = true
			}
			from = -1
		case from >= 0:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return ""
}

// fold is a name as JSON is read by Go: in any case, with ſ for s and the Kelvin sign for
// k, which have no small form of their own.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }
