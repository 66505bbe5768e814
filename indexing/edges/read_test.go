package edges_test

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing/edges"
)

// endless is a stream of one line again and again.
type endless struct{ line string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

func TestAStreamOfSomethingElseEnds(t *testing.T) {
	t.Parallel()
	_, bad, err := edges.Read(endless{"\n}"})
	if err == nil || !strings.Contains(err.Error(), "line 10002") || len(bad) != 10_000 {
		t.Errorf("%d lines, %v", len(bad), err)
	}
}
