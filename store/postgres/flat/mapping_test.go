package flat

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseMap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Mapping{
		"":                                    {},
		"text=content,embedding=v,source=url": {Text: Place{Column: "content"}, Embedding: Place{Column: "v"}, Source: Place{Column: "url"}},
		"Text = My Column , source=metadata.source": {
			Text: Place{Column: "My Column"}, Source: Place{Column: "metadata", Path: []string{"source"}},
		},
		`text="a.b",source=payload."x.y".z,metadata="m""=,"`: {
			Text:   Place{Column: "a.b"},
			Source: Place{Column: "payload", Path: []string{"x.y", "z"}}, Metadata: Place{Column: `m"=,`},
		},
		"collection=my.docs,id=k,owner=o,created=c,title=t,heading=h": {
			Collection: "my.docs", ID: Place{Column: "k"}, Owner: Place{Column: "o"}, Created: Place{Column: "c"},
			Title: Place{Column: "t"}, Heading: Place{Column: "h"},
		},
	} {
		got, err := ParseMap(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestWhatIsNoMapping(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"content":              "where NAME=COLUMN is expected",
		"text=":                "a name is missing",
		"text=a,":              "ends with a comma",
		"text=a,text=b":        "names text twice",
		"txt=a":                "what can be named is text, embedding, id, source, title, heading, owner, created, metadata and collection",
		"embedding=a.b":        "it must be a column",
		`text="a`:              "not closed",
		`text=""`:              "a name is empty",
		`text="a"b`:            "where a comma or a dot is expected",
		"text=a=b":             "must then stand in double quotes",
		"source=metadata.,x=y": "a name is missing",
	} {
		if _, err := ParseMap(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// What a mapping is written as is read as the same.
func FuzzParseMap(f *testing.F) {
	for _, seed := range []string{
		"text=content,embedding=v,source=metadata.source", `text="a.b",id="x"".y",collection=" "`, "text==", `"`, "a=b.c.d,", "\x00=\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMap(text)
		if err != nil {
			return
		}
		again, err := ParseMap(m.String())
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%q is %+v, written %q is %+v, %v", text, m, m.String(), again, err)
		}
	})
}
