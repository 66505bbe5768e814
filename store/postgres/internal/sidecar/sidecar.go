// Package sidecar keeps, in a folder of this machine, what must be remembered about
// databases into which nothing may be written: which model made their vectors, and
// what was measured about them.
//
// A file is small JSON that anybody may have written; what is wrong in it is as
// good as not there.
package sidecar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store"
)

// Facts are what is remembered about a database. The zero value is nothing.
type Facts struct {
	// EmbedderID names the model that made the vectors, and Dimensions are those
	// that they had when that was found out.
	EmbedderID string `json:"embedder_id,omitempty"`
	Dimensions int    `json:"dimensions,omitempty"`
	// Agreement is the cosine of stored vectors with those of the model, 0 if it was
	// not measured.
	Agreement float64 `json:"agreement,omitempty"`
	// Version is that of the database when Agreement was measured.
	Version int64 `json:"version,omitempty"`
	// Tokenizer is the one that the token counts are believed to be of.
	Tokenizer   string            `json:"tokenizer,omitempty"`
	Calibration store.Calibration `json:"calibration,omitzero"`
}

// contents are the JSON: the facts, and for a person who looks into it, of what.
type contents struct {
	Database string `json:"database"`
	Table    string `json:"table"`
	Facts
}

// Key names what facts are about: an address without secrets, and the table, or the
// schema of several, in it.
type Key struct{ Location, Table string }

const (
	// mostBytes is more than any file of ours has.
	mostBytes = 64 << 10
	// mostName is the longest name of a model or tokenizer in characters.
	mostName = 500
	// mostDimensions is more than any type of pgvector holds.
	mostDimensions = 16_000
	// cosineMost leaves room for rounding.
	cosineMost = 1.001
)

// path is the file of a key. Its name is a hash, since an address can hold anything
// that a file system cannot.
func (k Key) path(dir string) string {
	sum := sha256.Sum256([]byte(k.Location + "\x00" + k.Table))
	return filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")
}

// Load returns what is remembered about a database in a folder: the zero value if
// that is nothing. The error says of a file that it could not be read or is none of
// ours; what could be read of it is returned even so. An empty folder remembers
// nothing.
func Load(dir string, k Key) (Facts, error) {
	if dir == "" {
		return Facts{}, nil
	}
	path := k.path(dir)
	f, err := file.Open(path, file.Unlimited) // decode has the words for one that is too long
	if errors.Is(err, fs.ErrNotExist) {
		return Facts{}, nil
	}
	if err != nil {
		return Facts{}, fmt.Errorf("load what is remembered about %s: %w", k.Location, err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return Facts{}, fmt.Errorf("load what is remembered about %s: %w", k.Location, err)
	}
	facts, err := decode(raw)
	if err != nil {
		return facts, fmt.Errorf("load what is remembered about %s: %s: %w; remove the file to begin anew", k.Location, path, err)
	}
	return facts, nil
}

// decode reads a file and keeps of it what makes sense.
func decode(raw []byte) (Facts, error) {
	if len(raw) > mostBytes {
		return Facts{}, fmt.Errorf("it has more than %d bytes", mostBytes)
	}
	var have contents
	if err := json.Unmarshal(raw, &have); err != nil {
		return Facts{}, fmt.Errorf("it is not the JSON that is expected: %w", err)
	}
	facts := have.Facts
	var wrong []error
	if !isName(facts.EmbedderID) || facts.Dimensions < 0 || facts.Dimensions > mostDimensions {
		wrong = append(wrong, errors.New("its embedder_id or dimensions are not ones"))
		facts.EmbedderID, facts.Dimensions = "", 0
	}
	if !(math.Abs(facts.Agreement) <= cosineMost) {
		wrong = append(wrong, errors.New("its agreement is not a cosine"))
		facts.Agreement = 0
	}
	if !isName(facts.Tokenizer) {
		wrong = append(wrong, errors.New("its tokenizer is not one"))
		facts.Tokenizer = ""
	}
	if !isCalibration(facts.Calibration) {
		wrong = append(wrong, errors.New("its calibration is not one of cosines"))
		facts.Calibration = store.Calibration{}
	}
	return facts, errors.Join(wrong...)
}

// isName reports whether text can be shown and compared as the name of a model.
func isName(text string) bool {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > mostName {
		return false
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

func isCalibration(c store.Calibration) bool {
	isCosine := func(x float64) bool { return math.Abs(x) <= 1 } // not NaN
	return isName(c.EmbedderID) && isCosine(c.P50) && isCosine(c.P995) && c.P50 <= c.P995 && isCosine(c.Own) && c.Chunks >= 0 && c.Tried >= 0
}

// Save replaces what is remembered about a database. Whoever reads meanwhile finds
// the old facts or the new ones. An empty folder remembers nothing.
func Save(dir string, k Key, facts Facts) (err error) {
	if dir == "" {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("remember about %s: %w", k.Location, err)
		}
	}()
	raw, err := json.MarshalIndent(contents{Database: k.Location, Table: k.Table, Facts: facts}, "", "  ")
	if err != nil {
		return err
	}
	if _, err := decode(raw); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(draft.Name())
		}
	}()
	if _, err := draft.Write(append(raw, '\n')); err != nil {
		return errors.Join(err, draft.Close())
	}
	if err := errors.Join(draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), k.path(dir))
}
