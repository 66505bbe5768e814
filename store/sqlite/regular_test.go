package sqlite_test

import (
	"errors"
	"os"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// The null device reads as an empty file, and must not become a corpus with a
// journal in the system's folder of devices.
func TestTheNullDeviceIsNoCorpus(t *testing.T) {
	t.Parallel()
	// Without Create, so that a fault makes nothing there.
	if _, err := sqlite.Open(t.Context(), os.DevNull, sqlite.Options{}); !errors.Is(err, store.ErrNotCorpus) {
		t.Errorf("%v", err)
	}
}
