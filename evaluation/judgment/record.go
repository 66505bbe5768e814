package judgment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
)

// Grade is how relevant something is, from 0 up to the end of the set's scale; or one of
// the two negative values, which are no grades.
type Grade int

const (
	// CannotTell says that a judge looked and left it. It is never counted, and is not 0.
	CannotTell Grade = -1
	// Withdrawn takes back what the same judge said before of the same key.
	Withdrawn Grade = -2
)

// Judge is the name of who judged. That of a model begins with "model:".
type Judge string

const modelPrefix = "model:"

// ModelJudge is the judge that a model is.
func ModelJudge(model string) Judge { return Judge(modelPrefix + model) }

// Rule is the judge of questions that were made from the corpus by a rule: it says that what
// they were made from answers them. It counts where people do, and is not one of them.
const Rule Judge = "synthetic"

// reserved are the names that stand for several judges, and that of the rule.
func reserved() []string { return []string{"people", "models", "all", string(Rule)} }

// CheckPerson says why a name cannot be that of a person who judges: it stands for others.
func CheckPerson(name string) error {
	if slices.Contains(reserved(), name) || Judge(name).IsModel() {
		return fmt.Errorf("%q cannot be the name of a person who judges: it stands for others, as %s and what begins with %s do; choose another one",
			brief(offset.Line(name), mostName), strings.Join(reserved(), ", "), modelPrefix)
	}
	return nil
}

// IsModel tells a model from a person.
func (j Judge) IsModel() bool { return strings.HasPrefix(string(j), modelPrefix) }

// Key is what a judgment is about. It names no chunk, since these come and go.
type Key struct {
	QueryID   string
	SourceURL string
	// QuoteHash is that of [offset.QuoteHash], empty for a whole page.
	QuoteHash string
	// CharStart and CharEnd are code points of the page's markdown when it was judged.
	// They tell repeated quotes apart, and are a hint: the quote may have moved. Both are
	// 0 for a whole page.
	CharStart, CharEnd int
}

// KeyOf is the key of a text that begins at a code point of a page. White space at its
// ends is left out.
func KeyOf(queryID, sourceURL, text string, start int) Key {
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	start += utf8.RuneCountInString(text) - utf8.RuneCountInString(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
	if trimmed == "" {
		return PageKey(queryID, sourceURL)
	}
	return Key{queryID, sourceURL, offset.QuoteHash(trimmed), start, start + utf8.RuneCountInString(trimmed)}
}

// PageKey is the key of a whole page.
func PageKey(queryID, sourceURL string) Key {
	return Key{QueryID: queryID, SourceURL: sourceURL}
}

// IsPage reports that a whole page was judged.
func (k *Key) IsPage() bool { return k.CharEnd == 0 }

// collapse is the form in which quotes are hashed and looked for.
func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }

// Record is one line of judgments.jsonl. Of several with one key and one judge the last
// counts.
type Record struct {
	Key
	// Quote is what was judged, empty for a whole page.
	Quote string
	Grade Grade
	Judge Judge
	// JudgedAt is zero where a file does not say.
	JudgedAt time.Time
	// SeenRank is the rank that the judge saw beside the text, 0 where it was hidden.
	SeenRank int
	// Pool names the configurations that had returned the text.
	Pool []string
	Note string
	// Evidence is how a model came to its grade, nil for people.
	Evidence *Evidence
}

// Evidence is what a model was asked and what it said, so that anybody can look at how it
// judged, and tell grades of one rubric from those of another.
type Evidence struct {
	// Model is the name that the server knows.
	Model string `json:"model"`
	// Prompt is the hash of what all its questions had in common: rubric and form. The text
	// is kept by [Set.KeepPrompt].
	Prompt string `json:"prompt_hash"`
	// Answer is what it wrote, as one line, at most 2,000 code points.
	Answer string `json:"answer"`
}

// cut makes evidence fit to be kept and shown.
func (e *Evidence) cut() *Evidence {
	if e == nil {
		return nil
	}
	return &Evidence{brief(offset.Line(e.Model), mostName), brief(offset.Line(e.Prompt), mostName), brief(offset.Line(e.Answer), mostAnswer)}
}

// The most that is kept of parts of a record: bytes of an address and of a quote, code
// points of a name, a note and a model's answer, and names of configurations.
const (
	mostAddress = 8 << 10
	mostQuote   = 256 << 10
	mostName    = 100
	mostNote    = 10_000
	mostAnswer  = 2_000
	mostPool    = 100
)

// recordLine is how a record is written.
type recordLine struct {
	QueryID   string   `json:"query_id"`
	SourceURL string   `json:"source_url"`
	Quote     string   `json:"quote"`
	QuoteHash string   `json:"quote_hash"`
	CharStart int      `json:"char_start"`
	CharEnd   int      `json:"char_end"`
	Grade     *int     `json:"grade"`
	Withdrawn bool     `json:"withdrawn,omitempty"`
	Judge     Judge    `json:"judge"`
	JudgedAt  string   `json:"judged_at"`
	SeenRank  *int     `json:"seen_rank"`
	Pool      []string `json:"pool"`
	Note      string   `json:"note"`

	Evidence *Evidence `json:"evidence,omitempty"`
}

// line writes the record as JSON, with its end of line.
func (r *Record) line() ([]byte, error) {
	l := recordLine{
		QueryID: r.QueryID, SourceURL: r.SourceURL, Quote: r.Quote, QuoteHash: r.QuoteHash, CharStart: r.CharStart, CharEnd: r.CharEnd,
		Withdrawn: r.Grade == Withdrawn, Judge: r.Judge, Pool: append([]string{}, r.Pool...), Note: r.Note, Evidence: r.Evidence.cut(),
	}
	if grade := int(r.Grade); grade >= 0 {
		l.Grade = &grade
	}
	if r.SeenRank > 0 {
		l.SeenRank = &r.SeenRank
	}
	if !r.JudgedAt.IsZero() {
		l.JudgedAt = r.JudgedAt.UTC().Format(time.RFC3339)
	}
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false) // markdown stays legible
	if err := to.Encode(l); err != nil {
		return nil, err
	}
	if b.Len() > mostLine {
		return nil, fmt.Errorf("a judgment has %d bytes, more than the %d of a line; judge a shorter text", b.Len(), mostLine)
	}
	return b.Bytes(), nil
}

// decode reads a line of JSON, in any form.
func decode(line []byte) (l recordLine, err error) {
	if err := json.Unmarshal(line, &l); err != nil {
		return l, sayJSON(err)
	}
	if name := twice(line); name != "" {
		return l, fmt.Errorf("%q stands in it twice, and nobody can tell which of both counts", name)
	}
	return l, nil
}

// read reads a line. notes say what of it is not as it should be and does not matter.
func (w *written) read(line []byte) (r Record, notes []string, err error) {
	l, ok := w.decode(line)
	if !ok {
		if l, err = decode(line); err != nil {
			return r, nil, err
		}
	}
	r = Record{
		Key:   Key{l.QueryID, l.SourceURL, l.QuoteHash, l.CharStart, l.CharEnd},
		Quote: l.Quote, Grade: CannotTell, Judge: l.Judge, Note: brief(offset.Line(l.Note), mostNote), Evidence: l.Evidence.cut(),
	}
	switch {
	case l.Withdrawn:
		r.Grade = Withdrawn
	case l.Grade != nil && *l.Grade < 0:
		return r, nil, fmt.Errorf("the grade %d is below 0; null stands for \"cannot tell\"", *l.Grade)
	case l.Grade != nil:
		r.Grade = Grade(*l.Grade)
	}
	if l.SeenRank != nil {
		r.SeenRank = max(0, *l.SeenRank)
	}
	for _, name := range l.Pool[:min(len(l.Pool), mostPool)] {
		r.Pool = append(r.Pool, brief(offset.Line(name), mostName))
	}
	if l.JudgedAt != "" {
		if r.JudgedAt, err = time.Parse(time.RFC3339, l.JudgedAt); err != nil {
			notes = append(notes, fmt.Sprintf("judged_at %q is no time such as 2026-01-05T10:00:00Z", brief(offset.Line(l.JudgedAt), mostName)))
		}
	}
	if hash := offset.QuoteHash(r.Quote); r.QuoteHash != hash {
		if hash == "" {
			return r, nil, errors.New("it has a quote_hash and no quote, so that nobody can look for it")
		}
		if r.QuoteHash != "" {
			notes = append(notes, "quote_hash is not that of its quote, which is what counts")
		}
		r.QuoteHash = hash
	}
	return r, notes, r.check()
}

// check says why a record is none, whatever the set.
func (r *Record) check() error {
	switch {
	case !isID(r.QueryID):
		return fmt.Errorf("%q is no id of a query: it has letters, digits, \"_\", \".\" and \"-\", at most %d", brief(offset.Line(r.QueryID), mostName), mostName)
	case r.SourceURL == "" || len(r.SourceURL) > mostAddress || strings.ContainsFunc(r.SourceURL, unicode.IsControl):
		return fmt.Errorf("source_url is empty, longer than %d bytes, or has control characters", mostAddress)
	case len(r.Quote) > mostQuote || !utf8.ValidString(r.Quote):
		return fmt.Errorf("the quote has more than %d bytes, or is no UTF-8; quote less of the page", mostQuote)
	case strings.TrimSpace(r.Quote) == "" && (r.Quote != "" || r.CharStart != 0 || r.CharEnd != 0):
		return errors.New("a quote without words judges a whole page, and must be empty with char_start and char_end 0")
	case r.Quote != "" && (r.CharStart < 0 || r.CharEnd <= r.CharStart || r.CharEnd > math.MaxInt32):
		return fmt.Errorf("char_start %d and char_end %d are no range of a page", r.CharStart, r.CharEnd)
	case r.Judge == "" || offset.Trimmed(string(r.Judge)) != string(r.Judge) || utf8.RuneCountInString(string(r.Judge)) > mostName:
		return fmt.Errorf("the judge has no name, or one of more than %d characters, with blanks around it or with control characters", mostName)
	case r.Grade < Withdrawn:
		return fmt.Errorf("the grade %d is below 0", r.Grade)
	}
	return nil
}

// isID reports that an id of a query or a set has only characters that files of all
// tools bear.
func isID(id string) bool {
	for _, c := range []byte(id) {
		isWord := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !isWord && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= mostName
}

// brief is the beginning of a text, at most n code points.
func brief(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}
