// Package recording writes what a session of the explorer gathered and read to a file,
// and opens the explorer on such a file, without the corpus. What is ranked, taken apart
// and asked why there is worked out anew from the evidence.
//
// A recording is JSONL. The first line says what it is; each other line is a part of
// evidence, what work of the session has brought, or a move of the user:
//
//	{"webrag_recording":5,"program":"1.0","corpus":"guide","preset":"webrag","params":{…}}
//	{"done":{"at":15,"kind":"summary","asked":["summary"],"read":{"summary":{"Documents":16,…}}}}
//	{"found":{"query":"how …","rows":[…],"nearest":[…],…}}
//	{"text":{"markdown":"…"}}
//	{"done":{"at":120,"kind":"answer","query":"how …","evidence":{"found":0,"texts":{"…":0},…}}}
//	{"move":{"at":2300,"query":"how …","preset":"webrag","view":1,"section":"…"}}
//
// Parts of evidence are written once. They are numbered from 0 among those of their kind,
// and named by their numbers. What was read again is written again only where it is
// something else; then the last is right.
//
// No kind of work is named here: what has evidence, or says what it asked, is recorded and
// replayed, whatever it is.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Version is that of the format. Earlier ones held rankings instead of evidence, or what was
// read by the name of a function, and are not read.
const Version = 5

// MostBytes bounds a recording: what comes after is not recorded.
const MostBytes = 64 << 20

const (
	// mostLine bounds one line, mostLines their number.
	mostLine  = 16 << 20
	mostLines = 200_000
	// mostString bounds a string that is no text of a page, mostItems a list.
	mostString = 4096
	mostItems  = 100_000
	// mostNumber bounds counts, ranks and offsets.
	mostNumber = 1 << 31
	// mostBytes bounds what is counted in 64 bits, longest whatever was waited for: more
	// than there ever is of either, and so little that sums stay in range.
	mostBytes = 1 << 50
	longest   = 1000 * time.Hour
)

// header is the first line.
type header struct {
	Recording int `json:"webrag_recording"`
	// Program is the version of the program that wrote it.
	Program string `json:"program"`
	Corpus  string `json:"corpus"`
	// Preset and Params are what the session started from, every parameter by its
	// field.
	Preset string            `json:"preset"`
	Params map[string]string `json:"params"`
	// Adapted are those that presets have on this corpus in place of their own.
	Adapted   map[string]string  `json:"adapted,omitempty"`
	Estimated bool               `json:"estimated,omitempty"`
	Foreign   bool               `json:"foreign,omitempty"`
	Notices   []retrieval.Notice `json:"notices,omitempty"`
}

// line is any other line: one of its kinds.
type line struct {
	Found *kept.Found `json:"found,omitempty"`
	Text  *kept.Text  `json:"text,omitempty"`
	Words *kept.Words `json:"words,omitempty"`
	Done  *done       `json:"done,omitempty"`
	Move  *move       `json:"move,omitempty"`
}

// done is what work of the session has brought.
type done struct {
	// At counts the milliseconds from the beginning.
	At   int64  `json:"at"`
	Kind string `json:"kind"`
	// Query and Changed are what was asked: the parameters that differ from the
	// header's.
	Query    string            `json:"query,omitempty"`
	Changed  map[string]string `json:"changed,omitempty"`
	Evidence *evidence         `json:"evidence,omitempty"`
	// Asked and Read are those of a [session.Done] that has read of the corpus.
	Asked []string        `json:"asked,omitempty"`
	Read  json.RawMessage `json:"read,omitempty"`
}

// evidence names the parts of evidence by their numbers: the texts and words by the
// chunks that they are of.
type evidence struct {
	Found int            `json:"found"`
	Texts map[string]int `json:"texts,omitempty"`
	Words map[string]int `json:"words,omitempty"`
	// Took is how long gathering it took.
	Took time.Duration `json:"took"`
	kept.Completion
}

// move is what the user did: what was on the screen from a moment on.
type move struct {
	// At counts the milliseconds from the beginning.
	At      int64             `json:"at"`
	Query   string            `json:"query"`
	Preset  string            `json:"preset,omitempty"`
	Changed map[string]string `json:"changed,omitempty"`
	// View counts from 1; Tune says that the parameters are shown.
	View    int    `json:"view"`
	Tune    bool   `json:"tune,omitempty"`
	Section string `json:"section,omitempty"`
}

// readKey is what is found by that was read: the query, the parameters that differ from the
// start's and what was asked.
func readKey(query string, changed map[string]string, asked []string) string {
	tidied := make([]string, len(asked))
	for i, a := range asked {
		tidied[i] = safe(a, "") // as what is loaded is
	}
	raw, err := json.Marshal([]any{query, changed, tidied})
	if err != nil {
		panic(fmt.Sprintf("encode the key of what was read: %v", err)) // strings always can be
	}
	return string(raw)
}

// differing are the parameters that differ from others, by field; nothing differs where
// there are none.
func differing(from, p param.Params) map[string]string {
	if p == (param.Params{}) {
		return nil
	}
	return p.Differing(from)
}

// allOf are all parameters by field.
func allOf(p param.Params) map[string]string {
	all := map[string]string{}
	for _, s := range param.Specs() {
		all[s.Field] = p.Get(s.Field)
	}
	return all
}

// changedBy are parameters with others in place of some.
func changedBy(p param.Params, changed map[string]string) (param.Params, error) {
	for field, value := range changed {
		if err := p.Set(field, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Error is a line that cannot be read.
type Error struct {
	Line int
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// ErrNoRecording says that a file is something else.
var ErrNoRecording = errors.New("not a recording of a session")
