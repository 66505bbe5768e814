package rendering

import "testing"

func TestHeadingsOfMarkdown(t *testing.T) {
	text := "# Tïtle #\n\ntext\n```sh\n# no heading\n```\n   ### *Three* `x`\n    # code\n#none\n####### seven\n##\n"
	got := HeadingsIn(text)
	want := []Heading{{Level: 1, Text: "Tïtle", At: 0}, {Level: 3, Text: "Three x", At: 39}, {Level: 2, At: 89}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
