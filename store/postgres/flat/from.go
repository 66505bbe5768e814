package flat

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// params are the parameters of a statement under construction.
type params []any

// add returns the placeholder of a value: "$3".
func (p *params) add(value any) string {
	*p = append(*p, value)
	return "$" + strconv.Itoa(len(*p))
}

// all joins conditions; none is true.
func all(conditions []string) string {
	if len(conditions) == 0 {
		return "true"
	}
	return strings.Join(conditions, " AND ")
}

// from is the table as all statements read it, under the alias c, with columns of
// the same names whatever the table calls them: id, content, address (the source as
// it stands there), source (never empty), title, heading, metadata, created,
// embedding, and what the index compares as indexed. owner, if not empty, is whose
// rows these are. It is a sub-select that a planner takes apart, so that the
// indexes of the table serve.
func (t *table) from(p *params, owner string) string {
	m := &t.mapping
	address := t.address(p)
	columns := []string{
		"t." + catalog.Quote(t.id.column) + " AS id",
		"coalesce(" + t.text(p, m.Text) + ", '') AS content",
		address + " AS address",
		"coalesce(nullif(" + t.address(p) + ", ''), " + p.add(t.unsourced()) + "::text) AS source",
		t.text(p, m.Title) + " AS title",
		t.text(p, m.Heading) + " AS heading",
		t.metadata() + " AS metadata",
		t.created() + " AS created",
		"t." + catalog.Quote(m.Embedding.Column) + " AS embedding",
		t.nearest.Expression + " AS indexed",
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + t.Quoted() + " t WHERE " + all(t.mine(p, owner)) + ") c"
}

// mine are the conditions on t that a row is one of the store's.
func (t *table) mine(p *params, owner string) []string {
	id := "t." + catalog.Quote(t.id.column) + " IS NOT NULL"
	conditions := []string{id}
	if t.collections != nil {
		conditions = append(conditions, "t.collection_id = ANY("+p.add(t.collections)+"::text[]::uuid[])")
	}
	switch {
	case owner == "" || t.mapping.Owner.IsZero():
	case !isStorable(owner):
		conditions = append(conditions, "false")
	default:
		conditions = append(conditions, t.text(p, t.mapping.Owner)+" = "+p.add(owner)+"::text")
	}
	return conditions
}

// address is the source as it stands in a row.
func (t *table) address(p *params) string {
	if !t.mapping.Source.IsZero() {
		return t.text(p, t.mapping.Source)
	}
	if len(t.sourceKeys) == 0 {
		return "NULL::text"
	}
	keys := make([]string, len(t.sourceKeys))
	for i, key := range t.sourceKeys {
		keys[i] = "nullif(" + t.metadata() + " ->> " + p.add(key) + "::text, '')"
	}
	return "coalesce(" + strings.Join(keys, ", ") + ")"
}

// text is the text at a place, NULL for an absent one.
func (t *table) text(p *params, at Place) string {
	if at.IsZero() {
		return "NULL::text"
	}
	if len(at.Path) == 0 {
		return "t." + catalog.Quote(at.Column) + "::text"
	}
	value := t.json(at.Column)
	for i, key := range at.Path {
		operator := " -> "
		if i == len(at.Path)-1 {
			operator = " ->> "
		}
		value += operator + p.add(key) + "::text"
	}
	return "(" + value + ")"
}

// metadata is the column of JSON objects.
func (t *table) metadata() string {
	if t.mapping.Metadata.IsZero() {
		return "NULL::jsonb"
	}
	return t.json(t.mapping.Metadata.Column)
}

// escaped are escapes of a string in JSON that no text of a database can hold: of
// the character 0, and of half a character.
const escaped = `'\\u(0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f])'`

// json is a column of JSON of which any key can be asked. Where a column keeps the
// text as it was written, that may have what fails when it is read, and then the
// whole row would fail: such an object counts as none.
func (t *table) json(column string) string {
	name := "t." + catalog.Quote(column)
	if t.Column(column).Is("jsonb") {
		return name
	}
	// Next to no row has an escape at all, and to look for one is cheap.
	text := name + "::text"
	return "(CASE WHEN strpos(" + text + `, '\u') > 0 AND ` + text + " ~* " + escaped + " THEN NULL ELSE " + name + " END)"
}

// created is the time of a row. A time without a zone is in UTC.
func (t *table) created() string {
	at := t.mapping.Created
	if at.IsZero() {
		return "NULL::timestamptz"
	}
	name := "t." + catalog.Quote(at.Column)
	switch c := t.Column(at.Column); {
	case c.Is("date"):
		return name + "::timestamp AT TIME ZONE 'UTC'"
	case c.Is("timestamp"):
		return name + " AT TIME ZONE 'UTC'"
	}
	return name
}
