package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Doctor finds what somebody changed in a corpus with a program that knows SQLite,
// names the page, and looks at all else too.
func TestDoctorFindsWhatWasCrafted(t *testing.T) {
	notBeside(t)
	t.Parallel()
	_, content := damageCorpus(t)
	const of = ` AND document_id = (SELECT id FROM documents WHERE source_url = 'file:pages/btree.html')`
	for name, query := range map[string]string{
		"a text": `UPDATE chunk_texts SET chunk_text = replace(chunk_text, 'page', 'pane') WHERE seq IN (SELECT seq FROM chunks WHERE chunk_level = 'child'` + of + `)`,
		"a parent": `UPDATE chunks SET parent_id = (SELECT id FROM chunks WHERE chunk_level = 'parent' AND chunk_index = 1` + of + `)
			WHERE chunk_level = 'child' AND parent_id = (SELECT id FROM chunks WHERE chunk_level = 'parent' AND chunk_index = 0` + of + `)`,
		"a parent elsewhere": `UPDATE chunks SET parent_id = (SELECT id FROM chunks WHERE chunk_level = 'parent' AND source_url = 'file:pages/tides.html')
			WHERE chunk_level = 'child'` + of,
		"offsets": `UPDATE chunks SET char_start = char_start + 5, char_end = char_end + 5 WHERE chunk_level = 'child'` + of,
		"an end":  `UPDATE chunks SET char_end = char_start - 1 WHERE chunk_level = 'child'` + of,
		"order":   `UPDATE chunks SET chunk_index = 9 - chunk_index WHERE chunk_level = 'parent'` + of,
		"a title": `UPDATE documents SET title = 'Another' WHERE source_url = 'file:pages/btree.html'`,
		"heading": `UPDATE chunks SET section_heading = 'Another' WHERE chunk_level = 'parent'` + of,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "corpus.db")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			a := damageAsk(t, path, []string{"doctor"})
			named := slices.ContainsFunc([]string{"file:pages/btree.html", "without a section", "ends before it begins"}, func(w string) bool { return strings.Contains(a.stdout, w) })
			if a.code != exitNothing || !named {
				t.Errorf("exit %d: %s%s", a.code, a.stdout, a.stderr)
			}
			for _, check := range []string{"pages", "checksums", "file", "rows", "keyword index", "vectors"} {
				if !strings.Contains(a.stdout, " "+check+" ") {
					t.Errorf("%s is not looked at: %s", check, a.stdout)
				}
			}
		})
	}
}
