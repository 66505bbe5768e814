package embedder

import (
	"strconv"
	"strings"
	"testing"
)

func TestShippedWeightsAreSortedAndFound(t *testing.T) {
	if !strings.HasSuffix(shippedWeights, "\n") {
		t.Fatal("the table has no last line end")
	}
	table, prev, n := weightTable(shippedWeights), "", 0
	for line := range strings.Lines(shippedWeights) {
		stem, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		q, err := strconv.Atoi(value)
		if !ok || err != nil || q < 1 || q > 255 || stem <= prev {
			t.Fatalf("line %q after %q", line, prev)
		}
		if got := table.weight(stem); got != int64(q) {
			t.Fatalf("weight(%q) = %d, want %d", stem, got, q)
		}
		prev = stem
		n++
	}
	if n != 12961 {
		t.Errorf("%d stems, want 12961", n)
	}
}

func TestWeightOfUnknownStems(t *testing.T) {
	for _, table := range []weightTable{"", "b 7\n", "b 7\nd 9\n", "b 7\nd 9\nf 200\n"} {
		for _, stem := range []string{"", "a", "bb", "c", "e", "g", "ü"} {
			if got := table.weight(stem); got != 255 {
				t.Errorf("table %q: weight(%q) = %d, want 255", table, stem, got)
			}
		}
	}
}

// These pin the table: another one is another embedder, and every stored
// vector would have to be made again.
func TestBuiltinGoldens(t *testing.T) {
	b := NewBuiltin()
	if got, want := b.Info().ID, "builtin-hash-v1/1024/4ac8e312"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	for _, tt := range []struct{ text, sha string }{
		{"Retrieval", "88c294c20fa2d29af568bfd24ebc5c2c915b62dea970c6bdaee1b6e4fd80b951"},
		{"The retriever retrieves chunks; chunks are retrieved.", "7af9e60c63cac3fe1fea82411c8318314ac8bdef132423bb00d43d2445be2e9c"},
		{"Café ﬁle №5 don't", "efce70754f46df6d2f39c9b30270aa866d30dc0c5e833360ab2f8d27e21dc77e"},
		{"検索エンジン search", "51b95fd194c4584112552cf7ad1c7ad92a43d867ec2bd3fd5917d9130379cd96"},
		{"abc\xffdef", "67576e115fe672cc650e4d94cf8aa1570049f468a006e6f83bf47b8c53e5474a"},
		{"Gradient boosting builds an ensemble of decision trees, one after the other.", "94f61adcb96df469a01bc6e8f7a00ff011baccddddf8da7e11c58574ec6d084e"},
	} {
		if got := vectorHash(t, newHasher(b).embed(tt.text)); got != tt.sha {
			t.Errorf("%q: sha256 %s, want %s", tt.text, got, tt.sha)
		}
	}
}
