package exchange

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"testing/fstest"
)

// cranfield is a collection of two documents and two queries in Cranfield's files.
func cranfield(documents, queries, codes string) fstest.MapFS {
	return fstest.MapFS{"cran.all.1400": {Data: []byte(documents)}, "cran.qry": {Data: []byte(queries)}, "cranqrel": {Data: []byte(codes)}}
}

const (
	twoRecords = ".I 1\n.T\nlift of\nwings .\n.A\nsmith\n.B\njournal\n.W\nlift is measured .\nand drag .\n.I 2\n.T\n.A\n.B\n.W\nheat .\n"
	// The second query has number 4, and its judgments are those of query 2.
	twoAsked  = ".I 001\r\n.W\r\nwhat is\r\nlift .\r\n.I 004\r\n.W\r\nwhat is heat .\r\n"
	fourCodes = "1 1 1\r\n1 2 5\n2 1 -1 \n2 2 4\n"
)

func TestCranfieldIsRead(t *testing.T) {
	c, err := ReadCranfield(cranfield(twoRecords, twoAsked, fourCodes), CranfieldBinary())
	if err != nil {
		t.Fatal(err)
	}
	if want := []Document{{"1", "lift of\nwings .", "lift is measured .\nand drag ."}, {"2", "", "heat ."}}; !reflect.DeepEqual(c.Documents, want) {
		t.Errorf("documents: %+v", c.Documents)
	}
	if want := []Query{{"1", "what is\nlift ."}, {"2", "what is heat ."}}; !reflect.DeepEqual(c.Queries, want) {
		t.Errorf("queries: %+v", c.Queries)
	}
	// A code taken for a grade would have 5 and 4 as the best.
	if want := map[string]map[string]int{"1": {"1": 1, "2": 0}, "2": {"1": 0, "2": 1}}; !reflect.DeepEqual(c.Qrels, want) {
		t.Errorf("grades: %v", c.Qrels)
	}
	c, err = ReadCranfield(cranfield(twoRecords, twoAsked, "1 0 1 1\n2 0 2 4\n"), Scale{{1, 1, 4}, {2, 3, 2}, {4, 4, 1}})
	if want := map[string]map[string]int{"1": {"1": 4}, "2": {"2": 1}}; err != nil || !reflect.DeepEqual(c.Qrels, want) {
		t.Errorf("a copy with four columns: %v, %v", c, err)
	}
}

func TestCranfieldThatIsWrongSaysWhere(t *testing.T) {
	for name, c := range map[string]struct {
		fsys fstest.MapFS
		want []string
	}{
		"a missing file": {fstest.MapFS{"cran.all.1400": {Data: []byte(twoRecords)}}, []string{"cran.qry"}},
		"another file":   {cranfield("hello\n", twoAsked, fourCodes), []string{"cran.all.1400: line 1", ".I"}},
		"two columns":    {cranfield(twoRecords, twoAsked, "1 1 1\n1 2\n"), []string{"cranqrel: line 2", "2 columns"}},
		"a pair twice":   {cranfield(twoRecords, twoAsked, "1 1 1\n1 1 2\n"), []string{"cranqrel: line 2", "line 1"}},
		"a code":         {cranfield(twoRecords, twoAsked, "1 1 7\n"), []string{"cranqrel", "7 (1)", "1..4=1"}},
	} {
		_, err := ReadCranfield(c.fsys, CranfieldBinary())
		says(t, name, err, c.want...)
		var off *OffScaleError
		if errors.As(err, &off) != (name == "a code") {
			t.Errorf("%s: %T", name, err)
		}
	}
}

func FuzzReadRecords(f *testing.F) {
	for _, seed := range []string{twoRecords, twoAsked, ".I \n", ".W\n.I 1", ".I 1\n.W\n.Wx\n. W\n", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, held := 0, 0
		err := eachRecord(bytes.NewReader(data), "cran.qry", func(id, title, text string) {
			if id == "" {
				t.Fatal("a record without an id")
			}
			records++
			held += len(title) + len(text)
		})
		if err == nil && (records > bytes.Count(data, []byte(".I ")) || held > len(data)) {
			t.Fatalf("%d records and %d bytes of %d", records, held, len(data))
		}
	})
}
