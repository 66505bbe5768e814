package exchange

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// dresses are ratings as files of Quepid and OpenSearch have them.
var dresses = []QueryRatings{
	{Query: "red dress", Ratings: []Rating{{"B077", 3}, {"B071", 0}, {"B01I", 0.5}}},
	{Query: "not judged"},
	{Query: `jeans, "blue"`, Ratings: []Rating{{"https://example.org/#b", 2}}},
}

func TestTablesOfRatingsAreRead(t *testing.T) {
	for name, text := range map[string]string{
		"Quepid": "query,docid,rating\nred dress,B077,3\nred dress,B071,0\nred dress,B01I,0.5\nnot judged\n" +
			"\"jeans, \"\"blue\"\"\",https://example.org/#b,2\n",
		"other names": "\uFEFFQuery_Text,Doc-ID,Grade\r\n red dress ,B077,3.000\r\nred  dress,B071,0\r\nred dress,B01I,.5\r\nnot judged,,\r\n" +
			"\"jeans, \"\"blue\"\"\",https://example.org/#b,2",
		"another order": "rating,why,docid,query\n3,it is,B077,red dress\n0,,B071,red dress\n0.5,,B01I,red dress\n,,,not judged\n\n" +
			"2,,https://example.org/#b,\"jeans, \"\"blue\"\"\"\n",
	} {
		got, err := ReadRatingsCSV(strings.NewReader(text), "r.csv")
		if err != nil || !reflect.DeepEqual(got, dresses) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	got, err := ReadRatingsCSV(strings.NewReader("a,b,1\na,c,\n"), "r.csv")
	if err != nil || !reflect.DeepEqual(got, []QueryRatings{{"a", []Rating{{"b", 1}}}}) {
		t.Errorf("without a heading: %+v, %v", got, err)
	}
}

func TestTablesOfRatingsThatAreWrongSayWhere(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"an unknown heading": {"search,page,stars\n", []string{"r.csv: line 1", `"stars"`, "query,docid,rating"}},
		"two columns":        {"a,b,1\na,b\n", []string{"line 2", "2 columns", "not 3"}},
		"semicolons":         {"query;docid;rating\na;b;1\n", []string{"line 1", "1 column ", "commas"}},
		"no number":          {"query,docid,rating\na,b,good\n", []string{"line 2", `"good"`}},
		"infinite":           {"a,b,1\na,c,Inf\n", []string{"line 2", `"Inf"`, "finite"}},
		"twice":              {"query,docid,rating\na,b,1\nc,b,1\na,b,1\n", []string{"line 4", `"a"`, `"b"`, "line 2"}},
		"no query":           {"query,docid,rating\n,b,1\n", []string{"line 2", "query", "empty"}},
		"no document":        {"query,docid,rating\na,,1\n", []string{"line 2", "document id is empty"}},
		"a control":          {"a,b\x1b,1\n", []string{"line 1", "control"}},
		"an open quote":      {"a,b,1\n\"a,b,1\n", []string{"line 2", "quotes"}},
		"a bare quote":       {"a,b,1\n5\" disk,b,1\n", []string{"line 2", "quotes"}},
		"UTF-16":             {"\xff\xfea\x00", []string{"r.csv", "UTF-8"}},
	} {
		_, err := ReadRatingsCSV(strings.NewReader(c.text), "r.csv")
		says(t, name, err, c.want...)
	}
}

func TestJSONOfRatingsIsRead(t *testing.T) {
	const list = `[{"query":"red dress","ratings":[{"docId":"B077","rating":"3.000"},{"rating":"0","docId":"B071"},{"docId":"B01I","rating":0.5}]},
		{"query":"not judged"}, {"query":"jeans, \"blue\"","ratings":[{"docId":"https://example.org/#b","rating":"2"},{"docId":"x","rating":null}]}]`
	for name, text := range map[string]string{
		"Quepid's export": "\uFEFF" + `{"queries":[{"query":" red dress","ratings":{"B077":3,"B071":0,"B01I":"0.5"}},{"query":"not judged","ratings":{}},
			{"query":"jeans,\n\"blue\"","ratings":{"https://example.org/#b":2,"x":null}}]}`,
		"what Quepid imports": `{"file_format":"hash","ratings":[{"query_text":"red dress","doc_id":"B077","rating":3},{"query_text":"red dress","doc_id":"B071","rating":0},
			{"query_text":"red dress","doc_id":"B01I","rating":0.5},{"query_text":"not judged","doc_id":null,"rating":null},
			{"query_text":"jeans, \"blue\"","doc_id":"https://example.org/#b","rating":"2"}]}`,
		"OpenSearch's list":   `{"name":"n","type":"IMPORT_JUDGMENT","judgmentRatings":` + list + `}`,
		"OpenSearch's answer": `{"took":36,"hits":{"total":{"value":1},"hits":[{"_id":"b","_source":{"judgmentRatings":` + list + `}}]}}`,
	} {
		got, err := ReadRatingsJSON(strings.NewReader(text), "r.json")
		if err != nil || !reflect.DeepEqual(got, dresses) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestJSONOfRatingsThatIsWrongSaysWhere(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"no JSON":         {"{\n\"queries\":\n!", []string{"r.json: line 3", "Quepid or OpenSearch"}},
		"another kind":    {"{\"queries\":\n5}", []string{"r.json: line 2", "Quepid or OpenSearch"}},
		"nothing":         {`{"other":1}`, []string{"r.json", "no ratings", "judgmentRatings"}},
		"a text":          {`{"queries":[{"query":"a","ratings":{"b":"good"}}]}`, []string{"query 1", `"a"`, `"b"`, `"good"`}},
		"twice":           {`{"queries":[{"query":"a","ratings":{"b":1,"b":2}}]}`, []string{"query 1", `"b"`, "same list"}},
		"of no documents": {`{"judgmentRatings":[{"query":"a","ratings":"x"}]}`, []string{"query 1", "docId"}},
		"no query":        {`{"queries":[{"ratings":{"b":1}}]}`, []string{"query 1", "empty"}},
		"no document":     {`{"judgmentRatings":[{"query":"a","ratings":[{"rating":"1"}]}]}`, []string{"query 1", "document id is empty"}},
		"a pair":          {`{"ratings":[{"query_text":"a","doc_id":"b","rating":1},{"query_text":"a","doc_id":"c","rating":[]}]}`, []string{"rating 2"}},
		"a pair twice":    {`{"ratings":[{"query_text":"a","doc_id":"b","rating":1},{"query_text":"a","doc_id":"b","rating":1}]}`, []string{"rating 2", "in rating 1"}},
	} {
		_, err := ReadRatingsJSON(strings.NewReader(c.text), "r.json")
		says(t, name, err, c.want...)
	}
}

// forms are the forms in which ratings are written and read.
var forms = map[string]struct {
	write func(io.Writer, []QueryRatings) error
	read  func(io.Reader, string) ([]QueryRatings, error)
}{
	"CSV":        {WriteRatingsCSV, ReadRatingsCSV},
	"Quepid":     {WriteQuepidJSON, ReadRatingsJSON},
	"OpenSearch": {func(w io.Writer, q []QueryRatings) error { return WriteOpenSearchJSON(w, "guide", q) }, ReadRatingsJSON},
}

func TestRatingsAreWrittenAsTheyAreRead(t *testing.T) {
	want := map[string]string{
		"CSV":        "query,docid,rating\nred dress,B077,3\nred dress,B071,0\nred dress,B01I,0.5\nnot judged,,\n\"jeans, \"\"blue\"\"\",https://example.org/#b,2\n",
		"Quepid":     `"query_text": "not judged",` + "\n      " + `"doc_id": null,` + "\n      " + `"rating": null`,
		"OpenSearch": `"docId": "B01I",` + "\n          " + `"rating": "0.5"`,
	}
	for name, form := range forms {
		var out bytes.Buffer
		if err := form.write(&out, dresses); err != nil || !strings.Contains(out.String(), want[name]) {
			t.Errorf("%s: %s, %v", name, out.String(), err)
		}
	}
	texts := rapid.OneOf(rapid.StringMatching(`[!-~]([ -~]{0,9}[!-~])?`), rapid.Just("größte\u2003Tiefe"), rapid.Just(`""`))
	rapid.Check(t, func(t *rapid.T) {
		var queries []QueryRatings
		for _, text := range rapid.SliceOfNDistinct(texts, 1, 5, strings.TrimSpace).Draw(t, "queries") {
			q := QueryRatings{Query: strings.Join(strings.Fields(text), " ")}
			for _, document := range rapid.SliceOfNDistinct(textID(), 0, 5, rapid.ID).Draw(t, "documents") {
				q.Ratings = append(q.Ratings, Rating{document, rapid.Float64().Draw(t, "rating")})
			}
			queries = append(queries, q)
		}
		if checkRatings(queries) != nil {
			t.Skip("two queries differ in their spaces")
		}
		for name, form := range forms {
			var out bytes.Buffer
			if err := form.write(&out, queries); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			text := out.String()
			if again, err := form.read(&out, "r"); err != nil || !reflect.DeepEqual(again, queries) {
				t.Fatalf("%s: %+v became %s and %+v, %v", name, queries, text, again, err)
			}
		}
	})
}

func TestRatingsThatCannotBeReadAreNotWritten(t *testing.T) {
	for name, c := range map[string]struct {
		queries []QueryRatings
		want    string
	}{
		"two lines":        {[]QueryRatings{{Query: "a\nb"}}, "one line"},
		"no query":         {[]QueryRatings{{}}, "empty"},
		"a query twice":    {[]QueryRatings{{Query: "a"}, {Query: "a"}}, "twice"},
		"a document twice": {[]QueryRatings{{"a", []Rating{{"b", 1}, {"b", 2}}}}, "same list"},
		"a control":        {[]QueryRatings{{"a", []Rating{{"\a", 1}}}}, "control"},
	} {
		for form, f := range forms {
			says(t, name+", "+form, f.write(io.Discard, c.queries), c.want)
		}
	}
}

func TestRatingsOfACollection(t *testing.T) {
	c := &Collection{
		Queries: []Query{{"q2", "second"}, {"q1", "first"}},
		Qrels:   map[string]map[string]int{"q2": {"b": 1, "a": 3}, "gone": {"a": 1}},
	}
	want := []QueryRatings{{"second", []Rating{{"a", 3}, {"b", 1}}}, {Query: "first"}}
	if got := c.Ratings(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func fuzzRatings(f *testing.F, name string, read func(io.Reader, string) ([]QueryRatings, error)) {
	f.Fuzz(func(t *testing.T, data []byte) {
		queries, err := read(bytes.NewReader(data), "r")
		if err != nil || len(queries) == 0 {
			return
		}
		var out bytes.Buffer
		if err := forms[name].write(&out, queries); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if again, err := read(&out, "r"); err != nil || !reflect.DeepEqual(again, queries) {
			t.Fatalf("%+v became %+v, %v", queries, again, err)
		}
	})
}

func FuzzReadRatingsCSV(f *testing.F) {
	for _, seed := range []string{"query,docid,rating\na,b,1\nc\n", "a,b,1", "\"a\"\"\",\" b\",-.5\r\n", "rating,docid,query\n1,b, a", "a,b,0x1p-1074\n", "=1,b,1e-320", "id,query,id,rating\na,b,c,1"} {
		f.Add([]byte(seed))
	}
	fuzzRatings(f, "CSV", ReadRatingsCSV)
}

func FuzzReadRatingsJSON(f *testing.F) {
	for _, seed := range []string{
		`{"queries":[{"query":"a","ratings":{"b":1,"c":"2","d":null}}]}`, `{"ratings":[{"query_text":"a","doc_id":5,"rating":-0}]}`,
		`{"judgmentRatings":[{"query":"a","ratings":[{"docId":"b","rating":"3.000"}]}]}`, `{"hits":{"hits":[{"_source":{"judgmentRatings":[{"query":"\u0000a"}]}}]}}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	fuzzRatings(f, "Quepid", ReadRatingsJSON)
}
