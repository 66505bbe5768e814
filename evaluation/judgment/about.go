package judgment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// About is what is known of a set as a whole: its set.json.
type About struct {
	// Name is what people call the set; its folder may be called otherwise.
	Name string
	// Labels say what the grades mean, from 0 up: the highest is len(Labels)-1. Some
	// metrics depend on it.
	Labels []string
	// K is how many results are looked at where nothing else is said, 1 to 1000.
	K     int
	Notes string
	// Origin is [ByHand] or [Synthetic].
	Origin Origin
	// Seed gives the order in which results are put before a judge, see [Pool].
	Seed uint32
	// Corpus is the one that the set was made on.
	Corpus Corpus
}

// Origin says where the queries come from.
type Origin string

// The origins.
const (
	ByHand Origin = "by hand"
	// Synthetic queries were made from the corpus, by a rule or by a model: they are
	// easier than those that people ask.
	Synthetic Origin = "synthetic"
)

// Mark is the name of a set as it is shown, which says of synthetic queries that they are:
// "docs (synthetic)".
func (o Origin) Mark(name string) string {
	if o == Synthetic {
		return name + " (synthetic)"
	}
	return name
}

// Corpus tells versions of corpora from each other.
type Corpus struct {
	Name      string
	Documents int
	// Newest is when the newest of its pages was fetched, zero if no page says so.
	Newest time.Time
	// Hash is over the addresses and hashes of all pages, see [Identify].
	Hash string
	// Index is over how these pages are cut and embedded, and the version of what was made of
	// them: the same judgments count on another index, and numbers measured on it do not. It is
	// not kept with a set.
	Index string
}

// Labels are those of a set for which nothing else was chosen.
func Labels() []string { return []string{"not relevant", "related", "relevant", "answers it"} }

// MaxGrade is the highest grade.
func (a *About) MaxGrade() int { return len(a.Labels) - 1 }

// The most of the parts of set.json: grades, a metric's depth, and the file in bytes.
const (
	mostLabels   = 11
	mostK        = 1000
	mostSettings = 1 << 20
	defaultK     = 10
)

const (
	aboutFile   = "set.json"
	queriesFile = "queries.tsv"
	recordsFile = "judgments.jsonl"
	lockFile    = ".lock"
	aboutFormat = "webrag-tui query set 1"
)

// aboutLine is how set.json is written.
type aboutLine struct {
	Format string     `json:"format"`
	Name   string     `json:"name"`
	Labels []string   `json:"labels"`
	K      int        `json:"k"`
	Notes  string     `json:"notes"`
	Origin Origin     `json:"origin"`
	Seed   uint32     `json:"seed"`
	Corpus corpusLine `json:"corpus"`
}

type corpusLine struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Newest    string `json:"newest_fetched_at,omitempty"`
	Hash      string `json:"hash"`
}

// check fills in what was left out, and says what cannot be.
func (a *About) check() error {
	a.Name, a.Notes = brief(offset.Trimmed(a.Name), mostName), brief(offset.Display(a.Notes).Text, mostNote)
	if len(a.Labels) == 0 {
		a.Labels = Labels()
	}
	if a.K == 0 {
		a.K = defaultK
	}
	if a.Origin == "" {
		a.Origin = ByHand
	}
	a.Corpus.Name = brief(offset.Trimmed(a.Corpus.Name), mostName)
	switch {
	case a.Name == "":
		return errors.New("the set has no name; give it one")
	case len(a.Labels) < 2 || len(a.Labels) > mostLabels:
		return fmt.Errorf("there are labels of %d grades; a scale has 2 to %d, from 0 up", len(a.Labels), mostLabels)
	case a.K < 1 || a.K > mostK:
		return fmt.Errorf("k is %d; it is 1 to %d", a.K, mostK)
	case a.Origin != ByHand && a.Origin != Synthetic:
		return fmt.Errorf("the origin is %q; it is %q or %q", brief(offset.Line(string(a.Origin)), mostName), ByHand, Synthetic)
	}
	labels := make([]string, len(a.Labels))
	for i, label := range a.Labels {
		if labels[i] = brief(offset.Trimmed(label), mostName); labels[i] == "" {
			return fmt.Errorf("the grade %d has no label", i)
		}
	}
	a.Labels = labels
	return nil
}

// decodeAbout reads set.json. Its errors do not name the file; a note says what of it
// does not matter.
func decodeAbout(raw []byte) (a About, note string, err error) {
	if text := bytes.TrimPrefix(raw, []byte("\uFEFF")); len(text) < len(raw) {
		raw, note = text, "it begins with a byte order mark, which is no part of the text; save it as UTF-8 without one"
	}
	if !utf8.Valid(raw) {
		note = "it is no UTF-8 throughout; what is none is read as U+FFFD"
	}
	var l aboutLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return a, note, sayJSON(err)
	}
	if name := twice(raw); name != "" {
		return a, note, fmt.Errorf("%q stands in it twice, and nobody can tell which of both counts", name)
	}
	if l.Format != aboutFormat && l.Format != "" {
		return a, note, fmt.Errorf("its format is %q, and this program knows %q; use the version that wrote it, or a newer one", brief(offset.Line(l.Format), mostName), aboutFormat)
	}
	a = About{Name: l.Name, Labels: l.Labels, K: l.K, Notes: l.Notes, Origin: l.Origin, Seed: l.Seed}
	a.Corpus = Corpus{Name: l.Corpus.Name, Documents: max(0, l.Corpus.Documents), Hash: brief(offset.Line(l.Corpus.Hash), mostName)}
	if l.Corpus.Newest != "" {
		if a.Corpus.Newest, err = time.Parse(time.RFC3339, l.Corpus.Newest); err != nil {
			note = "newest_fetched_at is no time such as 2026-01-05T10:00:00Z"
		}
	}
	return a, note, a.check()
}

// encode writes set.json. What an earlier one has that is not known here is kept.
func (a *About) encode(before []byte) ([]byte, error) {
	l := aboutLine{
		Format: aboutFormat, Name: a.Name, Labels: a.Labels, K: a.K, Notes: a.Notes, Origin: a.Origin, Seed: a.Seed,
		Corpus: corpusLine{Name: a.Corpus.Name, Documents: a.Corpus.Documents, Hash: a.Corpus.Hash},
	}
	if !a.Corpus.Newest.IsZero() {
		l.Corpus.Newest = a.Corpus.Newest.UTC().Format(time.RFC3339)
	}
	known, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	ours, all := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(known, &ours); err != nil {
		return nil, err
	}
	before = bytes.ToValidUTF8(bytes.TrimPrefix(before, []byte("\uFEFF")), []byte("\uFFFD"))
	_ = json.Unmarshal(before, &all) // what is no object has nothing to be kept
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return ours[fold(name)] != nil })
	maps.Copy(all, ours)
	raw, err := json.MarshalIndent(all, "", "  ")
	return append(raw, '\n'), err
}

// Describe reads what is said about a set of a folder, without its queries and judgments.
func Describe(sets, name string) (About, error) {
	folder, err := folderOf(sets, name)
	if err != nil {
		return About{}, err
	}
	a, _, _, err := readAbout(folder)
	return a, err
}

// readAbout reads the set.json of a folder. One that is not there is that of a set that
// somebody made by hand.
func readAbout(folder string) (a About, raw []byte, problems []Problem, err error) {
	raw, err = file.Read(filepath.Join(folder, aboutFile), mostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		a.Name = filepath.Base(folder)
		return a, nil, []Problem{{aboutFile, 0, "it is not there; the set is taken for one with the grades 0 to 3", true}}, a.check()
	}
	if err != nil {
		return a, nil, nil, err
	}
	a, note, err := decodeAbout(raw)
	if note != "" {
		problems = []Problem{{aboutFile, 0, note, true}}
	}
	if err != nil {
		return a, raw, problems, fmt.Errorf("%s: %w; mend it, or move it away: without it the set has the grades 0 to 3", filepath.Join(folder, aboutFile), err)
	}
	return a, raw, problems, nil
}
