package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// documentDetails is a document with its sections and the edges at them, which a
// deleted one does not show.
type documentDetails struct {
	store.Document
	sections []store.Chunk
	children map[string]int // by section
	edges    []store.Edge
}

func (d *documentDetails) read(ctx context.Context, v store.View) error {
	scope := store.Scope{DocumentIDs: []string{d.ID}}
	var err error
	if d.sections, err = v.Parents(ctx, scope, 0, store.Page{}); err != nil {
		return err
	}
	ids := idsOf(d.sections)
	children, err := v.Children(ctx, ids, 0)
	if err != nil {
		return err
	}
	d.children = map[string]int{}
	for i := range children {
		d.children[children[i].ParentID]++
	}
	if len(ids) > 0 {
		d.edges, err = v.Edges(ctx, store.EdgeQuery{Nodes: ids, Direction: store.Both})
	}
	return err
}

func idsOf(chunks []store.Chunk) []string {
	return eachOf(chunks, func(c store.Chunk) string { return c.ID })
}

// edgeCounts counts edges by relation: those inside of the document, those that
// leave it and those that reach it.
func (d *documentDetails) edgeCounts() map[store.Relation]edgeCount {
	counts := map[store.Relation]edgeCount{}
	for _, e := range d.edges {
		c := counts[e.Relation]
		switch e.DocumentID {
		case e.TargetDocumentID:
			c.Inside++
		case d.ID:
			c.Outgoing++
		default:
			c.Incoming++
		}
		counts[e.Relation] = c
	}
	return counts
}

type edgeCount struct {
	Inside   int `json:"inside"`
	Outgoing int `json:"outgoing"`
	Incoming int `json:"incoming"`
}

// documents prints one document a line, and their sums.
func (p *printer) documents(docs []store.Document) {
	w := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	sections, tokens := 0, 0
	for i := range docs {
		d := &docs[i]
		sections += d.ParentCount
		tokens += d.TokenCount
		notes := fmt.Sprintf("depth %d", d.Depth)
		if len(d.Tags) > 0 {
			notes += " · " + strings.Join(d.Tags, ", ")
		}
		if !d.DeletedAt.IsZero() {
			notes += " · deleted " + d.DeletedAt.Format(time.DateTime)
		}
		title := cmp.Or(offset.Line(d.Title), "(no title)")
		fmt.Fprintf(w, "%s\t%s tokens\t  %s  %s%s · %s%s\n", plural(d.ParentCount, "section"), p.tokens(thousands(d.TokenCount)),
			title, faint, offset.Line(d.SourceURL), offset.Line(notes), plain)
	}
	_ = w.Flush() // the writer below reports nothing either
	if len(docs) > 1 {
		fmt.Fprintf(p.w, "%s%s, %s, %s tokens%s\n", faint, plural(len(docs), "document"), plural(sections, "section"), p.tokens(thousands(tokens)), plain)
	}
}

func (p *printer) details(d *documentDetails) {
	fmt.Fprintf(p.w, "%s%s%s\n", bold, offset.Line(cmp.Or(d.Title, d.SourceURL)), plain)
	rows := slices.DeleteFunc(p.documentRows(&d.Document), func(r detailRow) bool { return r.value == "" })
	_ = printTable(p.w, rows, func(r detailRow) string { return r.name + "\t" + offset.Line(r.value) })
	if !d.DeletedAt.IsZero() {
		fmt.Fprintf(p.w, "\ndeleted: 'webrag-tui docs restore %s' brings it back\n", offset.Line(file.ShellWord(d.SourceURL)))
		return
	}
	fmt.Fprintf(p.w, "\n%s%s%s\n", bold, plural(len(d.sections), "section"), plain)
	w := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i := range d.sections {
		c := &d.sections[i]
		anchor := ""
		if c.Anchor != "" {
			anchor = faint + "#" + offset.Line(c.Anchor) + plain
		}
		fmt.Fprintf(w, "%d\t%s tokens\t%s\t  %s  %s\n", c.Index, p.tokens(fmt.Sprint(c.Tokens())), plural(d.children[c.ID], "passage"), offset.Line(sectionPath(c)), anchor)
	}
	_ = w.Flush()
	counts := d.edgeCounts()
	if len(counts) == 0 {
		return
	}
	fmt.Fprintf(p.w, "\n%s%s%s\n", bold, plural(len(d.edges), "edge"), plain)
	_ = printTable(p.w, slices.Sorted(maps.Keys(counts)), func(r store.Relation) string {
		n := counts[r]
		return fmt.Sprintf("  %s\t%d inside\t%d outgoing\t%d incoming", r, n.Inside, n.Outgoing, n.Incoming)
	})
}

// sectionPath is what lists call a section.
func sectionPath(c *store.Chunk) string {
	if len(c.HeadingPath) == 0 {
		return "(no heading)"
	}
	return strings.Join(c.HeadingPath, " › ")
}

type detailRow struct{ name, value string }

// documentRows are the columns of a document that say something.
func (p *printer) documentRows(d *store.Document) []detailRow {
	rows := []detailRow{
		{"id", d.ID},
		{"source URL", d.SourceURL},
		{"URL", unless(d.URL, d.SourceURL)},
		{"aliases", strings.Join(d.URLAliases, ", ")},
		{"description", d.Description},
		{"language", d.Language},
		{"type", strings.Join(slices.DeleteFunc([]string{d.DocType, d.SourceType}, isEmpty), ", ")},
		{"filename", d.Filename},
		{"path", d.DocPath},
		{"owner", d.Owner},
		{"tags", strings.Join(d.Tags, ", ")},
	}
	for _, key := range slices.Sorted(maps.Keys(d.Metadata)) {
		if strings.HasPrefix(key, "webrag:") {
			continue // the program's own notes, which are of no use to a reader
		}
		rows = append(rows, detailRow{"meta " + offset.Line(key), d.Metadata[key]})
	}
	status := ""
	if d.StatusCode != 0 {
		status = fmt.Sprint(d.StatusCode)
	}
	return append(rows,
		detailRow{"status", status},
		detailRow{"published", d.PublishedTime},
		detailRow{"modified", d.ModifiedTime},
		detailRow{"fetched", moment(d.FetchedAt)},
		detailRow{"indexed", moment(d.IndexedAt)},
		detailRow{"deleted", moment(d.DeletedAt)},
		detailRow{"depth", fmt.Sprint(d.Depth)},
		detailRow{"tokens", p.tokens(fmt.Sprint(d.TokenCount))},
		detailRow{"ingestion", d.CurrentIngestionID},
		detailRow{"content hash", d.ContentHash},
		detailRow{"derived hash", d.DerivedHash},
		detailRow{"pipeline", d.PipelineFingerprint},
	)
}

func unless(s, other string) string {
	if s == other {
		return ""
	}
	return s
}

func isEmpty(s string) bool { return s == "" }

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// documentJSON is a document with the names of the stored columns; absent values
// are null.
type documentJSON struct {
	ID                  string            `json:"id"`
	URL                 string            `json:"url"`
	SourceURL           string            `json:"source_url"`
	URLAliases          []string          `json:"url_aliases"`
	Title               *string           `json:"title"`
	Description         *string           `json:"description"`
	Language            *string           `json:"language"`
	StatusCode          *int              `json:"status_code"`
	PublishedTime       *string           `json:"published_time"`
	ModifiedTime        *string           `json:"modified_time"`
	DocType             *string           `json:"doc_type"`
	SourceType          *string           `json:"source_type"`
	Filename            *string           `json:"filename"`
	DocPath             *string           `json:"doc_path"`
	Owner               *string           `json:"owner"`
	Tags                []string          `json:"tags"`
	Metadata            map[string]string `json:"metadata"`
	ContentHash         *string           `json:"content_hash"`
	DerivedHash         *string           `json:"derived_hash"`
	PipelineFingerprint *string           `json:"pipeline_fingerprint"`
	FetchedAt           *time.Time        `json:"fetched_at"`
	IndexedAt           *time.Time        `json:"indexed_at"`
	DeletedAt           *time.Time        `json:"deleted_at"`
	CurrentIngestionID  *string           `json:"current_ingestion_id"`
	Depth               int               `json:"depth"`
	TokenCount          int               `json:"token_count"`
	ParentCount         int               `json:"parent_count"`
	Changed             int64             `json:"changed"`
}

// orNull is nil for the zero value, which stands for an absent one.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func encodeDocument(d store.Document) documentJSON {
	out := documentJSON{
		ID: d.ID, URL: d.URL, SourceURL: d.SourceURL, URLAliases: append([]string{}, d.URLAliases...), Title: orNull(d.Title),
		Description: orNull(d.Description), Language: orNull(d.Language), StatusCode: orNull(d.StatusCode),
		PublishedTime: orNull(d.PublishedTime), ModifiedTime: orNull(d.ModifiedTime), DocType: orNull(d.DocType),
		SourceType: orNull(d.SourceType), Filename: orNull(d.Filename), DocPath: orNull(d.DocPath), Owner: orNull(d.Owner),
		Tags: append([]string{}, d.Tags...), Metadata: map[string]string{}, ContentHash: orNull(d.ContentHash), DerivedHash: orNull(d.DerivedHash),
		PipelineFingerprint: orNull(d.PipelineFingerprint), FetchedAt: orNull(d.FetchedAt), IndexedAt: orNull(d.IndexedAt),
		DeletedAt: orNull(d.DeletedAt), CurrentIngestionID: orNull(d.CurrentIngestionID), Depth: d.Depth,
		TokenCount: d.TokenCount, ParentCount: d.ParentCount, Changed: d.Changed,
	}
	if d.Metadata != nil {
		out.Metadata = d.Metadata
	}
	return out
}

// detailsJSON is the JSON of docs show.
type detailsJSON struct {
	documentJSON
	Sections []sectionJSON                `json:"sections"`
	Edges    map[store.Relation]edgeCount `json:"edges"`
}

type sectionJSON struct {
	ChunkID     string   `json:"chunk_id"`
	ChunkIndex  int      `json:"chunk_index"`
	HeadingPath []string `json:"heading_path"`
	Anchor      *string  `json:"anchor"`
	CharStart   int      `json:"char_start"`
	CharEnd     int      `json:"char_end"`
	Tokens      int      `json:"tokens"`
	Children    int      `json:"children"`
}

func encodeDetails(d *documentDetails) detailsJSON {
	sections := eachOf(d.sections, func(c store.Chunk) sectionJSON {
		return sectionJSON{
			ChunkID: c.ID, ChunkIndex: c.Index, HeadingPath: append([]string{}, c.HeadingPath...), Anchor: orNull(c.Anchor),
			CharStart: c.CharStart, CharEnd: c.CharEnd, Tokens: c.Tokens(), Children: d.children[c.ID],
		}
	})
	return detailsJSON{documentJSON: encodeDocument(d.Document), Sections: sections, Edges: d.edgeCounts()}
}
