package judgment_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// A copy takes over what a newer program brings, without what it brings no more; what somebody
// judged in the copy stays, and a second time nothing is written.
func TestRenew(t *testing.T) {
	t.Parallel()
	for _, mine := range []bool{false, true} {
		older, newer := newSet(t, "q"), newSet(t, "q", "r")
		must(t, older, graded("q", "p", "stays", 3, "authors", 2), graded("q", "p", "was reworded", 20, "authors", 1))
		must(t, newer, graded("q", "p", "stays", 3, "authors", 2), graded("q", "p", "is reworded", 20, "authors", 1), graded("r", "p", "is new", 40, "authors", 3))
		sets := filepath.Join(t.TempDir(), "sets")
		if err := judgment.Copy(os.DirFS(older.Folder), sets, "guide"); err != nil {
			t.Fatal(err)
		}
		want := map[string]judgment.Judge{"stays": "authors", "is reworded": "authors", "is new": "authors"}
		if mine {
			own, _, err := judgment.Open(sets, "guide")
			if err != nil {
				t.Fatal(err)
			}
			must(t, own, graded("q", "p", "my own", 60, "ana", 3))
			want["my own"] = "ana"
		}
		size := 0
		for range 2 {
			if err := judgment.Renew(t.Context(), os.DirFS(newer.Folder), sets, "guide"); err != nil {
				t.Fatal(err)
			}
			got, problems, err := judgment.Open(sets, "guide")
			if err != nil || len(problems) > 0 {
				t.Fatalf("%v, %v", problems, err)
			}
			list := got.Judgments()
			for _, j := range list {
				if want[j.Quote] != j.Opinions[0].Judge {
					t.Errorf("own judgments %v: %q by %v", mine, j.Quote, j.Opinions)
				}
			}
			if len(list) != len(want) || len(got.Queries) != 2 || size > 0 && len(got.Records) != size {
				t.Errorf("own judgments %v: %d judgments, %d queries, %d records", mine, len(list), len(got.Queries), len(got.Records))
			}
			size = len(got.Records)
		}
	}
}

// A set that somebody made under the name of the bundled one stays theirs.
func TestRenewLeavesOtherSets(t *testing.T) {
	t.Parallel()
	mine, brought := newSet(t, "q"), newSet(t, "q", "r")
	must(t, mine, graded("q", "p", "my own", 60, "ana", 3))
	must(t, brought, graded("r", "p", "is new", 40, "authors", 3))
	sets := filepath.Join(t.TempDir(), "sets")
	if err := judgment.Copy(os.DirFS(mine.Folder), sets, "guide"); err != nil {
		t.Fatal(err)
	}
	if err := judgment.Renew(t.Context(), os.DirFS(brought.Folder), sets, "guide"); err != nil {
		t.Fatal(err)
	}
	own, _, err := judgment.Open(sets, "guide")
	if err != nil || len(own.Queries) != 1 || len(own.Records) != 1 {
		t.Errorf("it has %d queries and %d records, %v; want what it had, 1 and 1", len(own.Queries), len(own.Records), err)
	}
}
