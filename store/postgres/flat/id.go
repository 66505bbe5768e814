package flat

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// idColumn is the column that tells rows apart, as its type has it: a look-up
// compares in that type, so that an index of the column serves.
type idColumn struct {
	// column is the name, "ctid" for the place of a row.
	column string
	// list is the type of a list of ids in a statement: "uuid[]".
	list string
	// key orders rows as their ids by nature, tie as their texts, for alias c.
	key, tie string
	// value is what is compared with a list.
	value string
	// can reports whether a text can be an id.
	can func(string) bool
}

// asText is an id as text, in the order of its bytes.
const asText = `c.id::text COLLATE "C"`

// placeColumn is the system column with the place of a row.
const placeColumn = "ctid"

func newID(c *catalog.Column) idColumn {
	id := idColumn{column: c.Name, list: "text[]", key: asText, tie: asText, value: "c.id", can: isStorable}
	switch {
	case c.Is("uuid"):
		id.list, id.key, id.can = "uuid[]", "c.id", isUUID
	case c.Is("int2", "int4", "int8"):
		id.list, id.key, id.can = "bigint[]", "c.id", isNumber
	case c.Is("tid"):
		id.list, id.key, id.can = "tid[]", "c.id", isPlace
	case !c.Is("text", "varchar"):
		id.value = "c.id::text"
	}
	return id
}

// among is the condition that the id is one of some.
func (id *idColumn) among(p *params, ids []string) string {
	known := make([]string, 0, len(ids))
	for _, s := range ids {
		if id.can(s) {
			known = append(known, s)
		}
	}
	if len(known) == 0 {
		return "false"
	}
	return id.value + " = ANY(" + p.add(known) + "::text[]::" + id.list + ")"
}

func isUUID(s string) bool {
	_, ok := store.ParseID(s)
	return ok
}

// isNumber takes a number only as it is written here, so that one id has one form.
func isNumber(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}

var placeForm = regexp.MustCompile(`^\((?:0|[1-9]\d{0,8}),(?:0|[1-9]\d{0,3})\)$`)

func isPlace(s string) bool { return placeForm.MatchString(s) }

// isStorable reports whether s can be a text in a database at all.
func isStorable(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// storable returns what of a list a database can hold; the rest is in no row.
func storable(list []string) []string {
	some := make([]string, 0, len(list))
	for _, s := range list {
		if isStorable(s) {
			some = append(some, s)
		}
	}
	return some
}
