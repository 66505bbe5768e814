package compare

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
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
			if _, err := os.Stat(path + ".broken"); err != nil {
				t.Error("what was there is gone")
			}
			if do(v.Save()); v.Flush() != nil {
				t.Error("nothing can be written any more")
			}
			if r := recall(path); r.said() != "" || len(r.kept.Snapshots) != 0 {
				t.Errorf("then %s", r.said())
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
	if r := recall(pathOf(folder, "here")); r.err != nil || r.kept.Baseline == nil || !r.kept.Pinned {
		t.Errorf("kept %+v, %v", r.kept, r.err)
	}
	s.Of.Pin()
	v.Save()
	v.Leave()
	if r := recall(pathOf(folder, "here")); r.err != nil || r.kept.Baseline != nil {
		t.Errorf("left with %+v, %v", r.kept, r.err)
	}
}

// What could not be read is kept beside what could not be read before, up to a bound, and
// what of it is lost is said by its name.
func TestEachBrokenFileIsKept(t *testing.T) {
	folder := t.TempDir()
	path := pathOf(folder, "here")
	p, _ := param.Preset("webrag")
	c := session.Comparisons{Baseline: &session.Setting{Name: "mine", Params: p}, Pinned: true}
	whole := c.Encode()
	for n := range mostBroken + 1 {
		name, content := path+".broken", bytes.Replace(whole, []byte(`"top_k":"`), []byte(`"top_k":"-9`), 1)
		if n == 1 || n == 2 {
			name = fmt.Sprintf("%s-%d", name, n+1)
			content = append(slices.Clone(content), fmt.Sprint("torn ", n, "\n")...)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r := recall(path)
		want := "what it is compared with of this corpus could not be read: the file is kept as " + filepath.Base(name)
		if n == 1 || n == 2 {
			want = strings.Replace(want, "of this", "and 1 snapshot of this", 1)
		}
		if got := r.said(); n < 3 && got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		if kept, err := os.ReadFile(r.aside); err != nil || !bytes.Equal(kept, content) {
			t.Errorf("the file at %s is not kept: %v", filepath.Base(r.aside), err)
		}
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != mostBroken {
		t.Errorf("there are %q, %v", left, err)
	}
}

// Of two programs on one corpus neither loses what the other one keeps, or brings back what
// it has dropped.
func TestTwoProgramsKeepComparisonsOfOneCorpus(t *testing.T) {
	folder := t.TempDir()
	named := func(v *View, names ...string) []*session.Snapshot {
		var list []*session.Snapshot
		for _, name := range names {
			list = append(list, &session.Snapshot{Name: name, Query: "depth", Setting: v.Session().Start(), Result: retrieval.Result{Mode: param.ModeChunk}})
		}
		return list
	}
	one, first := keeping(t, folder)
	first.Of.RecallComparisons(session.Comparisons{Snapshots: named(one, "old", "both")})
	do(one.Recall(true))
	other, second := keeping(t, folder)
	do(other.Recall(true))

	first.Of.RecallComparisons(session.Comparisons{Snapshots: named(one, "of the first")})
	do(one.Save())
	second.Of.Drop(second.Of.Snapshot("old"))
	second.Of.RecallComparisons(session.Comparisons{Snapshots: named(other, "of the second")})
	second.Of.Pin()
	do(other.Save())
	do(one.Save())

	r := recall(pathOf(folder, "here"))
	var names []string
	for _, sn := range r.kept.Snapshots {
		names = append(names, sn.Name)
	}
	slices.Sort(names)
	if want := []string{"both", "of the first", "of the second"}; !slices.Equal(names, want) || !r.kept.Pinned {
		t.Errorf("kept are %q, pinned %v, want %q", names, r.kept.Pinned, want)
	}
}

// A session that begins anew chooses another preset, and loses no pin of an earlier one.
func TestAPinOutlivesAnotherPreset(t *testing.T) {
	folder := t.TempDir()
	v, s := keeping(t, folder)
	do(v.Recall(true))
	s.Of.Pin()
	do(v.Save())
	anew, s := keeping(t, folder)
	do(anew.Recall(false))
	s.Of.Saved("mine")
	do(anew.Save())
	if r := recall(pathOf(folder, "here")); !r.kept.Pinned || r.kept.Baseline.Name != "earlier webrag" {
		t.Errorf("kept is %+v", r.kept.Baseline)
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
