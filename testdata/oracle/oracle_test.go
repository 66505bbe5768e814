package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hearing is a test that keeps what it was told in place of failing.
type hearing struct {
	testing.TB
	said string
}

func (h *hearing) Helper() {}

func (h *hearing) Errorf(format string, args ...any) { h.said += fmt.Sprintf(format, args...) }

func TestHold(t *testing.T) {
	if os.Getenv("WEBRAG_TEST_UPDATE") != "" {
		t.Skip("golden files are being rewritten")
	}
	was := Mark + "one\na\nb\n" + Mark + "two\nc\n" + Mark + "three\nd\n"
	for _, name := range []string{"a.golden", "folder/b.txt.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := write(path, was); err != nil {
			t.Fatal(err)
		}
		Hold(t, path, was)

		var h hearing
		Hold(&h, path, Mark+"one\na\nb\n"+Mark+"two\nC\n"+Mark+"four\n")
		for _, want := range []string{"frozen: 3 of 4", "frozen: two", "\n-c\n+C\n", "frozen: four", "\n-d\n", "make golden"} {
			if !strings.Contains(h.said, want) {
				t.Errorf("%q is missing in\n%s", want, h.said)
			}
		}
		if strings.Contains(h.said, "frozen: one") {
			t.Errorf("a section that is the same is shown:\n%s", h.said)
		}
	}
}
