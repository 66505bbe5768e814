package recording_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/surface"
)

// stage runs a model as the runtime does, with a clock of its own: commands run
// in their order, and time passes only when none is left.
type stage struct {
	t     testing.TB
	m     *ui.Model
	ready []tea.Cmd
	later []timer
	now   time.Duration
	steps int
}

type timer struct {
	due time.Duration
	msg tea.Msg
}

func open(t testing.TB, o ui.Options, w, h int) *stage {
	t.Helper()
	s := &stage{t: t}
	dark := true
	o.Dark, o.HTMLToMarkdown, o.Version = &dark, surface.Markdown, "test"
	o.Now = func() time.Time { return noon.Add(s.now) }
	o.After = func(wait time.Duration, msg tea.Msg) tea.Cmd {
		return func() tea.Msg { return timer{wait, msg} }
	}
	s.m = ui.New(o)
	_ = s.m.View()
	s.ready = append(s.ready, s.m.Init())
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	s.pass(time.Second)
	return s
}

func (s *stage) send(msg tea.Msg) {
	s.t.Helper()
	if s.steps++; s.steps > 200_000 {
		s.t.Fatal("the program never becomes idle")
	}
	switch msg := msg.(type) {
	case nil:
		return
	case timer:
		s.later = append(s.later, timer{s.now + msg.due, msg.msg})
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			s.ready = append(s.ready, v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	_, cmd := s.m.Update(msg)
	_ = s.m.View()
	s.ready = append(s.ready, cmd)
}

// pass lets time pass.
func (s *stage) pass(span time.Duration) {
	s.t.Helper()
	end := s.now + span
	for {
		if len(s.ready) > 0 {
			cmd := s.ready[0]
			s.ready = s.ready[1:]
			if cmd != nil {
				s.send(cmd())
			}
			continue
		}
		next := -1
		for i, l := range s.later {
			if l.due <= end && (next < 0 || l.due < s.later[next].due) {
				next = i
			}
		}
		if next < 0 {
			s.now = end
			return
		}
		l := s.later[next]
		s.later = append(s.later[:next:next], s.later[next+1:]...)
		s.now = max(s.now, l.due)
		s.send(l.msg)
	}
}

// press presses keys, divided by blanks; what stands in quotation marks is typed.
func (s *stage) press(keys string) {
	s.t.Helper()
	for i, part := range strings.Split(keys, "'") {
		if i%2 == 1 {
			for _, r := range part {
				s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			s.pass(time.Second)
			continue
		}
		for _, k := range strings.Fields(part) {
			msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
			codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "tab": tea.KeyTab}
			if code, ok := codes[k]; ok {
				msg = tea.KeyPressMsg{Code: code}
			}
			s.send(msg)
			s.pass(time.Second)
		}
	}
}

func (s *stage) screen() string {
	lines := strings.Split(ansi.Strip(s.m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// below is the screen without its header, which says of a replay that it is one.
func (s *stage) below() string {
	_, rest, _ := strings.Cut(s.screen(), "\n")
	return rest
}

func (s *stage) mustShow(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(s.screen(), w) {
			s.t.Fatalf("the screen lacks %q:\n%s", w, s.screen())
		}
	}
}

var noon = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// guide opens the bundled guide in a store of its own.
func guide(t testing.TB) *session.Corpus { return guideWith(t, nil) }

// guideWith opens it with other parts.
func guideWith(t testing.TB, change func(*retrieval.Deps)) *session.Corpus {
	t.Helper()
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	return corpus(t, pages, change)
}

// corpus opens pages in a store of their own; change exchanges what asks it.
func corpus(t testing.TB, pages fs.FS, change func(*retrieval.Deps)) *session.Corpus {
	t.Helper()
	ctx, emb := context.Background(), embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "guide.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	set, err := source.ScanFS(ctx, pages, "guide", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok}); err != nil {
		t.Fatal(err)
	}
	deps := retrieval.Deps{Store: st, Embedder: emb, Now: func() time.Time { return noon }}
	if change != nil {
		change(&deps)
	}
	c := session.NewCorpus(deps)
	c.Name, c.Live = "guide", false
	return c
}

// searched are parameters by which the guide is searched, and not sent whole.
func searched(t testing.TB) param.Params {
	t.Helper()
	p, ok := param.Preset("webrag")
	if !ok {
		t.Fatal("no preset webrag")
	}
	p.FullContextThreshold = 4000
	return p
}
