package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/memory"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
)

// ErrTooLarge is that searching a corpus takes more memory than it may.
var ErrTooLarge = errors.New("the corpus is too large to be searched from its file on this machine")

// What memory holds of each row beside a vector, in bytes: of a passage its place, its
// hash, and what finds it by id and by word; of a section its place and headings; of a
// document what scopes ask for. What reading leaves to be collected comes on top.
const (
	bytesOfChild    = 64 + 32 + 16 + 20
	bytesOfParent   = 64 + 16 + 150
	bytesOfDocument = 1000
)

// mostAhead is as many sections and passages as any page has.
const mostAhead = 1 << 24

// memoryFor is about how many bytes it takes to search these documents.
func memoryFor(docs []*document, dims int) int64 {
	var n int64
	for _, d := range docs {
		// No page has more, whatever its row says.
		children, parents := int64(min(max(0, d.children), mostAhead)), int64(min(max(0, d.parents), mostAhead))
		n += children*int64(quantise.Size(1, dims)+bytesOfChild) + parents*bytesOfParent + bytesOfDocument
	}
	return n + n/4
}

// mostMemory is how many bytes searching may take, 0 for no bound.
func (s *Store) mostMemory() int64 {
	if s.memory != 0 {
		return max(0, s.memory)
	}
	return memory.Total() / 2
}

// fits refuses documents that take more memory than they may, before they are loaded.
func (l *loader) fits(ctx context.Context, docs []*document) error {
	need, most := memoryFor(docs, l.dims), l.store.mostMemory()
	if most == 0 || need <= most {
		return nil
	}
	// A file holds more than memory does of it, whatever its documents say of their number.
	var size int64
	if err := l.conn.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&size); err != nil {
		return err
	}
	if size <= most {
		return nil
	}
	return fmt.Errorf("%w: it takes about %d MB of memory, and it may have %d MB; %s", ErrTooLarge, need>>20, most>>20, whatNext)
}

// whatNext is what to do about a corpus that is too large.
const whatNext = "allow it more (WEBRAG_MEMORY, in MB; without, it is half of the machine's memory), or index the pages into PostgreSQL, " +
	"which searches on the disk: webrag-tui index PAGES --corpus postgres://USER@HOST/DATABASE"

// checkMemory adds to the check of vectors that they do not fit.
func (s *Store) checkMemory(ctx context.Context, checks []store.Check) {
	v, err := s.read(ctx)
	if err != nil {
		return // other checks say why
	}
	defer v.Close()
	err = v.loader().fits(ctx, v.snapshot.docs)
	if i := slices.IndexFunc(checks, func(c store.Check) bool { return c.Name == "vectors" }); i >= 0 && checks[i].State == store.CheckFine && errors.Is(err, ErrTooLarge) {
		checks[i].State, checks[i].Fix = store.CheckWarning, whatNext
		checks[i].Found += fmt.Sprintf("; with all else it takes about %d MB, and it may have %d MB", memoryFor(v.snapshot.docs, v.meta.Dimensions)>>20, s.mostMemory()>>20)
	}
}
