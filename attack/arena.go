//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// family is a kind of attack.
type family struct {
	// name is what -family takes, tries what is done, and holds what must be
	// true after each attempt: the cells of the table.
	name, tries, holds string
	// count is the number of attempts of an ordinary run, short of that in the
	// package's test.
	count, short int
	// begin makes what all attempts share.
	begin func(a *arena) (attempt, error)
}

// attempt attacks once. A nil error says that the program held, another one how
// it gave way.
type attempt func(t *try) error

// families are all of them, in the order of the table.
var families = []family{
	kills, faults, endless, damage, crafted, injections, databases, hostile, pages, servers, settings, strangers, secrets, keys,
}

// arena is what a run shares.
type arena struct {
	bin, dir string
	seed     uint64
	factor   float64
	only     int
	workers  int
	until    time.Time
	say      io.Writer
	ctx      context.Context // of the run

	after []func() // what is done when a family has ended

	guide struct {
		sync.Once
		path string
	}
}

// row is what became of a family.
type row struct {
	family
	attempts, gaveWay int
	took              time.Duration
	how               []string // how it gave way, with what repeats it
}

// try is one attempt: a folder of its own, and numbers that its seed gives.
type try struct {
	*arena
	*rand.Rand
	n   int    // from 1
	dir string // empty at the beginning, gone afterwards
}

// errSkipped says that the machine lacks what a family needs.
var errSkipped = errors.New("not tried")

// broken is what goes wrong in the attack itself.
type broken struct{ error }

// must ends the run: the attack itself does not work.
func must(err error) {
	if err != nil {
		panic(broken{err})
	}
}

// attack makes the attempts of a family beside each other.
func (a *arena) attack(ctx context.Context, f family) (row, error) {
	began := time.Now()
	r := row{family: f}
	a.ctx = ctx
	a.after = nil
	defer func() {
		for _, undo := range a.after {
			undo()
		}
	}()
	once, err := a.begin(f)
	if errors.Is(err, errSkipped) {
		fmt.Fprintf(a.say, "%-10s %v\n", f.name, err)
		return r, nil
	}
	if err != nil {
		return r, err
	}
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for n := 1; n <= max(1, int(float64(f.count)*a.factor)); n++ {
			if a.only != 0 && n != a.only {
				continue
			}
			if ctx.Err() != nil || time.Now().After(a.until) {
				return
			}
			numbers <- n
		}
	}()
	var (
		mu      sync.Mutex
		workers sync.WaitGroup
		failed  atomic.Pointer[error]
	)
	for range a.workers {
		workers.Go(func() {
			for n := range numbers {
				if failed.Load() != nil {
					continue
				}
				how, err := a.once(f, once, n)
				if err != nil {
					failed.Store(&err)
					continue
				}
				mu.Lock()
				r.attempts++
				if how != nil && ctx.Err() == nil {
					r.gaveWay++
					line := fmt.Sprintf("%v\n    again: go run ./attack -family %s -seed %d -only %d", how, f.name, a.seed, n)
					r.how = append(r.how, line)
					fmt.Fprintf(a.say, "  %s %d gave way: %s\n", f.name, n, line)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if err := failed.Load(); err != nil {
		return r, *err
	}
	r.took = time.Since(began)
	slices.Sort(r.how)
	fmt.Fprintf(a.say, "%-10s %d attempts, %d gave way, %s\n", f.name, r.attempts, r.gaveWay, r.took.Round(time.Second))
	return r, ctx.Err()
}

// begin makes what the attempts of a family share.
func (a *arena) begin(f family) (once attempt, err error) {
	defer recoverBroken(&err)
	return f.begin(a)
}

// recoverBroken makes an error of what must has thrown.
func recoverBroken(err *error) {
	if value := recover(); value != nil {
		b, ok := value.(broken)
		if !ok {
			panic(value)
		}
		*err = b.error
	}
}

// once makes one attempt in a folder of its own.
func (a *arena) once(f family, attack attempt, n int) (how, err error) {
	t := &try{arena: a, n: n, dir: filepath.Join(a.dir, fmt.Sprintf("%s-%d", f.name, n))}
	name := fnv.New64a()
	fmt.Fprintf(name, "%s %d", f.name, n)
	t.Rand = rand.New(rand.NewPCG(a.seed, name.Sum64()))
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(t.dir)
	defer recoverBroken(&err)
	return attack(t), nil
}

// path is a file of the attempt's folder.
func (t *try) path(name string) string { return filepath.Join(t.dir, name) }

// write makes a file in the attempt's folder and returns its path.
func (t *try) write(name, text string) string {
	path := t.path(name)
	must(os.MkdirAll(filepath.Dir(path), 0o755))
	must(os.WriteFile(path, []byte(text), 0o600))
	return path
}

// copyOf puts a copy of a file into the attempt's folder.
func (t *try) copyOf(path, name string) string {
	raw, err := os.ReadFile(path)
	must(err)
	return t.write(name, string(raw))
}

// one of some, drawn.
func one[T any](t *try, some ...T) T { return some[t.IntN(len(some))] }

// first returns the first error: what gave way first.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// brief is a text that is short enough for a line.
func brief(s string) string {
	const most = 300
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
