package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// The memory that building the index may take: what the graph needs, so that it
// is not written out half-way, between a bound below which it does not pay to set
// it and one that a server with other things to do can give.
const (
	minBuildMemory = 64 << 20
	maxBuildMemory = 2 << 30
)

// buildMemory estimates the bytes of the graph of vectors: each with its
// neighbours, which took about 410 bytes at 384 dimensions, and a margin.
func buildMemory(rows, dims int) int64 {
	return min(max(int64(rows)*int64(4*dims+450)/10*11, minBuildMemory), maxBuildMemory)
}

// vectorIndexState is what became of the index of the vectors.
type vectorIndexState struct {
	// exists says that searches have an index, taken that another one has its name
	// without being of use to them: one that was left behind half-built, or one of
	// some rows.
	exists, taken bool
	// vectors says that there is something to index, rows about how much.
	vectors bool
	rows    int
	// mine says that this role may make an index.
	mine bool
}

// Finish merges the words of the last batch into their index, and builds the index of
// the vectors if there are vectors and no index. That
// is faster when all of them are there than one by one, so that a corpus that is
// written for the first time has no index until then, and is searched exactly.
// progress, which may be nil, is called about once a second with blocks of the
// table done and in all, from a goroutine that ends before Finish does.
//
// Readers go on meanwhile. A build that was interrupted leaves nothing behind.
func (w *Writer) Finish(ctx context.Context, progress func(done, total int)) error {
	if err := w.ready(ctx); err != nil {
		return w.fail(ctx, "index the vectors of", err)
	}
	if err := w.words.finish(ctx, w.conn, w.table(wordsIndex)); err != nil {
		return w.fail(ctx, "index the words of", err)
	}
	if w.column.kind == "" {
		return nil
	}
	state, err := w.indexState(ctx)
	if err != nil {
		return w.fail(ctx, "index the vectors of", err)
	}
	switch {
	case state.exists || !state.vectors:
		return nil
	case !state.mine:
		if log := w.store.opts.Log; log != nil {
			log.Warn("the index of vectors is missing, and this role may not make it: searches compare all vectors until the owner of the tables writes")
		}
		return nil
	}
	if progress != nil {
		defer w.follow(ctx, progress)()
	}
	return w.fail(ctx, "index the vectors of", w.buildIndex(ctx, state))
}

// indexState looks at the index, and at what there is to index. Where policies
// hide rows, those of other owners count by what they take on the disk: the index
// is of all.
func (w *Writer) indexState(ctx context.Context) (s vectorIndexState, err error) {
	err = w.read(ctx, func(q reader) error {
		if err := w.findIndex(ctx, q, &s); err != nil {
			return err
		}
		var size int64
		var counted int
		err := q.QueryRow(ctx, `
			SELECT EXISTS (SELECT 1 FROM `+w.table("chunks")+` WHERE chunk_level = 'child' AND embedding IS NOT NULL),
				(SELECT coalesce(sum(child_count), 0) FROM `+w.table("documents")+`),
				pg_relation_size(t.oid), greatest(t.reltuples, 0)::bigint, pg_has_role(t.relowner, 'USAGE')
			FROM pg_class t WHERE t.oid = $1::text::regclass`, w.table("chunks")).
			Scan(&s.vectors, &s.rows, &size, &counted, &s.mine)
		if w.secured {
			s.vectors, s.rows = s.vectors || size > 0, max(s.rows, counted)
		}
		return err
	})
	return s, err
}

// findIndex asks for the index as a search does.
func (w *Writer) findIndex(ctx context.Context, q reader, s *vectorIndexState) error {
	tables, err := catalog.OnPath(ctx, q, "chunks")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(tables, func(t catalog.Table) bool { return t.Schema == w.schema })
	if i < 0 || tables[i].Column("embedding") == nil {
		return fmt.Errorf("the table %s is not what it was when the writer began; open the corpus again", w.table("chunks"))
	}
	chunks := &tables[i]
	indexes, err := catalog.Indexes(ctx, q, chunks.OID)
	if err != nil {
		return err
	}
	s.exists = nearestChunks(chunks, chunks.Column("embedding"), w.column.dims, indexes).Name != ""
	s.taken = !s.exists && slices.ContainsFunc(indexes, func(x catalog.Index) bool { return x.Name == vectorsIndex })
	return nil
}

// buildIndex builds the index in one transaction.
func (w *Writer) buildIndex(ctx context.Context, state vectorIndexState) error {
	parallel := w.parallelBuild()
	err := w.tryBuild(ctx, state, parallel)
	if parallel && (hasCode(err, codeDisk) || hasCode(err, codeMemory)) {
		// Workers share the graph in memory that a container may have little of.
		err = w.tryBuild(ctx, state, false)
	}
	if err != nil {
		return fmt.Errorf("%w; the corpus is complete, and searches compare all vectors until the next writer has built the index",
			w.fail(ctx, "index the vectors of", err))
	}
	// What was loaded at once is unknown to the planner until then.
	for _, table := range []string{"documents", "chunks", "chunk_terms"} {
		if _, err := w.conn.Exec(ctx, `ANALYZE `+w.table(table)); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) tryBuild(ctx context.Context, state vectorIndexState, parallel bool) error {
	return w.inTransaction(ctx, func(tx pgx.Tx) error {
		statements := []string{
			`SET LOCAL statement_timeout = 0`,
			`SET LOCAL maintenance_work_mem = '` + strconv.FormatInt(buildMemory(state.rows, w.column.dims)>>10, 10) + `kB'`,
		}
		if !parallel {
			statements = append(statements, `SET LOCAL max_parallel_maintenance_workers = 0`)
		}
		if state.taken {
			statements = append(statements, `DROP INDEX `+w.table(vectorsIndex))
		}
		statements = append(statements, createIndex(w.table("chunks"), w.column.kind, w.column.dims))
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// parallelBuild reports whether several processes may build: before 0.8.2 that
// could write beyond a buffer.
func (w *Writer) parallelBuild() bool { return !catalog.OlderThan(w.layout.server.vector, "0.8.2") }

// follow reports the progress of the build on a connection of its own until the
// function that it returns is called. A connection that fails reports nothing.
func (w *Writer) follow(ctx context.Context, progress func(done, total int)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pid := w.conn.PgConn().PID()
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := w.store.db.Connect(ctx)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			var blocks, total int
			err := conn.QueryRow(ctx, `SELECT blocks_done, blocks_total FROM pg_stat_progress_create_index WHERE pid = $1`, pid).Scan(&blocks, &total)
			if err == nil && total > 0 {
				progress(blocks, total)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
