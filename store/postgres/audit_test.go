package postgres

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// SQL holds no value: those are parameters.
func TestSQLHoldsNoValues(t *testing.T) {
	t.Parallel()
	var found []finding
	a := &auditor{used: map[string]bool{}}
	for _, folder := range []string{".", "internal/ann", "internal/catalog", "internal/db", "internal/checkup", "flat"} {
		next, files := newAuditor(t, folder, nil)
		next.used, a = a.used, next
		for _, file := range files {
			a.read(file)
		}
		found = append(found, a.found...)
	}
	for _, f := range found {
		t.Errorf("%v stands in SQL: bind it as a parameter; if it is an identifier, a placeholder or a checked setting, say so in knownFunctions or knownParameters", f)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(a.known)), slices.Collect(maps.Keys(a.parameters))) {
		if !a.used[name] {
			t.Errorf("nothing uses %s any more", name)
		}
	}
}

// spread are the tables whose rows lie where their document does.
var spread = regexp.MustCompile(`\b(FROM|JOIN|UPDATE|,) "?(chunks|chunk_terms|staged_vectors|addresses|links|chunk_edges)\b`)

// documentLess returns the texts that read or join tables of chunks and do not
// say by which document.
func documentLess(texts []text) (out []text) {
	for _, t := range texts {
		asked := strings.ReplaceAll(t.sql, "chunks c JOIN documents d ON d.id = c.document_id", "chunks c")
		for _, at := range spread.FindAllStringIndex(asked, -1) {
			if !strings.Contains(asked[at[1]:], "document_id") {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// unjoined returns the texts that join a spread table with another by anything
// but the document.
func unjoined(texts []text) (out []text) {
	for _, t := range texts {
		for _, join := range strings.Split(t.sql, "JOIN ")[1:] {
			condition, _, _ := strings.Cut(join, " WHERE ")
			if at := spread.FindStringIndex("JOIN " + join); at != nil && at[0] == 0 && !strings.Contains(condition, "document_id") {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// Rows lie where their document does: whoever reads some of them says of which
// document, or asks every server of a cluster.
func TestSQLNamesDocuments(t *testing.T) {
	t.Parallel()
	a, files := newAuditor(t, ".", nil)
	for _, file := range files {
		a.read(file)
	}
	known := everywhere()
	used := map[string]bool{}
	for what, texts := range map[string][]text{"joins rows of different documents": unjoined(a.texts), "reads rows of any document": documentLess(a.texts)} {
		for _, x := range texts {
			if used[x.function] = true; known[x.function] == "" {
				t.Errorf("%s %s: %s", x.function, what, x.sql)
			}
		}
	}
	for name := range known {
		if !used[name] {
			t.Errorf("%s names documents by now", name)
		}
	}
}

// The audit finds what it is there for.
func TestTheAuditFindsMistakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body               string
		values, none, join int
	}{
		"a parameter":         {`tx.Query("SELECT 1 WHERE x = " + p.add(url))`, 0, 0, 0},
		"a value":             {`tx.Query(ctx, "SELECT 1 WHERE x = '" + url + "'")`, 1, 0, 0},
		"a value, formatted":  {`tx.Query(ctx, fmt.Sprintf("SELECT 1 WHERE x = '%s'", url))`, 1, 0, 0},
		"a number, formatted": {`tx.Query(ctx, fmt.Sprintf("SELECT 1 LIMIT %d", n))`, 0, 0, 0},
		"a variable":          {`q := url; tx.Query(ctx, "SELECT 1 WHERE x = " + q)`, 1, 0, 0},
		"an element":          {`q := make([]string, 1); q[0] = url; tx.Query(ctx, "SELECT 1 WHERE " + all(q))`, 1, 0, 0},
		"a joined element":    {`q := make([]string, 1); q[0] = url; tx.Query(ctx, "SELECT 1 WHERE " + strings.Join(q, " AND "))`, 1, 0, 0},
		"a builder":           {`var b strings.Builder; b.WriteString("SELECT 1 WHERE x = "); b.WriteString(url); tx.Query(ctx, b.String())`, 1, 0, 0},
		"an argument":         {`tx.Query(ctx, url)`, 1, 0, 0},
		"a fetch":             {`tx.Query(ctx, "SELECT 1 FROM " + l.table("chunks") + " WHERE id = $1", id)`, 0, 1, 0},
		"a whole fetch":       {`tx.Query(ctx, "SELECT 1 FROM " + l.table("chunks") + " WHERE document_id = $1 AND id = $2", d, id)`, 0, 0, 0},
		"a join":              {`tx.Query(ctx, "SELECT 1 FROM " + l.table("chunks") + " c JOIN " + l.table("chunks") + " p ON p.id = c.parent_id WHERE c.document_id = $1", d)`, 0, 0, 1},
		"a whole join":        {`tx.Query(ctx, "SELECT 1 FROM " + l.table("chunks") + " c JOIN " + l.table("chunks") + " p ON p.document_id = c.document_id AND p.id = c.parent_id", d)`, 0, 0, 0},
	} {
		a, files := newAuditor(t, "", map[string]string{"mistake.go": "package p\nfunc f(url string, n int) {\n" + c.body + "\n}"})
		a.read(files[0])
		if got := []int{len(a.found), len(documentLess(a.texts)), len(unjoined(a.texts))}; !slices.Equal(got, []int{c.values, c.none, c.join}) {
			t.Errorf("%s: %v values, fetches and joins, want %d, %d, %d: %v", name, got, c.values, c.none, c.join, a.found)
		}
	}
}
