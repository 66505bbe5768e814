package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Comparisons are what of a corpus is kept between sessions to compare with: snapshots, and
// the baseline if it is another than what the parameters start from.
type Comparisons struct {
	// Baseline is nil for the start. Pinned says that somebody chose it; else it is what
	// the preset or profile called Of was compared with.
	Baseline *Setting
	Pinned   bool
	Of       string
	// Snapshots are the latest last.
	Snapshots []*Snapshot
}

// MostComparisons is the most bytes of the comparisons of a corpus that are kept: the
// oldest snapshots make room.
const MostComparisons = 8 << 20

// The most of what is kept of a snapshot, beside the places of [mostPlaces]: the code
// points of its query, and those of a name in it.
const (
	mostQuery = 10_000
	mostName  = 300
)

// Comparisons are those of the session as it is now. What they hold is not changed by it
// any more.
func (s *Session) Comparisons() Comparisons {
	c := Comparisons{Snapshots: slices.Clone(s.snapshots.list), Pinned: s.pinned}
	if s.pinned || s.against != s.start {
		kept := s.against
		c.Baseline, c.Of = &kept, s.start.Name
	}
	return c
}

// RecallComparisons gives the session what an earlier one has kept of the corpus. What was kept
// meanwhile stays, and so do the snapshots' names: of two, the earlier one gets a number.
func (s *Session) RecallComparisons(c Comparisons) []Work {
	now := s.snapshots.list
	s.snapshots.list = slices.Clone(now)
	for _, sn := range c.Snapshots {
		sn.Name = s.free(sn.Name)
		s.snapshots.list = append(s.snapshots.list, sn)
	}
	s.snapshots.list = append(slices.Clone(s.snapshots.list[len(now):]), now...)
	s.snapshots.bound()
	if c.Baseline == nil || s.pinned {
		return nil
	}
	if c.Pinned || c.Of == s.start.Name && s.against == s.start {
		s.against, s.pinned = *c.Baseline, c.Pinned
	}
	return append(s.rankBaseline(), s.Judge()...)
}

// keptHead is the first line of the file: JSON, as each that follows, which is a
// [keptSnapshot]. A line that cannot be read loses no other.
type keptHead struct {
	// Format is keptFormat.
	Format   string       `json:"format"`
	Baseline *keptSetting `json:"baseline,omitempty"`
	Pinned   bool         `json:"pinned,omitempty"`
	Of       string       `json:"of,omitempty"`
}

// keptFormat is the format of the file, with its version.
const keptFormat = "webrag-tui comparisons 1"

// keptSetting has the values of all parameters, by field: a preset may have others one day.
type keptSetting struct {
	Name   string            `json:"name"`
	Params map[string]string `json:"params"`
}

type keptSnapshot struct {
	Name    string      `json:"name"`
	Query   string      `json:"query"`
	Setting keptSetting `json:"setting"`
	Mode    param.Mode  `json:"mode"`
	Scale   string      `json:"scale"`
	// Places is how many places the ranking had, of which Items may be the first.
	Places int        `json:"places"`
	Items  []keptItem `json:"items"`
}

// keptItem is a place of a ranking, counted from 1.
type keptItem struct {
	Rank    int         `json:"rank"`
	ID      string      `json:"id"`
	Parent  string      `json:"parent,omitempty"`
	Level   store.Level `json:"level,omitempty"`
	URL     string      `json:"url"`
	Title   string      `json:"title"`
	Heading string      `json:"heading,omitempty"`
	Path    []string    `json:"path,omitempty"`
	Score   float64     `json:"score"`
	// Passage is which one of its section a passage is, from 1; 0 for a section.
	Passage int `json:"passage,omitempty"`
	// Part is which of Parts a section was cut into it is, from 1, and Words are the first
	// of what matched in it; they are 0 and empty for a whole section.
	Part  int    `json:"part,omitempty"`
	Parts int    `json:"parts,omitempty"`
	Words string `json:"words,omitempty"`
}

// Encode writes comparisons as lines of JSON, at most [MostComparisons] bytes. The oldest
// snapshots make room, and what cannot be written is left out.
func (c *Comparisons) Encode() []byte {
	head := keptHead{Format: keptFormat, Pinned: c.Pinned, Of: c.Of}
	if c.Baseline != nil {
		of := keepSetting(*c.Baseline)
		head.Baseline = &of
	}
	first, _ := json.Marshal(head) // strings only
	lines := [][]byte{}
	size := len(first) + 1
	for _, sn := range slices.Backward(c.Snapshots) {
		line, err := json.Marshal(keepSnapshot(sn))
		if err != nil {
			continue // a score that is no number
		}
		if size += len(line) + 1; size > MostComparisons {
			break
		}
		lines = append(lines, line)
	}
	lines = append(lines, first)
	slices.Reverse(lines)
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

// Lost is what of kept comparisons could not be read: what rankings are compared with, and
// how many snapshots.
type Lost struct {
	Baseline  bool
	Snapshots int
}

// DecodeComparisons reads what [Comparisons.Encode] wrote. Anybody may have changed it:
// lost says what is not used, since something in its line is not as it may be.
func DecodeComparisons(b []byte) (c Comparisons, lost Lost) {
	lines := bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	var head keptHead
	switch err := json.Unmarshal(lines[0], &head); {
	case err != nil:
		lost.Baseline = true
	case head.Format != keptFormat:
		return c, Lost{true, len(lines) - 1}
	case head.Baseline != nil:
		if of, err := head.Baseline.setting(); err == nil {
			c.Baseline, c.Pinned, c.Of = &of, head.Pinned, head.Of
		} else {
			lost.Baseline = true
		}
	}
	names := map[string]bool{}
	for _, line := range lines[1:] {
		var kept keptSnapshot
		if json.Unmarshal(line, &kept) != nil {
			lost.Snapshots++
			continue
		}
		sn, err := kept.snapshot()
		if err != nil || names[sn.Name] || len(c.Snapshots) == mostSnapshots {
			lost.Snapshots++
			continue
		}
		names[sn.Name] = true
		c.Snapshots = append(c.Snapshots, sn)
	}
	return c, lost
}

func keepSetting(s Setting) keptSetting {
	return keptSetting{Name: s.Name, Params: s.Params.All()}
}

// setting checks the values. One that is not known any more is left out, one that is missing
// is that of the preset webrag.
func (k *keptSetting) setting() (Setting, error) {
	p, _ := param.Preset(param.PresetWebRAG)
	for _, spec := range param.Specs() {
		if value, ok := k.Params[spec.Field]; ok {
			if err := p.Set(spec.Field, value); err != nil {
				return Setting{}, err
			}
		}
	}
	if strings.TrimSpace(k.Name) == "" || utf8.RuneCountInString(k.Name) > mostName {
		return Setting{}, errors.New("parameters have no name, or a long one")
	}
	return Setting{k.Name, p}, p.Validate()
}

func keepSnapshot(sn *Snapshot) keptSnapshot {
	k := keptSnapshot{Name: sn.Name, Query: brief(sn.Query, mostQuery), Setting: keepSetting(sn.Setting), Mode: sn.Result.Mode, Places: sn.Places}
	for i := range sn.Result.Items {
		it := &sn.Result.Items[i]
		k.Scale = it.Scale
		passage := 0
		if it.ParentID != "" {
			passage = it.ChunkIndex + 1
		}
		one := keptItem{
			Rank: it.Rank, ID: it.ChunkID, Parent: it.ParentID, Level: it.Level, URL: it.SourceURL, Title: it.Title,
			Heading: it.SectionHeading, Path: it.HeadingPath, Score: it.Score, Passage: passage,
		}
		if it.Parts > 1 {
			one.Part, one.Parts, one.Words = it.Part, it.Parts, it.ChunkText
		}
		k.Items = append(k.Items, one)
	}
	return k
}

// snapshot checks what is kept of one.
func (k *keptSnapshot) snapshot() (*Snapshot, error) {
	of, err := k.Setting.setting()
	name, query := offset.Trimmed(k.Name), offset.Trimmed(k.Query)
	switch {
	case err != nil:
		return nil, err
	case name == "" || utf8.RuneCountInString(name) > snapshotName+len(" 99") || query == "" || utf8.RuneCountInString(query) > mostQuery:
		return nil, errors.New("a snapshot has no name or no query, or a long one")
	case k.Mode != param.ModeChunk && k.Mode != param.ModeFullContext:
		return nil, fmt.Errorf("%q is no mode of a result", k.Mode)
	case len(k.Items) > mostPlaces || k.Places < len(k.Items):
		return nil, errors.New("a ranking has more places than it can have")
	}
	sn := &Snapshot{Name: name, Query: query, Setting: of, Places: k.Places, Result: retrieval.Result{Mode: k.Mode}}
	ids, ranks := map[string]bool{}, map[int]bool{}
	for i := range k.Items {
		it := &k.Items[i]
		switch {
		case it.ID == "" || ids[it.ID]:
			return nil, errors.New("a section has no id, or that of another")
		case it.Rank < 1 || it.Rank > k.Places || ranks[it.Rank]:
			return nil, errors.New("a section has no rank, or that of another")
		case it.Level != store.Parent && it.Level != store.Child && it.Level != "":
			return nil, fmt.Errorf("%q is neither a section nor a passage", it.Level)
		case it.Passage < 0:
			return nil, errors.New("a passage has a number below 1")
		case it.Part < 0 || it.Part > it.Parts || it.Part == 0 && it.Parts > 0:
			return nil, errors.New("a section is no part of those that it was cut into")
		case math.IsNaN(it.Score) || math.IsInf(it.Score, 0):
			return nil, errors.New("a score is no number")
		}
		ids[it.ID], ranks[it.Rank] = true, true
		sn.Result.Items = append(sn.Result.Items, retrieval.Item{
			Rank: it.Rank, ChunkID: it.ID, ParentID: it.Parent, Level: it.Level, SourceURL: it.URL, Title: brief(it.Title, mostName),
			SectionHeading: brief(it.Heading, mostName), HeadingPath: briefPath(it.Path), Score: it.Score, Scale: k.Scale,
			Part: it.Part, Parts: it.Parts, ChunkText: Opening(it.Words),
		})
		if it.Parent != "" {
			sn.Result.Items[i].ChunkIndex = it.Passage - 1
		}
	}
	return sn, nil
}
