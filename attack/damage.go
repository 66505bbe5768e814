//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// damage is what disks and cables do to a corpus file.
var damage = family{
	name:  "damage",
	tries: "a corpus file with flipped bits, wiped or exchanged sectors, repeated pages or a lost end",
	holds: "each answer is that of the whole file, or damage is said by the command or by `doctor`; no crash, and `doctor` always reports",
	count: 300, short: 8,
	begin: func(a *arena) (attempt, error) {
		path := a.corpus()
		whole, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		home := a.standIn(filepath.Join(a.dir, "damage.home"))
		var want []string
		for _, c := range looks {
			o := home.call(c.at(path))
			if err := o.fine(); err != nil {
				return nil, err
			}
			text, err := lasting(o.out)
			if err != nil {
				return nil, err
			}
			want = append(want, text)
		}
		return func(t *try) error {
			raw, what := harm(t, append([]byte(nil), whole...))
			path := t.write("corpus.db", string(raw))
			return damaged(t, path, what, want)
		}, nil
	},
}

// looks are commands whose answers depend on much of a corpus.
var looks = []call{
	{args: []string{"query", "--preset", "hybrid", "-"}, stdin: strings.Join(questions, "\n")},
	{args: []string{"query", "--mode", "full_context", "--budget", "10000000", "--json", "x"}},
	{args: []string{"docs", "list", "--json"}},
	{args: []string{"edges", "list", "--limit", "0", "--json"}},
}

func (c call) at(corpus string) call {
	c.args = append(append([]string(nil), c.args...), "--corpus", corpus)
	return c
}

// damaged asks a damaged corpus, and its doctor.
func damaged(t *try, path, what string, want []string) error {
	doctor := t.run("doctor", "--json", "--corpus", path)
	if err := doctor.sound(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for i, c := range looks {
		o := t.call(c.at(path))
		if err := o.sound(); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if o.code > 1 {
			continue // it said so
		}
		got, err := lasting(o.out)
		if err == nil && got != want[i] && doctor.code == 0 {
			return fmt.Errorf("%s: %w", what, o.wrong("answers differently, and neither it nor doctor says why: %v", same(got, want[i])))
		}
	}
	return nil
}

// harm damages a file, and says how.
func harm(t *try, raw []byte) ([]byte, string) {
	const sector = 512
	page := 4096
	at := t.IntN(len(raw)/sector) * sector
	switch what := one(t, "bit", "bits", "zeros", "noise", "exchange", "again", "end"); what {
	case "bit", "bits":
		n := 1
		if what == "bits" {
			n += t.IntN(100)
		}
		for range n {
			raw[t.IntN(len(raw))] ^= 1 << t.IntN(8)
		}
		return raw, fmt.Sprintf("%d flipped bits", n)
	case "zeros":
		clear(raw[at:min(len(raw), at+sector*(1+t.IntN(16)))])
		return raw, fmt.Sprintf("zeros from %d", at)
	case "noise":
		for i := range raw[at : at+sector] {
			raw[at+i] = byte(t.Uint32())
		}
		return raw, fmt.Sprintf("noise at %d", at)
	case "exchange":
		from, to := t.IntN(len(raw)/page)*page, t.IntN(len(raw)/page)*page
		for i := range page {
			raw[from+i], raw[to+i] = raw[to+i], raw[from+i]
		}
		return raw, fmt.Sprintf("pages at %d and %d exchanged", from, to)
	case "again":
		from, to := t.IntN(len(raw)/page)*page, t.IntN(len(raw)/page)*page
		copy(raw[to:to+page], raw[from:from+page])
		return raw, fmt.Sprintf("page at %d once more at %d", from, to)
	default:
		return raw[:t.IntN(len(raw))], "a lost end"
	}
}
