package webragtest_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func load(t *testing.T, v webragtest.Vintage) string {
	t.Helper()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, v)
	return dsn
}

func TestVintagesDifferAsTheyShould(t *testing.T) {
	for v, want := range map[webragtest.Vintage]struct {
		links bool
		order string
	}{
		webragtest.Plain:    {false, "has_steps,char_start|title"},
		webragtest.Links:    {true, "has_steps,char_start|title"},
		webragtest.Images:   {true, "has_steps,has_image,image_context_text,image_refs_json,char_start|title"},
		webragtest.Upgraded: {true, "has_steps,char_start|title,has_image,image_context_text,image_refs_json"},
	} {
		t.Run(string(v), func(t *testing.T) {
			dsn := load(t, v)
			columns := pgtest.Value[string](t, dsn, `SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute
				WHERE attrelid = 'chunks'::regclass AND attnum > 0`)
			middle, end, _ := strings.Cut(want.order, "|")
			if !strings.Contains(columns, middle) || !strings.HasSuffix(columns, end) {
				t.Errorf("columns are %s", columns)
			}
			if got := pgtest.Value[bool](t, dsn, "SELECT to_regclass('link_candidates') IS NOT NULL"); got != want.links {
				t.Errorf("link_candidates: %v", got)
			}
			if n := pgtest.Value[int](t, dsn, "SELECT count(*) FROM documents"); n != len(webragtest.Pages()) {
				t.Errorf("%d documents", n)
			}
		})
	}
}

// Each page is there for a way in which offsets or cuts are not what one expects.
func TestPagesHoldTheirTraps(t *testing.T) {
	dsn := load(t, webragtest.Images)
	chunks := map[string][]chunk{}
	for _, page := range webragtest.Pages() {
		chunks[page.Name] = readChunks(t, dsn, page.SourceURL)
		if len(chunks[page.Name]) == 0 {
			t.Fatalf("%s has no chunks", page.Name)
		}
	}
	markdown := map[string]string{}
	for _, page := range webragtest.Pages() {
		markdown[page.Name] = page.Markdown
	}
	span := func(page string, c chunk) string { return string([]rune(markdown[page])[c.Start:c.End]) }
	find := func(page, level, text string) chunk {
		t.Helper()
		for _, c := range chunks[page] {
			if c.Level == level && strings.HasPrefix(c.Text, text) {
				return c
			}
		}
		t.Fatalf("%s has no %s %q", page, level, text)
		return chunk{}
	}

	for _, c := range chunks["guide"] {
		if strings.Contains(c.Text, "before the first section") {
			t.Error("text before the first section is in a chunk")
		}
	}
	parent, after := find("guide", "parent", "## Install"), find("guide", "child", "Then run")
	if lost := parent.End - parent.Start - len([]rune(parent.Text)); lost != 2 || !strings.HasSuffix(span("guide", after), after.Text[:len(after.Text)-lost]) {
		t.Errorf("blank lines: %d lost, the child's span is %q", lost, span("guide", after))
	}
	if c := find("windows", "parent", "## Paths"); !strings.HasSuffix(c.Heading, "\r") || c.End-c.Start-len(c.Text) != 4 {
		t.Errorf("line ends of Windows: %+v", c)
	}
	if c := find("shell", "parent", "## Scripts"); strings.Count(c.Text, "```") != 1 || c.Heading != "## Scripts" {
		t.Errorf("a cut block of code: %+v", c)
	}
	if c := find("shell", "parent", "## now with a limit"); strings.Count(c.Text, "```") != 1 {
		t.Errorf("a comment as a heading: %+v", c)
	}
	if c := find("limits", "parent", "Limit number one"); len(strings.Fields(c.Text)) <= 100 || c.Heading != "## All of them" {
		t.Errorf("a paragraph over the ceiling: %+v", c)
	}
	find("limits", "child", "Limit number two is")
	find("guide", "child", "## Search")
	if c := find("flat", "parent", "We built"); c.Heading != "" || strings.Count(c.Text, "\n\n") != 3 {
		t.Errorf("four children to a parent: %+v", c)
	}
	if c := find("signs", "child", "\U0001D49C"); span("signs", c) != c.Text {
		t.Errorf("offsets are code points: %q", span("signs", c))
	}
	find("signs", "child", "Donaudampf")
	if c := find("signs", "parent", "## Long"); c.Text == span("signs", c) {
		t.Error("doubled spaces survived")
	}
}

type chunk struct {
	Level, Heading, Text string
	Start, End           int
}

func readChunks(t *testing.T, dsn, sourceURL string) []chunk {
	t.Helper()
	conn := pgtest.Connect(t, dsn)
	rows, err := conn.Query(t.Context(), `SELECT chunk_level, coalesce(section_heading, ''), chunk_text, char_start, char_end
		FROM chunks WHERE source_url = $1 ORDER BY char_start, chunk_level DESC`, sourceURL)
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := pgx.CollectRows(rows, pgx.RowToStructByPos[chunk])
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func TestStateSeesWhatIsWritten(t *testing.T) {
	dsn := load(t, webragtest.Upgraded)
	before := webragtest.State(t, dsn)
	pgtest.Exec(t, dsn, "ANALYZE")
	if webragtest.State(t, dsn) != before {
		t.Error("statistics count as writing")
	}
	for _, change := range []string{
		"UPDATE chunks SET depth = depth WHERE chunk_index = 0",
		"CREATE INDEX ON documents (depth)",
		"CREATE TABLE more (id int)",
		"ALTER TABLE chunks SET (fillfactor = 90)",
		"CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
		"DELETE FROM link_candidates WHERE target_url LIKE '%missing'",
	} {
		pgtest.Exec(t, dsn, change)
		after := webragtest.State(t, dsn)
		if after == before {
			t.Errorf("nothing seen of %s", change)
		}
		before = after
	}
}

func TestOneChildHasNoVector(t *testing.T) {
	dsn := load(t, webragtest.Plain)
	got := pgtest.Value[string](t, dsn, "SELECT string_agg(chunk_text, '|') FROM chunks WHERE chunk_level = 'child' AND embedding IS NULL")
	if got != webragtest.NoVector {
		t.Errorf("without a vector: %q", got)
	}
}
