// Package recording writes what a session of the explorer was shown to a file,
// and opens the explorer on such a file, without the corpus.
//
// A recording is JSONL. The first line says what it is; each other line is an
// answer that the corpus gave, or a move of the user:
//
//	{"webrag_recording":3,"program":"1.0","corpus":"guide","preset":"webrag","params":{…}}
//	{"call":"survey","value":{"Documents":16,…}}
//	{"call":"rank","query":"how …","changed":{"top_k":"5"},"value":{"Items":[…],…}}
//	{"move":{"at":2300,"query":"how …","preset":"webrag","view":1,"section":"…"}}
//
// Texts of sections are written once, and left out of the results that hold them.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Version is that of the format. In version 1 the words of a score were counted in
// the text alone. Version 2 lacks what would change a rank and whether any word of
// a query occurs; it is read, and those are not shown.
const Version = 3

const oldestVersion = 2

// MostBytes bounds a recording: what comes after is not recorded.
const MostBytes = 64 << 20

const (
	// mostLine bounds one line, mostLines their number.
	mostLine  = 16 << 20
	mostLines = 200_000
	// mostString bounds a string that is no text of a page, mostItems a list.
	mostString = 4096
	mostItems  = 100_000
	// mostTree bounds how deep an explanation goes.
	mostTree = 64
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

// line is any other line.
type line struct {
	Call string `json:"call,omitempty"`
	// Query and Changed are what was asked: the parameters that differ from the
	// header's. Args are what else the call was about.
	Query   string            `json:"query,omitempty"`
	Changed map[string]string `json:"changed,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Value   json.RawMessage   `json:"value,omitempty"`
	Move    *move             `json:"move,omitempty"`
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

// The calls.
const (
	callRank      = "rank"  // with trace and explanations
	callRanks     = "ranks" // without
	callText      = "text"
	callToggles   = "toggles"
	callTurns     = "turns"
	callSketch    = "sketch"
	callNamed     = "named"
	callRankTurns = "rank_turns"
	callTerms     = "terms" // whether any word of the query occurs
	callWhy       = "why"
	callCosines   = "cosines"
	callSurvey    = "survey"
	callSection   = "section"
	callAt        = "section_at"
	callNames     = "sections"
	callPages     = "pages"
	callLinks     = "links"
	callPage      = "page"
	callTexts     = "texts"
	callInside    = "section_links"
	callAddress   = "section_by_url"
)

// text is a section's text in its two forms.
type text struct {
	Markdown string `json:"markdown"`
	HTML     string `json:"html,omitempty"`
}

// key is what an answer is found by.
func key(call, query string, changed map[string]string, args []string) string {
	safe := make([]string, len(args))
	for i, a := range args {
		safe[i] = offset.Line(a) // as what is read is
	}
	args = safe
	raw, err := json.Marshal(line{Call: call, Query: query, Changed: changed, Args: args})
	if err != nil {
		panic(fmt.Sprintf("encode the key of an answer: %v", err)) // strings always can be
	}
	return string(raw)
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
