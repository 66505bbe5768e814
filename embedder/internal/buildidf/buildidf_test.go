package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlainText(t *testing.T) {
	const page = `<!DOCTYPE html><html><head><title>no</title></head><body><nav>no<nav>no</nav></nav>
<!-- no --><script>no</script><h1>A&amp;B</h1><p>one<b>two</b><br/>three</p></nav><style>no</style></body>`
	text, err := plainText(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(strings.Fields(text), " "), "A&B one two three"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct{ words, passages int }{{0, 0}, {59, 0}, {60, 1}, {200, 1}, {259, 1}, {260, 2}} {
		if got := cut(strings.Repeat("w ", tt.words)); len(got) != tt.passages {
			t.Errorf("%d words: %d passages, want %d", tt.words, len(got), tt.passages)
		}
	}
}

func TestWeight(t *testing.T) {
	// With 100 passages idf(0) = ln(202) = 5.308; idf(10) = ln(1+90.5/10.5) =
	// 2.264; (2.264/5.308)^.75 = .528, times 255 = 134.6.
	for df, want := range map[int]int{0: 255, 10: 135, 100: 1} {
		if got := weight(df, 100); got != want {
			t.Errorf("weight(%d) = %d, want %d", df, got, want)
		}
	}
}

func TestSampleIsAlwaysTheSame(t *testing.T) {
	many := make([]string, maxPerSource+100)
	for i := range many {
		many[i] = strings.Repeat("x", i%97) + string(rune('a'+i%26))
	}
	one, two := sample(slices.Clone(many), "n"), sample(slices.Clone(many), "n")
	if len(one) != maxPerSource || !slices.Equal(one, two) || slices.Equal(one, many[:maxPerSource]) {
		t.Errorf("%d passages, equal: %t", len(one), slices.Equal(one, two))
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		page := "<p>" + strings.Repeat("Retrieving the chunks 検索. ", 20) + strings.Repeat("rare ", i/2) + "</p>"
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".html"), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table, provenance := filepath.Join(dir, "table"), filepath.Join(dir, "provenance")
	if err := run(table, provenance, []string{"Pages|1.0|MIT|" + dir}); err != nil {
		t.Fatal(err)
	}
	// All six passages have these stems: idf(6) = ln(1+.5/6.5) = .0741 and
	// idf(0) = ln(14) = 2.639 give 255 * .0686 = 17.49; "rare" is in too few.
	got, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if want := "chunk 17\nretriev 17\n検索 17\n"; string(got) != want {
		t.Errorf("table %q, want %q", got, want)
	}
	told, err := os.ReadFile(provenance)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| Pages | 1.0 | MIT | 6 | 6 |", "3 of 4 stems kept", "sha256 of the table: "} {
		if !strings.Contains(string(told), want) {
			t.Errorf("the provenance lacks %q:\n%s", want, told)
		}
	}
	for _, args := range [][]string{nil, {"Pages|" + dir}, {"Pages|1|MIT|" + dir + "/none"}} {
		if err := run(table, provenance, args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
