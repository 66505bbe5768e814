package session_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// A query is asked of a corpus of three pages, with all work done one after the other.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "session")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	corpus, err := index(ctx, filepath.Join(dir, "library.db"))
	if err != nil {
		log.Panic(err)
	}

	params, _ := param.Preset(param.PresetWebRAG)
	params.Mode = param.ModeChunk // otherwise a corpus this small is returned as a whole
	s := session.New(session.Setting{Name: param.PresetWebRAG, Params: params}, time.Now)
	work := s.Take(corpus, nil)
	work = append(work, s.Ask("which beans are ground for coffee")...)
	for len(work) > 0 && s.Outage() == nil { // a corpus that is away would be tried for ever
		now := work[0]
		work = work[1:]
		time.Sleep(now.Delay)
		if s.Awaits(now.Kind, now.Gen) { // newer work may have taken its place
			work = append(work, s.Apply(now.Run(ctx))...)
		}
	}
	if failure := s.Failure(); failure != nil {
		log.Panic(failure.Err)
	}
	fmt.Println(s.Query(), "->", s.Result().Items[0].Title)

	for _, closing := range s.Leave() {
		s.Apply(closing.Run(ctx))
	}
	// Output: which beans are ground for coffee -> Coffee
}
