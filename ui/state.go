package ui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/welcome"
)

// mostState is the most bytes of a file of the state that are read: some hundred
// corpora with their sessions, watch lists and queries have a tenth.
const mostState = 16 << 20

// screenState is what the explorer keeps between runs. What is missing or cannot
// be read counts as never kept.
type screenState struct {
	Split int  `json:"split"`
	Flat  bool `json:"flat"`
	// Score is nil as long as the width decides whether the score is shown.
	Score *bool `json:"score,omitempty"`
	// Watch are the watch lists, by the place of their corpus, or its name where it
	// has none.
	Watch map[string][]session.WatchedQuery `json:"watch,omitempty"`
	// Sets are the query sets that were open, by the place of their corpus.
	Sets map[string]string `json:"sets,omitempty"`
	// Sessions are what was last on the screen, by the place of the corpus.
	Sessions map[string]sessionState `json:"sessions,omitempty"`
	// Corpora are those that were opened, latest first; History are queries,
	// latest last.
	Corpora []welcome.Corpus `json:"corpora,omitempty"`
	History []string         `json:"history,omitempty"`
}

func (m *Model) state() screenState {
	m.keepSession()
	s := screenState{
		Split: m.split, Flat: m.results.IsFlat(), Watch: m.session.WatchLists(), Sets: m.judge.KeptSets(),
		Sessions: maps.Clone(m.sessions), Corpora: slices.Clone(m.recent), History: m.session.History(),
	}
	if m.scoreChosen {
		shown := m.showScore // the state is written while the program goes on
		s.Score = &shown
	}
	return s
}

// keepNow writes the state while the program goes on, for what somebody would
// miss after a crash.
func (m *Model) keepNow() tea.Cmd {
	path, s := m.opts.StatePath, m.state()
	if path == "" {
		return nil
	}
	return func() tea.Msg { return stateKept{saveState(path, s)} }
}

// stateKept ends a writing of the state.
type stateKept struct{ err error }

func (m *Model) restore(s screenState) {
	m.split = max(-view.MostSplit, min(view.MostSplit, s.Split))
	m.results.SetFlat(s.Flat)
	m.session.KeepWatchLists(s.Watch)
	m.judge.KeepSets(s.Sets)
	m.sessions, m.recent = s.Sessions, s.Corpora
	m.session.Recall(s.History)
	if last, ok := s.Sessions[m.opts.Place]; ok && m.opts.Resume {
		m.resume(last)
	}
	if s.Score != nil {
		m.scoreChosen, m.showScore = true, *s.Score
	}
}

// LastPlace is the place of the corpus that was last open and is there, by the
// file that keeps the state between runs; empty when none is known.
func LastPlace(path string, isThere func(place string) bool) string {
	for _, c := range loadState(path).Corpora {
		if isThere(c.Place) {
			return c.Place
		}
	}
	return ""
}

// LastStart is the preset or profile that the last session of a corpus ended with,
// by the file that keeps the state between runs; empty when none is known.
func LastStart(path, place string) string { return loadState(path).Sessions[place].Start }

// WatchedAt is the watch list of a corpus, by the file that keeps the state between runs.
func WatchedAt(path, place string) []session.WatchedQuery { return loadState(path).Watch[place] }

func loadState(path string) screenState {
	var s screenState
	if path == "" {
		return s
	}
	b, err := file.Read(path, mostState)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return screenState{}
	}
	return s
}

// saveState replaces the file in one step.
func saveState(path string, s screenState) error {
	if path == "" {
		return nil
	}
	b, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save the screen's state: %w", err)
	}
	if err := file.ReplaceAtOnce(path, 0o600, append(b, '\n')); err != nil {
		return fmt.Errorf("save the screen's state: %w", err)
	}
	return nil
}
