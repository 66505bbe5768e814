package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Entry is a key of a config file with its value as text. why is set when the
// value is of a type that no setting takes. list holds the value where a list of
// texts is wanted, and is nil when it is none: one text counts as a list of one.
type Entry struct {
	Key, Text, Why string
	List           []string
	Line           int
}

// ParseTOML lists the keys of a config file with their lines. The library's
// expression parser is used because its decoder forgets where a key stood.
func ParseTOML(raw []byte) ([]Entry, error) {
	// The decoder checks what the expression parser does not: duplicate keys and
	// tables.
	var ignored map[string]any
	if err := toml.Unmarshal(raw, &ignored); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("not TOML: %w", err)
	}
	var entries []Entry
	var section string
	p := unstable.Parser{}
	p.Reset(raw)
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			section = joinKey(e.Key()) + "."
		case unstable.KeyValue:
			key := e.Key()
			en := Entry{Key: section + joinKey(key)}
			first := e.Key()
			if first.Next() {
				en.Line = p.Shape(first.Node().Raw).Start.Line
			}
			en.Text, en.Why = scalar(e.Value())
			en.List = list(e.Value())
			entries = append(entries, en)
		default:
		}
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("not TOML: %w", err)
	}
	return entries, nil
}

func joinKey(it unstable.Iterator) string {
	var parts []string
	for it.Next() {
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, ".")
}

func list(n *unstable.Node) []string {
	switch n.Kind {
	case unstable.String:
		return []string{string(n.Data)}
	case unstable.Array:
		texts := []string{}
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.String {
				return nil
			}
			texts = append(texts, string(it.Node().Data))
		}
		return texts
	default:
		return nil
	}
}

func scalar(n *unstable.Node) (text, why string) {
	switch n.Kind {
	case unstable.String, unstable.Bool:
		return string(n.Data), ""
	case unstable.Integer, unstable.Float:
		return strings.ReplaceAll(string(n.Data), "_", ""), ""
	default:
		return "", "must be a string, a number or true or false"
	}
}
