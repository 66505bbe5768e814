package edges_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/indexing/edges"
	"github.com/webrag/webrag-tui/store"
)

func TestParseLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want edges.Entry
	}{
		{
			`{"source":"a","target":"b","relation":"depends_on","weight":0.25,"description":" b is\nneeded\u0007 "}`,
			edges.Entry{Source: edges.End{ChunkID: "a"}, Target: edges.End{ChunkID: "b"}, Relation: store.DependsOn, Weight: .25, Description: "b is needed"},
		},
		{
			` {"source":{"url":"https://example.org/x","anchor":"#y"},"target":{"url":"u","heading":"H"},"relation":"references","description":null} `,
			edges.Entry{Source: edges.End{URL: "https://example.org/x", Anchor: "y"}, Target: edges.End{URL: "u", Heading: "H"}, Relation: store.References, Weight: 1},
		},
		{
			`{"source":{"url":"u#a"},"target":{"url":"u","anchor":null},"relation":"part_of"}`,
			edges.Entry{Source: edges.End{URL: "u", Anchor: "a"}, Target: edges.End{URL: "u"}, Relation: store.PartOf, Weight: 1},
		},
	} {
		if got, err := edges.ParseLine([]byte(c.line)); err != nil || got != c.want {
			t.Errorf("%s\n got %+v, %v\nwant %+v", c.line, got, err, c.want)
		}
	}
}

func TestLinesThatAreNoEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, says string }{
		{`[]`, `it is [], not an object; give one object a line`},
		{`nonsense`, `it is nonsense, not an object`},
		{`{"source":"a"`, `it is no JSON`},
		{`{"source":"a","target":"b","relation":"references"} {}`, `it is no JSON`},
		{`{}`, `its source is missing`},
		{`{"source":"a","relation":"references"}`, `its target is missing`},
		{`{"source":"a","target":null,"relation":"references"}`, `its target is missing`},
		{`{"source":"","target":"b","relation":"references"}`, `its source has an empty id`},
		{`{"source":1,"target":"b","relation":"references"}`, `its source is 1; give the id of a chunk, or an object`},
		{`{"source":{"anchor":"x"},"target":"b","relation":"references"}`, `its source has no url`},
		{`{"source":{"url":"u","anchor":"x","heading":"y"},"target":"b","relation":"references"}`, `both an anchor and a heading`},
		{`{"source":{"url":"u","anchr":"x"},"target":"b","relation":"references"}`, `its source is wrong: it has an unknown field "anchr"; did you mean "anchor"?`},
		{`{"source":{"url":7},"target":"b","relation":"references"}`, `its source has the url 7, not a text`},
		{`{"source":"a\u001b","target":"b","relation":"references"}`, `control character`},
		{`{"source":"a","target":"b"}`, `it has no relation`},
		{`{"source":"a","target":"b","relation":null}`, `its relation is null`},
		{`{"source":"a","target":"b","relation":"reference"}`, `"reference" is no relation; did you mean "references"?`},
		{`{"source":"a","target":"b","relation":"xyzzy-and-more"}`, `there are references, elaborates, depends_on`},
		{`{"source":"a","target":"b","relation":"references","wieght":1}`, `unknown field "wieght"; did you mean "weight"?`},
		{`{"source":"a","target":"b","relation":"references","weight":0}`, `its weight is 0, must be above 0 and at most 1`},
		{`{"source":"a","target":"b","relation":"references","weight":1.5}`, `its weight is 1.5`},
		{`{"source":"a","target":"b","relation":"references","weight":-1}`, `its weight is -1`},
		{`{"source":"a","target":"b","relation":"references","weight":1e999}`, `not a number`},
		{`{"source":"a","target":"b","relation":"references","weight":"1"}`, `its weight is "1", not a number`},
		{`{"source":"a","target":"b","relation":"references","weight":null}`, `its weight is null`},
		{`{"source":"a","target":"b","relation":"references","description":["x"]}`, `its description is ["x"], not a text`},
		{`{"source":"a","target":"b","relation":"references","description":"` + strings.Repeat("x", 1001) + `"}`, `longer than 1000 characters`},
		{`{"source":"a","target":"a","relation":"references"}`, `its source is its target`},
		{`{"source":"` + strings.Repeat("x", 2049) + `","target":"a","relation":"references"}`, `more than 2048 bytes`},
		{`{"source":"` + strings.Repeat("x", 70000) + `","target":"a","relation":"references"}`, `longer than 64 KB`},
	} {
		if e, err := edges.ParseLine([]byte(c.line)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.120s\n became %+v, %v\n want %s", c.line, e, err, c.says)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	good := `{"source":"a","target":"b","relation":"references"}`
	in := "\xef\xbb\xbf" + good + "\r\n\n  \n" + "{}\n" + strings.Repeat("x", 3<<20) + "\n" + good
	entries, bad, err := edges.Read(strings.NewReader(in))
	if err != nil || len(entries) != 2 || entries[0].Line != 1 || entries[1].Line != 6 {
		t.Fatalf("%+v, %v", entries, err)
	}
	if len(bad) != 2 || bad[0].Error() != "line 4: its source is missing" || bad[1].Error() != "line 5: it is longer than 64 KB" {
		t.Errorf("%v", bad)
	}
	if entries, bad, err := edges.Read(strings.NewReader("")); len(entries)+len(bad) > 0 || err != nil {
		t.Errorf("nothing became %v, %v, %v", entries, bad, err)
	}
}

// Whatever a line is, it is an edge within its bounds or a sentence that a
// terminal can show.
func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{
		`{"source":"a","target":"b","relation":"references","weight":0.5,"description":"x"}`,
		`{"source":{"url":"u","anchor":"a"},"target":{"url":"u","heading":"h"},"relation":"caused_by"}`,
		`{"source":"a","target":"b","relation":"reference"}`, `{"source":"\u0000"}`, `[1]`, `{"weight":1e400}`, "{\"a\x1b\":1}", `{"source":{"url":{}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := edges.ParseLine(line)
		if err != nil {
			if s := err.Error(); s == "" || len(s) > 3000 {
				t.Fatalf("it says %q", s)
			}
			return
		}
		if e.Source == e.Target || math.IsNaN(e.Weight) || e.Weight <= 0 || e.Weight > 1 {
			t.Fatalf("%+v", e)
		}
		if _, err := store.ParseRelation(string(e.Relation)); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{e.Source.String(), e.Target.String(), e.Description} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
				t.Fatalf("%+v", e)
			}
		}
		for _, end := range []edges.End{e.Source, e.Target} {
			if (end.ChunkID == "") == (end.URL == "") || end.Anchor != "" && end.Heading != "" {
				t.Fatalf("%+v", end)
			}
		}
	})
}
