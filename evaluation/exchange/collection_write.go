package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// WriteCollection writes a collection into a folder in the layout that
// [ReadCollection] reads, with the split "test" and a heading of its qrels. A file that
// is there is replaced in one step. Texts have U+2028, U+0085 and their like as
// escapes, so that also programs which end lines there read them.
//
// It refuses ids that [ReadCollection] would refuse, and an id twice. An id may have
// spaces in it, which [WriteQrels] and [WriteRun] refuse.
func WriteCollection(folder string, c *Collection) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"corpus.jsonl", func(w io.Writer) error { return writeTexts(w, c.Documents, func(d Document) string { return d.ID }) }},
		{"queries.jsonl", func(w io.Writer) error { return writeTexts(w, c.Queries, func(q Query) string { return q.ID }) }},
		{"qrels/test.tsv", func(w io.Writer) error { return writeTable(w, c.Qrels) }},
	} {
		var content bytes.Buffer
		if err := f.write(&content); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := file.ReplaceAtOnce(filepath.Join(folder, filepath.FromSlash(f.name)), 0o644, content.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeTexts writes documents or queries as JSON Lines.
func writeTexts[T Document | Query](w io.Writer, texts []T, idOf func(T) string) error {
	seen := make(map[string]bool, len(texts))
	out := bufio.NewWriter(w)
	for _, text := range texts {
		id := idOf(text)
		if err := checkID("_id", id); err != nil {
			return err
		}
		if seen[id] {
			return fmt.Errorf("the _id %.60q is there twice: keep one of the two", id)
		}
		seen[id] = true
		if err := writeJSON(out, text, ""); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeJSON writes a value and a line feed, as text that is safe to print.
func writeJSON(w io.Writer, value any, indent string) error {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	to.SetIndent("", indent)
	if err := to.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(offset.JSON(line.Bytes()))
	return err
}

// writeTable writes qrels in three columns that tabs separate.
func writeTable(w io.Writer, qrels map[string]map[string]int) error {
	if _, err := io.WriteString(w, "query-id\tcorpus-id\tscore\n"); err != nil {
		return err
	}
	return writeGrades(w, qrels, "\t", checkID[string], checkID[string])
}
