package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// keeping is a view that keeps comparisons in a folder.
func keeping(t *testing.T, folder string) (*View, *viewtest.Shell) {
	t.Helper()
	s := viewtest.New(t)
	p, _ := param.Preset("webrag")
	s.Of.StartAnew(session.Setting{Name: "webrag", Params: p})
	return New(s, Needs{Folder: folder, Place: func() string { return "here" }}), s
}

// do runs a command and all that follows from it.
func do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			do(c)
		}
	case view.Arrival:
		do(msg.Apply())
	}
}

// What cannot be read says so, and is kept beside what is written from then on.
func TestAFileThatCannotBeRead(t *testing.T) {
	for name, write := range map[string]func(path string) error{
		"a folder":    func(path string) error { return os.Mkdir(path, 0o700) },
		"other bytes": func(path string) error { return os.WriteFile(path, []byte("\x00\x01"), 0o600) },
		"nothing":     func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"too much":    func(path string) error { return os.WriteFile(path, make([]byte, session.MostComparisons+1), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := pathOf(folder, "here")
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			v, s := keeping(t, folder)
			do(v.Recall(true))
			if len(s.Saids) != 1 || !strings.Contains(s.Saids[0], "could not be read") {
				t.Errorf("said %q", s.Saids)
			}
			if _, err := os.Stat(brokenName(path)); err != nil {
				t.Error("what was there is gone")
			}
			if do(v.Save()); v.Flush() != nil {
				t.Error("nothing can be written any more")
			}
			if kept, lost, err := recall(path); lost != 0 || err != nil || len(kept.Snapshots) != 0 {
				t.Errorf("then %d lost, %v", lost, err)
			}
		})
	}
}

// Whatever comes last, the newest content stays; what was not written is on leaving, and
// nothing before the file was read.
func TestTheNewestIsWritten(t *testing.T) {
	folder := t.TempDir()
	v, s := keeping(t, folder)
	if v.Save() != nil {
		t.Error("it is written before it was read")
	}
	do(v.Recall(true))
	first := v.Save()
	s.Of.Pin()
	second := v.Save()
	do(second)
	do(first)
	if kept, _, err := recall(pathOf(folder, "here")); err != nil || kept.Baseline == nil || !kept.Pinned {
		t.Errorf("kept %+v, %v", kept, err)
	}
	s.Of.Pin()
	v.Save()
	v.Leave()
	if kept, _, err := recall(pathOf(folder, "here")); err != nil || kept.Baseline != nil {
		t.Errorf("left with %+v, %v", kept, err)
	}
}

// Of many corpora the files that were written longest ago go.
func TestOldFilesMakeRoom(t *testing.T) {
	folder := t.TempDir()
	for i := range 5 {
		path := filepath.Join(folder, fmt.Sprint(i))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := tidy(folder, 3); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) != 3 || filepath.Base(left[0]) != "2" {
		t.Errorf("left are %q, %v", left, err)
	}
}
