package offset_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", "# A\n\tb\u00a0\u200b検索 e\u0301\n", "# A\n\tb\u00a0\u200b検索 e\u0301\n"},
		{"Windows and old Mac line ends", "a\r\nb\rc\r\r\nd\r", "a\nb\nc\n\nd\n"},
		{"a byte order mark hides no heading", "\ufeff# A", "# A"},
		{"only those at the beginning go", "\x00\ufeff\ufeffa\ufeffb", "a\ufeffb"},
		{"NUL", "a\x00b\x00", "ab"},
		{"invalid bytes one by one", "a\xff\xfeb\xe6\xa4c", "a\ufffd\ufffdb\ufffd\ufffdc"},
		{"a replacement character is a character", "a\ufffdb\x00", "a\ufffdb"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := offset.Document(c.in); got != c.want {
				t.Errorf("Document(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{"", "a\r\n\x00b", "\ufeff\ufeff# x", "\xff\xe6\xa4", "\r\x00\n", "検索\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := offset.Document(in)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\r") || strings.HasPrefix(got, "\ufeff") {
			t.Fatalf("Document(%q) = %q is not normalised", in, got)
		}
		if again := offset.Document(got); again != got {
			t.Fatalf("Document is not idempotent on %q: %q, then %q", in, got, again)
		}
		encoded, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var decoded string
		if err := json.Unmarshal(encoded, &decoded); err != nil {
			t.Fatal(err)
		}
		if offset.Document(decoded) != got {
			t.Fatalf("%q normalises differently after JSON", in)
		}
	})
}
