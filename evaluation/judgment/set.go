package judgment

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// Set is a query set as it was read, with what was written to it since by this value.
// What other programs write meanwhile is seen when it is opened again, and is not lost by
// what is written here. It is used by one goroutine.
type Set struct {
	// Folder is where its files are.
	Folder string
	About
	// Queries are in the order of their file.
	Queries []Query
	// Records are all that can be used, in the order of the file: also those that later
	// ones replace, and those of queries that the set has no more.
	Records []Record
}

// ErrNoSet is the error for a name that no set has.
var ErrNoSet = errors.New("there is no such query set")

// ErrSetExists is the error for a name that another set has already.
var ErrSetExists = errors.New("there is a query set of this name already")

// ErrIDTaken is the error for the id of a query that the set has already.
var ErrIDTaken = errors.New("the id is taken")

// ErrBusy is the error where another program holds the right to write for long.
var ErrBusy = errors.New("another program is writing to the query set")

// folderOf is the folder of a set.
func folderOf(sets, name string) (string, error) {
	if !isID(name) || name[0] == '.' {
		return "", fmt.Errorf("query set %q: a name has letters, digits, \"_\", \".\" and \"-\", at most %d, and does not begin with a dot", brief(offset.Line(name), mostName), mostName)
	}
	return filepath.Join(sets, name), nil
}

// List returns the names of the sets in a folder, sorted: of the folders in it that have
// a set.json or a queries.tsv. There are none where there is no such folder.
func List(sets string) ([]string, error) {
	entries, err := os.ReadDir(sets)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list query sets: %w", err)
	}
	var names []string
	for _, e := range entries {
		folder, err := folderOf(sets, e.Name())
		if err == nil && isSet(folder) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func isSet(folder string) bool {
	for _, name := range []string{aboutFile, queriesFile} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// Create makes a set without queries in a folder, which is made, too, if need be. It
// fails with [ErrSetExists] where one has the name.
func Create(sets, name string, about About) (*Set, error) {
	folder, err := folderOf(sets, name)
	if err != nil {
		return nil, err
	}
	if about.Name == "" {
		about.Name = name
	}
	if err := about.check(); err != nil {
		return nil, fmt.Errorf("create query set %s: %w", name, err)
	}
	err = makeFolder(folder, func(unfinished string) error {
		raw, err := about.encode(nil)
		if err != nil {
			return err
		}
		return file.ReplaceAtOnce(filepath.Join(unfinished, aboutFile), 0o600, raw)
	})
	switch {
	case errors.Is(err, ErrSetExists):
		return nil, fmt.Errorf("create query set %s: %w; choose another one", name, err)
	case err != nil:
		return nil, fmt.Errorf("create query set %s: %w", name, err)
	}
	return &Set{Folder: folder, About: about}, nil
}

// Open reads a set. It fails with [ErrNoSet] where there is none, and where a file cannot
// be read at all; what in the files is not as it should be are problems.
func Open(sets, name string) (*Set, []Problem, error) {
	folder, err := folderOf(sets, name)
	if err != nil {
		return nil, nil, err
	}
	if !isSet(folder) {
		return nil, nil, fmt.Errorf("query set %s: %w in %s", name, ErrNoSet, sets)
	}
	s := &Set{Folder: folder}
	about, _, told, err := readAbout(folder)
	if err != nil {
		return nil, told, fmt.Errorf("query set %s: %w", name, err)
	}
	s.About = about
	queries := problems{file: queriesFile}
	err = readInto(folder, queriesFile, func(r io.Reader) (err error) {
		s.Queries, err = readQueries(r, &queries)
		return err
	})
	if err != nil {
		return nil, told, fmt.Errorf("query set %s: %w", name, err)
	}
	records := problems{file: recordsFile}
	err = readInto(folder, recordsFile, func(r io.Reader) (err error) {
		s.Records, err = readRecords(r, s.MaxGrade(), s.known(), &records)
		return err
	})
	if err != nil {
		return nil, told, fmt.Errorf("query set %s: %w", name, err)
	}
	return s, append(append(told, queries.all()...), records.all()...), nil
}

// readInto reads a file of a set, which need not be there.
func readInto(folder, name string, read func(io.Reader) error) error {
	f, err := file.Open(filepath.Join(folder, name), mostFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f)
}

// known are the ids of the queries.
func (s *Set) known() map[string]bool {
	ids := make(map[string]bool, len(s.Queries))
	for i := range s.Queries {
		ids[s.Queries[i].ID] = true
	}
	return ids
}

// identity is what two records have in common that say the same at once.
type identity struct {
	Key
	Judge
	Grade
	at time.Time
}

func identityOf(r *Record) identity { return identity{r.Key, r.Judge, r.Grade, r.JudgedAt} }

// readRecords reads judgments. Those of unknown queries are kept, and told once for each
// query.
func readRecords(r io.Reader, maxGrade int, queries map[string]bool, told *problems) (list []Record, err error) {
	type place struct{ line, index int }
	unknown, lines, judges := map[string]int{}, map[string]int{}, map[Judge]bool{}
	first, seed := map[uint64]place{}, maphash.MakeSeed() // by hash: a map of identities would be as large as the file
	var order []string
	var reader written
	err = told.eachLine(r, mostRecords, func(n int, line []byte) {
		record, notes, err := reader.read(line)
		if err == nil && int(record.Grade) > maxGrade {
			err = fmt.Errorf("the grade %d is not on the scale of the set, 0 to %d", record.Grade, maxGrade)
		}
		if err == nil && !judges[record.Judge] && len(judges) == mostJudges {
			err = fmt.Errorf("there are more than %d judges", mostJudges)
		}
		if err != nil {
			told.add(n, false, "%v; the line is left out: mend it, or judge anew", err)
			return
		}
		for _, note := range notes {
			told.add(n, true, "%s", note)
		}
		judges[record.Judge] = true
		same := identityOf(&record)
		hash := maphash.Comparable(seed, same)
		if before, ok := first[hash]; ok && !record.JudgedAt.IsZero() && identityOf(&list[before.index]) == same {
			told.add(n, true, "this is the judgment of line %d again", before.line)
		} else {
			first[hash] = place{n, len(list)}
		}
		if !queries[record.QueryID] {
			if unknown[record.QueryID]++; unknown[record.QueryID] == 1 {
				order, lines[record.QueryID] = append(order, record.QueryID), n
			}
		}
		if len(list) == cap(list) { // append grows long lists by a quarter, and copies these four times as often
			list = slices.Grow(list, max(16, len(list)))
		}
		list = append(list, record)
	})
	for _, id := range order {
		told.add(lines[id], false, "%s is no query of the set; its judgments (%d) are kept and do not count until it is one again", id, unknown[id])
	}
	return list, err
}

// locked calls write while no other program writes to the set.
func (s *Set) locked(ctx context.Context, write func() error) (err error) {
	path := filepath.Join(s.Folder, lockFile)
	err = file.WhileLocked(ctx, path, write)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w any more; it was renamed or removed", s.Folder, ErrNoSet)
	case errors.Is(err, file.ErrHeld):
		return fmt.Errorf("%w (it holds %s); try again, or stop it", ErrBusy, path)
	}
	return err
}

// Append adds judgments, all or none of them, with one write: what several programs
// append at once is there in some order, each line whole. A judgment of a query that the
// set has not, or with a grade that is not on its scale, is an error. The records belong to the
// set from then on.
func (s *Set) Append(ctx context.Context, records ...Record) error {
	var lines []byte
	known := s.known()
	for i := range records {
		r := &records[i]
		if r.QuoteHash == "" {
			r.QuoteHash = offset.QuoteHash(r.Quote)
		}
		err := r.check()
		switch {
		case err != nil:
		case r.QuoteHash != offset.QuoteHash(r.Quote):
			err = errors.New("its quote_hash is that of another quote")
		case int(r.Grade) > s.MaxGrade():
			err = fmt.Errorf("the grade %d is not on the scale of the set, 0 to %d", r.Grade, s.MaxGrade())
		case !known[r.QueryID]:
			err = fmt.Errorf("%s is no query of the set; add it first", r.QueryID)
		}
		var line []byte
		if err == nil {
			line, err = r.line()
		}
		if err != nil {
			return fmt.Errorf("append a judgment to %s: %w", s.Folder, err)
		}
		if i == 0 {
			lines = make([]byte, 0, len(line)*len(records)) // about
		}
		lines = append(lines, line...)
	}
	if len(lines) == 0 {
		return nil
	}
	err := s.locked(ctx, func() error { return file.AppendLines(filepath.Join(s.Folder, recordsFile), lines) })
	if err != nil {
		return fmt.Errorf("append a judgment to %s: %w", s.Folder, err)
	}
	if len(s.Records) == 0 {
		s.Records = slices.Clip(records)
		return nil
	}
	s.Records = append(s.Records, records...)
	return nil
}

// Undo appends a record that takes one of this set back: what its judge had said before
// of the same key counts again, nothing if that was nothing. It returns that record.
func (s *Set) Undo(ctx context.Context, undone Record, at time.Time) (Record, error) {
	back := Record{Key: undone.Key, Quote: undone.Quote, Judge: undone.Judge, Grade: Withdrawn}
	found := false
	for i := len(s.Records) - 1; i >= 0; i-- {
		r := &s.Records[i]
		switch {
		case r.Key != undone.Key || r.Judge != undone.Judge:
		case !found:
			found = r.Grade == undone.Grade && r.JudgedAt.Equal(undone.JudgedAt)
		default:
			back = *r
			i = 0
		}
	}
	if !found {
		return back, fmt.Errorf("undo a judgment of %s: it is not in the set", s.Folder)
	}
	back.JudgedAt = at
	return back, s.Append(ctx, back)
}

// Change writes set.json anew after change has changed it; what other programs have
// written into it meanwhile stays. The scale may grow, and may only lose grades that
// nothing was judged with.
func (s *Set) Change(ctx context.Context, change func(*About)) error {
	err := s.locked(ctx, func() error {
		about, before, _, err := readAbout(s.Folder)
		if err != nil {
			return err
		}
		change(&about)
		if err := about.check(); err != nil {
			return err
		}
		for i := range s.Records {
			if int(s.Records[i].Grade) > about.MaxGrade() {
				return fmt.Errorf("something was judged with the grade %d, which a scale from 0 to %d has not", s.Records[i].Grade, about.MaxGrade())
			}
		}
		raw, err := about.encode(before)
		if err == nil {
			err = file.ReplaceAtOnce(filepath.Join(s.Folder, aboutFile), 0o600, raw)
		}
		if err == nil {
			s.About = about
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("change query set %s: %w", s.Folder, err)
	}
	return nil
}

// Rename gives the set's folder another name, and the set the same one. It fails with
// [ErrSetExists] where another one has it. Programs that have the set open cannot write to
// it any more.
func (s *Set) Rename(ctx context.Context, name string) error {
	folder, err := folderOf(filepath.Dir(s.Folder), name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(folder); err == nil {
		return fmt.Errorf("rename query set %s: %s: %w; choose another one", s.Folder, name, ErrSetExists)
	}
	if err := s.Change(ctx, func(a *About) { a.Name = name }); err != nil {
		return err
	}
	if err := os.Rename(s.Folder, folder); err != nil {
		return fmt.Errorf("rename query set: %w", err)
	}
	s.Folder = folder
	return nil
}
