package sweep

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Journal keeps what sweeps measure in files of JSON lines, so that one that was interrupted
// goes on where it was, and one with more values measures those alone. There is one file for
// each base, measures and parameters. It is used by one [Run] at a time.
//
//	{"format":"webrag-tui sweep 1","program":"1.4.0","set":"docs","judgments":"9f…","corpus":{"hash":"5e…","index":"71…",…},…}
//	{"batch":1,"settings":[["3"],["4"]]}
//	{"batch":1,"query":"q7","rows":[[0.61,1,3,812],[0.64,1,4,1203]]}
//
// A row has the values of the measures, the number of results and their tokens. Lines that cannot
// be read are left out, and measured again.
type Journal struct {
	// Folder is where the files are; it is made if need be.
	Folder string
	// Program is the version of the program, Set the name of the query set, Judgments what
	// [Fingerprint] makes of it, and Corpus the version of the corpus. A file of others is
	// refused with a [JournalError].
	Program, Set, Judgments string
	Corpus                  judgment.Corpus
	// Counting tells sweeps from each other that grade otherwise: by other judges, or pages and
	// not passages.
	Counting string
	// Fresh begins anew in place of a file that is there.
	Fresh bool

	path    string
	lock    *file.Lock
	batch   int
	waiting []byte
	written time.Time
}

// NewJournal keeps what sweeps of a set measure beside it. judge names those whose judgments
// count as the user did, empty for nobody, and program is the version of the program.
func NewJournal(set *judgment.Set, corpus judgment.Corpus, x *experiment.Experiment, judge, program string) *Journal {
	return &Journal{
		Folder: filepath.Join(set.Folder, "runs"), Program: program, Set: set.Name, Judgments: Fingerprint(set), Corpus: corpus,
		Counting: fmt.Sprint(x.Level, " ", judge),
	}
}

// JournalError reports a journal that is not of this sweep.
type JournalError struct {
	Path string
	// Why says of what else it is, without a full stop.
	Why string
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("%s: %s; its numbers do not count here. Measure anew in its place with --fresh, or move it away", e.Path, e.Why)
}

// journalFormat is what says that a file is a journal of this version.
const journalFormat = "webrag-tui sweep 1"

// What is read of a journal: bytes.
const mostJournal = 4 << 30

// head is the first line.
type head struct {
	Format    string   `json:"format"`
	Program   string   `json:"program"`
	Set       string   `json:"set"`
	Judgments string   `json:"judgments"`
	Corpus    corpus   `json:"corpus"`
	Measures  []string `json:"measures"`
	Fields    []string `json:"fields"`
}

type corpus struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Hash      string `json:"hash"`
	Index     string `json:"index"`
}

// line is any other one.
type line struct {
	Batch    int         `json:"batch"`
	Settings [][]string  `json:"settings,omitempty"`
	Query    string      `json:"query,omitempty"`
	Rows     [][]float64 `json:"rows,omitempty"`
}

// Fingerprint tells the queries and judgments of a set from those of any other.
func Fingerprint(set *judgment.Set) string {
	sum := sha256.New()
	w := json.NewEncoder(sum)
	_ = w.Encode(set.Queries)     // hashing never fails, and these are plain values
	_ = w.Encode(set.Judgments()) // so are these
	return hex.EncodeToString(sum.Sum(nil))
}

// name is that of the file of a plan.
func (j *Journal) name(p *Plan, t *Table) string {
	sum := sha256.New()
	fields := map[string]bool{}
	for _, a := range p.Axes {
		fields[a.Field] = true
		_, _ = io.WriteString(sum, a.Field+"\n") // a hash takes everything
	}
	for _, s := range param.Specs() {
		if !fields[s.Field] {
			_, _ = io.WriteString(sum, s.Field+"="+s.Get(&p.Base)+"\n")
		}
	}
	for _, m := range t.Measures {
		_, _ = io.WriteString(sum, m.String()+"\n")
	}
	_, _ = io.WriteString(sum, j.Counting)
	return "sweep-" + hex.EncodeToString(sum.Sum(nil))[:12] + ".jsonl"
}

// open takes the file of a plan, and puts into the table what is in it.
func (j *Journal) open(p *Plan, t *Table) error {
	if err := os.MkdirAll(j.Folder, 0o700); err != nil {
		return fmt.Errorf("keep what a sweep measures: %w", err)
	}
	j.path, j.batch = filepath.Join(j.Folder, j.name(p, t)), 0
	lock, held, err := file.TryLock(j.path + ".lock")
	if err != nil {
		return fmt.Errorf("keep what a sweep measures: %w", err)
	}
	if !held {
		return fmt.Errorf("another program is at the same sweep; wait for it, or stop it (%s)", j.path)
	}
	j.lock = lock
	if err := j.restore(p, t); err != nil {
		return errors.Join(err, j.close())
	}
	return nil
}

// close writes what is not written yet, and lets go of the file.
func (j *Journal) close() error {
	err := j.flush()
	if j.lock != nil {
		err = errors.Join(err, j.lock.Release())
		j.lock = nil
	}
	return err
}

func (j *Journal) restore(p *Plan, t *Table) error {
	f, err := file.Open(j.path, mostJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && j.Fresh:
		if f != nil {
			_ = f.Close() // only read
		}
		return j.create(p, t)
	case err != nil:
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	first, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	if why := j.other(first, p, t); why != "" {
		return &JournalError{j.path, why}
	}
	if err := j.read(in, p, t); err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	return nil
}

// create writes the first line of a new file.
func (j *Journal) create(p *Plan, t *Table) error {
	raw, err := json.Marshal(j.head(p, t))
	if err == nil {
		err = file.ReplaceAtOnce(j.path, 0o600, append(raw, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep what a sweep measures: %w", err)
	}
	return nil
}

func (j *Journal) head(p *Plan, t *Table) head {
	h := head{journalFormat, j.Program, j.Set, j.Judgments, corpus{j.Corpus.Name, j.Corpus.Documents, j.Corpus.Hash, j.Corpus.Index}, nil, nil}
	for _, m := range t.Measures {
		h.Measures = append(h.Measures, m.String())
	}
	for _, a := range p.Axes {
		h.Fields = append(h.Fields, a.Field)
	}
	return h
}

// other says of what else a file is, by its first line; nothing if it is of this sweep.
func (j *Journal) other(first []byte, p *Plan, t *Table) string {
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return "its first line does not say what it is of"
	}
	want := j.head(p, t)
	pages := func(c corpus) string { return phrase.Counted(c.Documents, "page") }
	switch {
	case h.Format != want.Format:
		return fmt.Sprintf("its format is %q, and this program knows %q", h.Format, want.Format)
	case h.Set != want.Set:
		return fmt.Sprintf("it is of the query set %q, and this is %q", h.Set, want.Set)
	case h.Corpus.Documents != want.Corpus.Documents || h.Corpus.Hash != want.Corpus.Hash:
		return fmt.Sprintf("it was measured on other pages (corpus %s, %s; now %s, %s)", h.Corpus.Name, pages(h.Corpus), want.Corpus.Name, pages(want.Corpus))
	case h.Corpus.Index != want.Corpus.Index:
		return fmt.Sprintf("the index of corpus %s was another when it was measured: cut, embedded or written otherwise", want.Corpus.Name)
	case h.Judgments != want.Judgments:
		return "queries or judgments of the set have changed since it was measured"
	case h.Program != want.Program:
		return fmt.Sprintf("version %s measured it, and this is version %s, which may rank otherwise", h.Program, want.Program)
	case strings.Join(h.Measures, " ") != strings.Join(want.Measures, " ") || strings.Join(h.Fields, " ") != strings.Join(want.Fields, " "):
		return "it is of other measures or parameters"
	}
	return ""
}

// read puts the lines after the first into the table.
func (j *Journal) read(in *bufio.Reader, p *Plan, t *Table) error {
	var places []int // of the settings of the present batch
	batches := map[int][]int{}
	for {
		raw, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what has no end was cut off while it was written
		}
		if err != nil {
			return err
		}
		var l line
		if json.Unmarshal(raw, &l) != nil {
			continue
		}
		if l.Query == "" {
			j.batch = max(j.batch, l.Batch)
			if places = p.known(t, l.Settings); places != nil {
				batches[l.Batch] = places
			}
			continue
		}
		query, ok := t.query[l.Query]
		places = batches[l.Batch]
		if !ok || len(places) != len(l.Rows) {
			continue
		}
		for i, row := range l.Rows {
			if len(row) == t.columns() {
				copy(t.row(places[i], query), row)
			}
		}
	}
}

// known are the places of settings of a file, nil where one is no setting of the plan.
func (p *Plan) known(t *Table, all [][]string) []int {
	settings := make([]Setting, len(all))
	for i, values := range all {
		if len(values) != len(p.Axes) {
			return nil
		}
		s, err := p.setting(values)
		if err != nil {
			return nil
		}
		for axis, a := range p.Axes {
			if s.Params.Get(a.Field) != values[axis] {
				return nil
			}
		}
		settings[i] = s
	}
	return t.add(settings)
}

// begin says which settings the rows of the next queries are of.
func (j *Journal) begin(settings [][]string) error {
	j.batch++
	return j.write(line{Batch: j.batch, Settings: settings})
}

// through keeps what came of a query.
func (j *Journal) through(t *Table, settings []int, query int) error {
	rows := make([][]float64, len(settings))
	for i, at := range settings {
		rows[i] = t.row(at, query)
	}
	return j.write(line{Batch: j.batch, Query: t.IDs[query], Rows: rows})
}

// writeEvery is how much work may be lost: each writing waits for the disk.
const writeEvery = time.Second

func (j *Journal) write(l line) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("keep what a sweep measures: %w", err)
	}
	j.waiting = append(append(j.waiting, raw...), '\n')
	if now := time.Now(); now.Sub(j.written) > writeEvery {
		j.written = now
		return j.flush()
	}
	return nil
}

func (j *Journal) flush() error {
	if len(j.waiting) == 0 {
		return nil
	}
	err := file.AppendLines(j.path, j.waiting)
	j.waiting = j.waiting[:0]
	if err != nil {
		return fmt.Errorf("keep what a sweep measures: %w", err)
	}
	return nil
}
