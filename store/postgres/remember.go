package postgres

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/sidecar"
)

var _ store.NoteKeeper = (*Store)(nil)

// Remember keeps what was found out about a database of another program, beside it
// on this machine: embedder, agreement, tokenizer and calibration of m. Nothing else of m is
// kept, and nothing is written to the database. Views that are opened from now on
// have it in their Meta, as long as the vectors have the dimensions of m; without
// a folder for it ([Options.Sidecar]), or where that cannot be written, which is
// an error, until the store is closed.
//
// A corpus of ours remembers by itself, and refuses.
func (s *Store) Remember(ctx context.Context, m store.Meta) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l := s.layout.Load()
	if !l.foreign {
		return fmt.Errorf("remember about corpus %s: it keeps its own record; open it for writing", s.db.Location())
	}
	facts := sidecar.Facts{
		EmbedderID: m.EmbedderID, Dimensions: m.Dimensions, Agreement: m.Agreement, Version: m.AgreementAt,
		Tokenizer: m.Tokenizer, Calibration: m.Calibration,
	}
	s.facts.Store(&facts)
	info := *s.info.Load()
	info.Meta = s.remembered(info.Meta, l.vector.dims)
	s.info.Store(&info)
	return sidecar.Save(s.opts.Sidecar, s.sidecarKey(l), facts)
}

func (s *Store) sidecarKey(l *layout) sidecar.Key {
	return sidecar.Key{Location: s.db.Location(), Table: l.schema}
}

// loadFacts reads what is kept beside the database. Without it the database is as
// good as new.
func (s *Store) loadFacts(ctx context.Context) {
	facts, err := sidecar.Load(s.opts.Sidecar, s.sidecarKey(s.layout.Load()))
	if err != nil && s.opts.Log != nil {
		s.opts.Log.WarnContext(ctx, "read what is kept beside the database", "error", err)
	}
	s.facts.Store(&facts)
}

// remembered adds to the meta of a database what is kept beside it. Of vectors
// that have other dimensions by now it knows nothing any more.
func (s *Store) remembered(m store.Meta, dims int) store.Meta {
	m.Dimensions = dims
	facts := s.facts.Load()
	if facts == nil {
		return m
	}
	m.Tokenizer = facts.Tokenizer
	if facts.EmbedderID == "" || facts.Dimensions != dims {
		return m
	}
	m.EmbedderID, m.Agreement, m.AgreementAt = facts.EmbedderID, facts.Agreement, facts.Version
	if facts.Calibration.EmbedderID == facts.EmbedderID {
		m.Calibration = facts.Calibration
	}
	return m
}
