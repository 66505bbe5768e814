package judgment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// broughtNoMore is the note of records that take back what a program brought once.
const broughtNoMore = "the program brings it no more"

// Renew brings a set that [Copy] made up to the files that the program brings now. It only
// appends: what is new, and records that take back what came with an older program and does
// not come with this one. What was judged in the copy stays, and so do its queries that were
// changed or removed. A set of that name that shares no record with what is brought is no
// such copy and stays as it is.
func Renew(ctx context.Context, from fs.FS, sets, name string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("renew query set %s: %w", name, err)
		}
	}()
	own, _, err := Open(sets, name)
	if err != nil {
		return err
	}
	room, err := os.MkdirTemp("", "renewed-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(room)) }()
	if err := Copy(from, room, name); err != nil {
		return err
	}
	brought, _, err := Open(room, name)
	if err != nil {
		return err
	}
	queries, records := own.missing(brought)
	if len(queries)+len(records) == 0 {
		return nil
	}
	if _, err := own.AddQueries(ctx, queries...); err != nil {
		return err
	}
	if own, _, err = Open(sets, name); err != nil {
		return err
	}
	if err := own.Append(ctx, records...); err != nil {
		return err
	}
	return own.Change(ctx, func(a *About) { a.Corpus = brought.Corpus })
}

// of is a judge's last word on a key; brings is a judge at a time, which is how what a program
// brought is told from what somebody of the same name judged.
type (
	of struct {
		Key
		Judge
	}
	brings struct {
		Judge
		at time.Time
	}
)

// missing are the queries and records that bring the set up to what is brought.
func (s *Set) missing(brought *Set) (queries []Query, records []Record) {
	last, had := map[of]*Record{}, map[string]bool{}
	for i := range s.Records {
		r := &s.Records[i]
		last[of{r.Key, r.Judge}] = r
		had[r.QueryID] = true
	}
	taken := map[string]bool{}
	for _, q := range brought.Queries {
		own := s.Query(q.ID)
		switch {
		case own != nil:
			taken[q.ID] = own.Text == q.Text
		case !had[q.ID]:
			taken[q.ID] = true
			queries = append(queries, q)
		}
	}
	stays, times := map[of]bool{}, map[brings]bool{}
	for _, r := range brought.Records {
		stays[of{r.Key, r.Judge}], times[brings{r.Judge, r.JudgedAt}] = true, true
		if before := last[of{r.Key, r.Judge}]; taken[r.QueryID] && (before == nil || before.Note == broughtNoMore) {
			records = append(records, r)
		}
	}
	if !slices.ContainsFunc(s.Records, func(r Record) bool { return times[brings{r.Judge, r.JudgedAt}] }) {
		return nil, nil
	}
	known := s.known()
	for i := range s.Records {
		r := &s.Records[i]
		if k := (of{r.Key, r.Judge}); known[r.QueryID] && last[k] == r && !stays[k] && r.Grade != Withdrawn && times[brings{r.Judge, r.JudgedAt}] {
			records = append(records, Record{Key: r.Key, Quote: r.Quote, Judge: r.Judge, Grade: Withdrawn, JudgedAt: r.JudgedAt, Note: broughtNoMore})
		}
	}
	return queries, records
}
