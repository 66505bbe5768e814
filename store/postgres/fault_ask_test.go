package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// answer asks both arms of a search about the site, and for the texts of what
// they find, and puts everything that comes into one text.
func answer(ctx context.Context, v *View) (string, error) {
	found, err := v.Search(ctx, store.Search{
		Vector: wordVectors{dims: 8}.vector("the roots and leaves of trees"), VectorRows: 100,
		Terms: store.Terms("trees leaves roots"), KeywordRows: 100,
	})
	if err = errors.Join(err, found.KeywordErr); err != nil {
		return "", err
	}
	texts := map[string]string{}
	for _, r := range found.Vector {
		texts[r.ID] += fmt.Sprintf(" near %.6f", r.Similarity)
	}
	for _, r := range found.Keyword {
		texts[r.ID] += fmt.Sprintf(" words %.6f", r.Score)
	}
	var ids []string
	for id := range texts {
		ids = append(ids, id)
	}
	chunks, err := v.Chunks(ctx, ids, store.FieldText)
	if err != nil {
		return "", err
	}
	if len(chunks) != len(ids) {
		return "", fmt.Errorf("of %d chunks that were found %d are there", len(ids), len(chunks))
	}
	var lines []string
	for i := range chunks {
		c := &chunks[i]
		lines = append(lines, fmt.Sprintf("%s: %q%s", c.SourceURL, c.ChunkText, texts[c.ID]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

func mustAnswer(t testing.TB, v *View) string {
	t.Helper()
	got, err := answer(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// ask opens a view for one answer.
func ask(ctx context.Context, s *Store) (string, error) {
	v, err := s.Read(ctx)
	if err != nil {
		return "", err
	}
	got, err := answer(ctx, v.(*View))
	return got, errors.Join(err, v.Close())
}

// holdUp keeps everybody from a table until release is called or the server ends.
// Views that have read it must be closed: their transactions hold it, too.
func holdUp(t testing.TB, dsn, table string) (release func()) {
	t.Helper()
	keeper := pgtest.Connect(t, dsn)
	tx, err := keeper.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), `SET LOCAL lock_timeout = '60s'`)
	}
	if err == nil {
		_, err = tx.Exec(t.Context(), `LOCK TABLE `+pgx.Identifier{table}.Sanitize()+` IN ACCESS EXCLUSIVE MODE`)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = keeper.Close(context.WithoutCancel(t.Context())) }
}

// reply is what an answer came to.
type reply struct {
	text string
	err  error
}

// asking asks in the background.
func asking(ctx context.Context, v *View) <-chan reply {
	came := make(chan reply, 1)
	go func() {
		text, err := answer(ctx, v)
		came <- reply{text, err}
	}()
	return came
}
