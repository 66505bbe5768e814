package huggingface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A component is one part of the file, of one of many types. Its fields are those
// of its type and of no other.

// typeOf returns the type of a component, "" for null or none. It reads only as far
// as the type, which mostly comes first: models have megabytes behind it.
func typeOf(raw json.RawMessage) (string, error) {
	if isNull(raw) {
		return "", nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return "", errors.New("is not an object with a type")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", errors.New("is not an object with a type")
		}
		if key == "type" {
			var kind string
			if err := d.Decode(&kind); err != nil {
				return "", errors.New("is not an object with a type")
			}
			if kind != "" {
				return kind, nil
			}
			break
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return "", errors.New("is not an object with a type")
		}
	}
	return "", errNoType
}

var errNoType = errors.New("does not name its type")

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// typed takes the type's place among the fields of a component.
type typed struct {
	Type string `json:"type"`
}

// fields reads the fields of a component. One that is not known is an error, since
// it may change what becomes of a text.
func fields(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		return nil
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("has a field %s that is not known", Quote(strings.Trim(name, `"`)))
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// Quote quotes a word of a file that others wrote, cut so that it can stand in an
// error.
func Quote(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
