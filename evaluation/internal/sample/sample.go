// Package sample makes small corpora with judged queries, for tests and measurements.
package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// Sample is a corpus with a query set.
type Sample struct {
	Deps retrieval.Deps
	Set  *judgment.Set
	// Anchors are the judgments of the set on the corpus.
	Anchors *judgment.Anchors
	// Corpus is its version.
	Corpus judgment.Corpus
}

// Experiment is a new one of the set on the corpus.
func (s *Sample) Experiment() *experiment.Experiment {
	return experiment.New(s.Set, s.Anchors, experiment.Options{})
}

// Close closes the corpus.
func (s *Sample) Close() error { return s.Deps.Store.Close() }

// What random pages are like.
const (
	randomPages, randomSections, randomWords = 40, 8, 60
	vocabulary                               = 80
	judgedEach                               = 12
)

// Random is 40 pages of eight sections of random words, and queries of four of these words, each
// with twelve sections judged at random, from those that have most of its words. The
// folder must be empty.
func Random(ctx context.Context, folder string, queries int) (*Sample, error) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("word%02d", rng.IntN(vocabulary))
		}
		return list
	}
	pages, sections := fstest.MapFS{}, []judgment.Record{}
	for page := range randomPages {
		var text strings.Builder
		name := fmt.Sprintf("page%02d.md", page)
		for section := range randomSections {
			quote := strings.Join(words(randomWords), " ")
			fmt.Fprintf(&text, "## Section %d\n\n%s\n\n", section, quote)
			sections = append(sections, judgment.Record{Key: judgment.KeyOf("", "file:random/"+name, quote, 0), Quote: quote})
		}
		pages[name] = &fstest.MapFile{Data: []byte(text.String())}
	}
	asked, records := make([]judgment.Query, queries), []judgment.Record(nil)
	for i := range asked {
		query := words(4)
		asked[i] = judgment.Query{ID: fmt.Sprint("q", i), Text: strings.Join(query, " ")}
		missing := func(r judgment.Record) (n int) {
			for _, word := range query {
				if !strings.Contains(r.Quote, word) {
					n++
				}
			}
			return n
		}
		rng.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
		slices.SortStableFunc(sections, func(a, b judgment.Record) int { return missing(a) - missing(b) })
		for _, r := range sections[:judgedEach] {
			r.QueryID, r.Grade = asked[i].ID, judgment.Grade(rng.IntN(4))
			records = append(records, r)
		}
	}
	return open(ctx, folder, map[string]fs.FS{"random": pages}, asked, records)
}

// Guide is the bundled guide and the pages of the fixtures, with the judged queries of these. The
// folder must be empty.
func Guide(ctx context.Context, folder string) (*Sample, error) {
	guide, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		return nil, err
	}
	pages, err := fs.Sub(testdata.Files, "pages")
	if err != nil {
		return nil, err
	}
	list, err := testdata.Judgments()
	if err != nil {
		return nil, err
	}
	var asked []judgment.Query
	var records []judgment.Record
	for _, j := range list {
		if !strings.Contains(j.Source, "/") {
			continue // it is of neither folder
		}
		if n := len(asked); n == 0 || asked[n-1].ID != j.QueryID {
			asked = append(asked, judgment.Query{ID: j.QueryID, Text: j.Query, Tags: []string{j.Kind}})
		}
		records = append(records, judgment.Record{Key: judgment.KeyOf(j.QueryID, "file:"+j.Source, j.Quote, 0), Quote: j.Quote, Grade: judgment.Grade(j.Grade)})
	}
	return open(ctx, folder, map[string]fs.FS{"guide": guide, "pages": pages}, asked, records)
}

// open indexes pages and judges them.
func open(ctx context.Context, folder string, pages map[string]fs.FS, asked []judgment.Query, records []judgment.Record) (*Sample, error) {
	path := filepath.Join(folder, "sample.db")
	s := &Sample{Deps: retrieval.Deps{Embedder: embedder.NewBuiltin()}}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if s.Deps.Store != nil {
			if err := s.Close(); err != nil {
				return nil, err
			}
		}
		set, err := source.ScanFS(ctx, pages[name], name, source.Options{})
		if err != nil {
			return nil, err
		}
		if s.Deps.Store, _, err = judged.Index(ctx, path, set); err != nil {
			return nil, err
		}
	}
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	for i := range records {
		records[i].Judge, records[i].JudgedAt = "ana", at
	}
	if err := s.judge(ctx, folder, asked, records); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// judge makes the set, and finds it on the pages.
func (s *Sample) judge(ctx context.Context, folder string, asked []judgment.Query, records []judgment.Record) (err error) {
	if s.Set, err = judgment.Create(folder, "set", judgment.About{Origin: judgment.ByHand}); err != nil {
		return err
	}
	if _, err := s.Set.AddQueries(ctx, asked...); err != nil {
		return err
	}
	if s.Set, _, err = judgment.Open(folder, "set"); err != nil {
		return err
	}
	if err := s.Set.Append(ctx, records...); err != nil {
		return err
	}
	view, err := s.Deps.Store.Read(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	return s.anchor(ctx, view)
}

func (s *Sample) anchor(ctx context.Context, view store.View) (err error) {
	if s.Corpus, err = judgment.Identify(ctx, s.Deps.Store.Info().Name, view); err != nil {
		return err
	}
	s.Anchors, err = s.Set.Anchor(ctx, judgment.InView(view))
	return err
}
