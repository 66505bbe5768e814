package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/joho/godotenv"

	"github.com/webrag/webrag-tui/file"
)

// DotEnvError reports a .env file that cannot be read as one. It has no word of
// the file, which may hold keys.
type DotEnvError struct {
	File string
	// Line is where the assignment begins that is wrong, from 1; 0 where no line
	// alone is wrong.
	Line int
	// OpenQuote says that the line has a quote that nothing closes.
	OpenQuote bool
}

func (e *DotEnvError) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	why := "this is not NAME=value; comment the line out with #, or put the value in quotes"
	switch {
	case e.OpenQuote:
		why = "a quote is not closed; close it on its line"
	case e.Line == 0:
		why = "this is not a file of NAME=value lines"
	}
	return at + ": " + why + " (its text may hold a key and is not shown)"
}

func (c *Config) readDotEnv(in Inputs) []error {
	if in.DotEnvFile == "" {
		return nil
	}
	raw, err := file.Read(in.DotEnvFile, MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []error{fmt.Errorf("read the .env file: %w", err)}
	}
	c.dotEnvSum = fmt.Sprintf("%x", sha256.Sum256(raw))
	lines, wrong := envLines(string(raw))
	vars, err := godotenv.UnmarshalBytes(raw)
	if err != nil { // which quotes the file
		wrong.File = in.DotEnvFile
		return []error{&wrong}
	}
	return c.readVars(vars, in, func(name string) Origin {
		return Origin{Source: DotEnv, Name: in.DotEnvFile, Line: lines[name], dotEnv: true}
	})
}

// envLines maps each variable of a .env file to the line where its assignment
// begins, from 1, up to the first assignment that is wrong.
func envLines(raw string) (lines map[string]int, wrong DotEnvError) {
	lines = map[string]int{}
	var rest []string
	for line := range strings.Lines(raw) {
		rest = append(rest, line)
	}
	number := 1
	for len(rest) > 0 {
		vars, taken := assignment(rest)
		if taken == 0 {
			return lines, DotEnvError{Line: number, OpenQuote: hasOpenQuote(rest[0])}
		}
		for name := range vars {
			lines[name] = number
		}
		rest = rest[taken:]
		number += taken
	}
	return lines, DotEnvError{}
}

// assignment parses the first line, or those up to the one that closes its quote.
// taken is how many lines those are, 0 when no number of them can be parsed.
func assignment(lines []string) (vars map[string]string, taken int) {
	for end := 1; end <= len(lines); end++ {
		if end > 1 && !strings.ContainsAny(lines[end-1], `"'`) {
			continue
		}
		vars, err := godotenv.Unmarshal(strings.Join(lines[:end], ""))
		if err == nil {
			return vars, end
		}
		if end == 1 && !hasOpenQuote(lines[0]) {
			return nil, 0
		}
	}
	return nil, 0
}

// hasOpenQuote says that the value on a line begins with a quote that the line
// does not close.
func hasOpenQuote(line string) bool {
	_, value, _ := strings.Cut(line, "=")
	value = strings.TrimSpace(value)
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return false
	}
	return !strings.ContainsRune(value[1:], rune(value[0]))
}
