package synthetic_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/synthetic"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// library indexes pages, and shows them.
func library(t testing.TB, pages map[string]string) (store.Store, store.View) {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range pages {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := source.ScanFS(t.Context(), files, "", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, _, err := judged.Index(t.Context(), filepath.Join(t.TempDir(), "corpus.db"), set)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	view, err := st.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { view.Close() })
	return st, view
}

// manual has four pages, each with a heading that all have, and links.
func manual() map[string]string {
	pages := map[string]string{
		"trees.md": "---\ntitle: Decision trees\n---\n\n# Growing trees from data\n\nA tree asks one thing after another. See [rotating the keys](keys.md#rotation), " +
			"[here](keys.md), [to itself again](trees.md), [of the web](https://example.org/elsewhere) and [https://example.org/keys of it](keys.md).\n\n## Common options\n\nNone.\n\n" +
			"## How deep a tree may grow\n\nAs deep as it must.\n",
		"keys.md": "---\ntitle: The keys\n---\n\n# The keys\n\nKeys open doors.\n\n## Key rotation\n\nThey are changed each month.\n\n## Common options\n\nNone.\n\n## Notes\n\nNone.\n",
		"doors.md": "---\ntitle: Doors and windows\n---\n\n# Doors\n\nA door has [new keys each month](keys.md#key-rotation), and [decision  trees](trees.md).\n\n## Common options\n\nNone.\n\n" +
			"## " + strings.Repeat("very long ", 30) + "\n\nText.\n",
		"roofs.md": "---\ntitle: Roofs\n---\n\n# Roofs\n\nSlates and tiles.\n\n## Common options\n\nNone.\n\n## Key rotations\n\nNo keys here.\n",
	}
	return pages
}

func TestQuestionsOfPages(t *testing.T) {
	t.Parallel()
	_, view := library(t, manual())
	made, report, err := synthetic.FromPages(t.Context(), view, synthetic.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range made {
		line := fmt.Sprintf("%s %q verbatim %v shared %v:", q.Kind, q.Text, q.Verbatim, q.Shared)
		slices.SortFunc(q.Targets, func(a, b synthetic.Target) int { return strings.Compare(a.Page, b.Page) })
		for _, to := range q.Targets {
			line += fmt.Sprintf(" %s %.20q", to.Page, to.Quote)
		}
		got = append(got, line)
	}
	slices.Sort(got)
	// "Common options" stands on four pages, and "Notes", "here" and "Doors" say too
	// little. "The keys" and "Decision trees" are titles first.
	want := []string{
		`heading "Growing trees from data" verbatim true shared true: file:trees.md "# Growing trees from"`,
		`heading "How deep a tree may grow" verbatim true shared true: file:trees.md "## How deep a tree m"`,
		`heading "Key rotation" verbatim true shared true: file:keys.md "## Key rotation\n\nThe" file:roofs.md "## Key rotations\n\nNo"`,
		`link "new keys each month" verbatim false shared true: file:keys.md "## Key rotation\n\nThe"`,
		`link "rotating the keys" verbatim false shared true: file:keys.md "# The keys\n\nKeys ope"`,
		`title "Decision trees" verbatim false shared true: file:trees.md "# Growing trees from"`,
		`title "Doors and windows" verbatim false shared false: file:doors.md "# Doors\n\nA door has "`,
		`title "Roofs" verbatim false shared true: file:roofs.md "# Roofs\n\nSlates and "`,
		`title "The keys" verbatim false shared true: file:keys.md "# The keys\n\nKeys ope"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	kinds := []synthetic.KindCount{{"title", 4, 4, 0}, {"heading", 3, 3, 3}, {"link", 2, 2, 0}}
	if report.Pages != 4 || report.Of != 4 || report.Common != 1 || report.Long != 1 || report.Verbatim != 3 || report.Shared != 8 || !slices.Equal(report.Kinds, kinds) {
		t.Errorf("%+v", report)
	}
	save(t, view, made)
}

// save keeps questions as a set, and holds that they are marked, that what they were made
// from is found again, and that each is answered by it.
func save(t *testing.T, view store.View, made []synthetic.Question) {
	t.Helper()
	folder := t.TempDir()
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	if _, err := synthetic.Save(t.Context(), folder, "made", judgment.About{Notes: "mine"}, made, at); err != nil {
		t.Fatal(err)
	}
	set, problems, err := judgment.Open(folder, "made")
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	if set.Origin != judgment.Synthetic || !strings.HasPrefix(set.Notes, "mine\nMade from the corpus (") || len(set.Queries) != len(made) {
		t.Errorf("%+v with %d queries", set.About, len(set.Queries))
	}
	anchors, err := set.Anchor(t.Context(), judgment.InView(view))
	if err != nil || anchors.Summary.Exact != len(set.Records) || len(set.Records) < 2*len(made) {
		t.Errorf("%d judgments, %+v, %v", len(set.Records), anchors.Summary, err)
	}
	prepared := anchors.Prepare(nil)
	for i, q := range set.Queries {
		if q.Text != made[i].Text || !slices.Equal(q.Tags, []string{"synthetic", string(made[i].Kind)}) {
			t.Errorf("%+v is not %+v", q, made[i])
		}
		for _, level := range []judgment.Level{judgment.Passages, judgment.WholePages} {
			if grades := prepared[q.ID].Grades(level); len(grades) != len(made[i].Targets) || grades[0] != 3 {
				t.Errorf("%s has the grades %v", q.ID, grades)
			}
		}
	}
}

func TestTheSeedChooses(t *testing.T) {
	t.Parallel()
	_, view := library(t, manual())
	texts := func(o synthetic.Options) []string {
		t.Helper()
		made, _, err := synthetic.FromPages(t.Context(), view, o)
		if err != nil {
			t.Fatal(err)
		}
		list := make([]string, len(made))
		for i := range made {
			list[i] = made[i].Text
		}
		return list
	}
	all := texts(synthetic.Options{Seed: 1})
	for n := 1; n <= len(all); n++ {
		if got := texts(synthetic.Options{Seed: 1, Count: n}); !slices.Equal(got, all[:n]) {
			t.Errorf("%d of %q are %q", n, all, got)
		}
	}
	orders := map[string]bool{}
	for seed := range uint32(8) {
		orders[strings.Join(texts(synthetic.Options{Seed: seed, Count: 3}), "|")] = true
	}
	if len(orders) < 3 {
		t.Errorf("eight seeds choose alike: %v", orders)
	}
	if got := texts(synthetic.Options{Kinds: []synthetic.Kind{synthetic.Link}}); !slices.Contains(got, "rotating the keys") || len(got) != 3 {
		t.Errorf("links alone make %q", got)
	}
}

func TestWhatIsNotMadeOfPages(t *testing.T) {
	t.Parallel()
	_, view := library(t, manual())
	if _, _, err := synthetic.FromPages(t.Context(), view, synthetic.Options{Kinds: []synthetic.Kind{"model"}}); err == nil || !strings.Contains(err.Error(), `"title" "heading" "link"`) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := synthetic.FromPages(ctx, view, synthetic.Options{}); err == nil {
		t.Error("it does not end with its context")
	}
	_, empty := library(t, nil)
	made, report, err := synthetic.FromPages(t.Context(), empty, synthetic.Options{})
	if err != nil || len(made) != 0 || report.Pages != 0 {
		t.Errorf("of nothing: %v, %+v, %v", made, report, err)
	}
}
