package session

import (
	"context"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// Unwritten counts what could not be written so far. It is tried again with the next
// judgment, and by [Session.Flush].
func (g *judging) Unwritten() int { return g.queued.Unwritten() }

// IsUnwritten reports whether a judgment of a text, by its key without a query, could not be
// written so far.
func (g *judging) IsUnwritten(query string, key judgment.Key) bool {
	return g.queued.IsUnwritten(query, key)
}

// LastJudged is the judgment that [Session.UndoJudgment] takes back, by the text of its query
// and its key, which has none; ok is false for none.
func (g *judging) LastJudged() (query string, key judgment.Key, ok bool) { return g.queued.Last() }

// writeAside writes what belongs to other sets than the open one beside the work that follows.
func (g *judging) writeAside() []Work {
	rest := g.queued.Aside(g.sets, g.name)
	if rest.IsEmpty() {
		return nil
	}
	return []Work{g.works.beside(KindSet, func(ctx context.Context) Done {
		rest.Flush(context.WithoutCancel(ctx))
		return Done{Err: context.Canceled} // it brings nothing
	})}
}

// write writes what is queued for the open set, where it has anything that was not tried.
func (g *judging) write() []Work {
	if g.works.isUnderWay(KindSet) || !g.queued.Of(g.sets, g.name).IsNew() {
		return nil
	}
	return g.readSet(g.querySet)
}

// JudgeRecords writes judgments of a query, which becomes one of the set if it is none.
// One without a time is of now.
func (g *judging) JudgeRecords(query string, records ...judgment.Record) []Work {
	if g.querySet == nil {
		return nil
	}
	for i := range records {
		if records[i].JudgedAt.IsZero() {
			records[i].JudgedAt = g.tuning.now()
		}
		records[i].JudgedAt = records[i].JudgedAt.UTC().Truncate(time.Second) // as it is read again
	}
	g.queued.Judge(g.sets, g.name, query, records...)
	return g.write()
}

// UndoJudgment takes back the last judgment of this session; ok is false where there is
// none. Where that fails, it can be taken back again.
func (g *judging) UndoJudgment() (work []Work, ok bool) {
	if g.querySet == nil || !g.queued.Undo(g.sets, g.name, g.tuning.now()) {
		return nil, false
	}
	return g.write(), true
}

// Flush writes what is still queued, and waits for what is being written: who ends a program
// waits for no work. It says what could not be written, which stays queued.
func (g *judging) Flush(ctx context.Context) error { return g.queued.Flush(ctx) }
