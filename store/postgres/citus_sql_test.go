package postgres

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tables are the definitions of the schema by name.
func tables() map[string]string {
	all := map[string]string{}
	for _, statement := range strings.Split(withoutComments(firstSchema), ";\n") {
		if m := regexp.MustCompile(`(?s)^\s*CREATE TABLE (\w+) \((.*)`).FindStringSubmatch(statement); m != nil {
			all[m[1]] = m[2]
		}
	}
	return all
}

// A cluster checks keys in each part of a table by itself: so each holds the
// document, by which rows are spread. References stay among rows of one document.
func TestKeysHoldTheDocument(t *testing.T) {
	t.Parallel()
	copied := []string{"corpus_meta", "term_stats"}
	all := tables()
	if len(all) != len(ownTables()) {
		t.Fatalf("the schema has %d tables, %d are known", len(all), len(ownTables()))
	}
	reference := regexp.MustCompile(`(?:FOREIGN KEY \(([^)]*)\)|(\w+)\s+uuid NOT NULL) REFERENCES (\w+) \(([^)]*)\)`)
	for name, definition := range all {
		if slices.Contains(copied, name) {
			if strings.Contains(definition, "REFERENCES") {
				t.Errorf("%s, which is copied to each server, refers to a table that is not", name)
			}
			continue
		}
		first := "document_id"
		if name == "documents" {
			first = "id"
		}
		key := regexp.MustCompile(`PRIMARY KEY \((\w+)`).FindStringSubmatch(definition)
		if byColumn := strings.Contains(definition, "id                   uuid PRIMARY KEY"); !byColumn && (key == nil || key[1] != first) {
			t.Errorf("the primary key of %s does not begin with %s", name, first)
		}
		if strings.Contains(definition, "UNIQUE") {
			t.Errorf("%s has a unique index beside its key", name)
		}
		references := reference.FindAllStringSubmatch(definition, -1)
		if len(references) != strings.Count(definition, "REFERENCES") {
			t.Errorf("%s refers to something in a way that this test does not read", name)
		}
		for _, m := range references {
			from, to := m[1]+m[2], m[4]
			if !strings.HasPrefix(from, "document_id") || m[3] == "documents" && to != "id" || m[3] != "documents" && !strings.HasPrefix(to, "document_id") || slices.Contains(copied, m[3]) {
				t.Errorf("%s refers with (%s) to %s (%s)", name, from, m[3], to)
			}
		}
	}
}

// What is written over comes from the row that was refused: a cluster refuses
// functions there that may give something else each time.
func TestWritingCallsNothingThatChanges(t *testing.T) {
	t.Parallel()
	changing := regexp.MustCompile(`(?i)\b(now|random|clock_timestamp|statement_timestamp|gen_random_uuid|nextval)\s*\(|\bcurrent_(timestamp|date|time)\b`)
	a, files := newAuditor(t, ".", nil)
	upserts := 0
	for _, file := range files {
		a.read(file)
	}
	for _, x := range a.texts {
		if strings.Contains(x.sql, "DO UPDATE SET") {
			upserts++
		}
		if m := changing.FindString(x.sql); m != "" {
			t.Errorf("%s: %s in %s", x.function, m, x.sql)
		}
	}
	if upserts < 4 {
		t.Errorf("%d statements write over rows: this test reads too little", upserts)
	}
	if m := changing.FindString(firstSchema); m != "" {
		t.Errorf("the schema has %s", m)
	}
}

// Changes of a table that each server has a copy of name no table of which each
// has a part: what is counted comes as parameters.
func TestCopiedTablesAreChangedByParameters(t *testing.T) {
	t.Parallel()
	a, files := newAuditor(t, ".", nil)
	for _, file := range files {
		a.read(file)
	}
	changes := 0
	for _, x := range a.texts {
		if x.function != "write" || !regexp.MustCompile(`INSERT INTO|UPDATE|DELETE FROM`).MatchString(x.sql) || !strings.Contains(x.sql, "term_stats") && !strings.Contains(x.sql, "df") {
			continue
		}
		changes++
		for _, spread := range []string{"chunk_terms", "documents", "chunks"} {
			if strings.Contains(x.sql, spread) {
				t.Errorf("%s is read by %s", spread, x.sql)
			}
		}
	}
	if changes != 2 {
		t.Errorf("%d changes of term_stats, want 2", changes)
	}
}
