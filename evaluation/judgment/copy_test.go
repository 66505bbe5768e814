package judgment_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

func TestCopy(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	must(t, s, graded("q", "p", "a text", 3, "ana", 2))
	sets := filepath.Join(t.TempDir(), "sets")
	var both sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		both.Go(func() { errs[i] = judgment.Copy(os.DirFS(s.Folder), sets, "mine") })
	}
	both.Wait()
	if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), judgment.ErrSetExists) {
		t.Errorf("of two at once: %v", errs)
	}
	got, problems, err := judgment.Open(sets, "mine")
	if err != nil || len(problems) > 0 || got.Name != "set" || len(got.Queries) != 1 || len(got.Records) != 1 {
		t.Errorf("%+v, %v, %v", got, problems, err)
	}
	must(t, got, graded("q", "p", "a text", 3, "ben", 1))
	if err := judgment.Copy(os.DirFS(s.Folder), sets, "mine"); !errors.Is(err, judgment.ErrSetExists) || len(content(t, got, "judgments.jsonl")) < 100 {
		t.Errorf("again: %v", err)
	}
	if err := judgment.Copy(os.DirFS(t.TempDir()), sets, "nothing"); err == nil || !strings.Contains(err.Error(), "copy query set nothing") {
		t.Errorf("of nothing: %v", err)
	}
	if err := judgment.Copy(os.DirFS(s.Folder), sets, "../mine"); err == nil {
		t.Error("a name that leads elsewhere was taken")
	}
	if entries, err := os.ReadDir(sets); err != nil || len(entries) != 1 {
		t.Errorf("left is %v, %v", entries, err)
	}
}
