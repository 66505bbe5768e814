package flat

import (
	"testing"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
