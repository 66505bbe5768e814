package welcome

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// Asking again is offered only where it may help.
func TestFailuresSayWhatHelps(t *testing.T) {
	for _, c := range []struct {
		err   error
		again bool
	}{
		{retrieval.ErrNoOwner, false},
		{fmt.Errorf("embed the query: %w", embedder.ErrAuth), false},
		{fmt.Errorf("embed the query: %w", embedder.ErrUnavailable), true},
		{fmt.Errorf("search: %w", store.ErrLocked), true},
		{errors.New("something else"), false},
	} {
		if got := unanswered(c.err); strings.Contains(got.Next, "ask again") != c.again || got.Next == "" {
			t.Errorf("%v: %q", c.err, got.Next)
		}
	}
}
