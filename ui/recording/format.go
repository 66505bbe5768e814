// Package recording writes what a session of the explorer gathered and read to a file,
// and opens the explorer on such a file, without the corpus. What is ranked, taken apart
// and asked why there is worked out anew from the evidence.
//
// A recording is JSONL. The first line says what it is; each other line is a part of
// evidence, what work of the session has brought, what was read of the corpus, or a move
// of the user:
//
//	{"webrag_recording":4,"program":"1.0","corpus":"guide","preset":"webrag","params":{…}}
//	{"call":"survey","value":{"Documents":16,…}}
//	{"found":{"query":"how …","rows":[…],"nearest":[…],…}}
//	{"text":{"markdown":"…"}}
//	{"done":{"at":120,"kind":"answer","query":"how …","evidence":{"found":0,"texts":{"…":0},…}}}
//	{"move":{"at":2300,"query":"how …","preset":"webrag","view":1,"section":"…"}}
//
// Parts of evidence are written once. They are numbered from 0 among those of their kind,
// and named by their numbers.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// Version is that of the format. Earlier ones held rankings instead of evidence, and are
// not read.
const Version = 4

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
)

// header is the first line.
type header struct {
	Recording int `json:"webrag_recording"`
	// Program is the version of the program that wrote it.
	Program string `json:"program"`
	Corpus  string `json:"corpus"`
	// Preset and Params are what the session started from, every parameter by its
	// field.
	Preset    string             `json:"preset"`
	Params    map[string]string  `json:"params"`
	Estimated bool               `json:"estimated,omitempty"`
	Foreign   bool               `json:"foreign,omitempty"`
	Notices   []retrieval.Notice `json:"notices,omitempty"`
}

// line is any other line: one of its kinds.
type line struct {
	// Call is what was read of the corpus, Query and Args what it was about.
	Call  string          `json:"call,omitempty"`
	Query string          `json:"query,omitempty"`
	Args  []string        `json:"args,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`

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
	Query    string             `json:"query"`
	Changed  map[string]string  `json:"changed,omitempty"`
	Evidence *evidence          `json:"evidence,omitempty"`
	Terms    *session.TermMatch `json:"terms,omitempty"`
	Report   *whynot.Report     `json:"report,omitempty"`
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

// What is read of a corpus.
const (
	callCosines = "cosines"
	callSurvey  = "survey"
	callSection = "section"
	callAt      = "section_at"
	callNames   = "sections"
	callPages   = "pages"
	callLinks   = "links"
	callPage    = "page"
	callTexts   = "texts"
	callInside  = "section_links"
	callAddress = "section_by_url"
)

// key is what an answer is found by.
func key(of ...any) string {
	raw, err := json.Marshal(of)
	if err != nil {
		panic(fmt.Sprintf("encode the key of an answer: %v", err)) // strings always can be
	}
	return string(raw)
}

// readKey is what is found of the corpus by.
func readKey(call, query string, args []string) string {
	safe := make([]string, len(args))
	for i, a := range args {
		safe[i] = offset.Line(a) // as what is read is
	}
	return key(call, query, safe)
}

// whyKey is what a report is found by.
func whyKey(query string, changed map[string]string, t whynot.Target) string {
	return key(query, changed, offset.Line(t.ChunkID), offset.Line(t.SourceURL), offset.Line(t.Quote))
}

// differing are the parameters that differ from others, by field.
func differing(from, p param.Params) map[string]string {
	if p == from {
		return nil
	}
	changed := map[string]string{}
	for _, s := range param.Specs() {
		if v := p.Get(s.Field); v != from.Get(s.Field) {
			changed[s.Field] = v
		}
	}
	return changed
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
