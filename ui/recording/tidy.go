package recording

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
)

// texts are the fields that hold texts of pages: they have lines, and the screen
// makes them safe where it draws them. What is in all other strings the program
// believes to be its own.
func isText(field string) bool {
	return slices.Contains([]string{"ChunkText", "HTMLText", "Query"}, field)
}

// tidy makes the strings of a value safe to draw and bounds its numbers and
// lists.
func tidy(v any) error { return walk(reflect.ValueOf(v).Elem(), "", 0) }

// deepest bounds how deep values are nested.
const deepest = 64

func walk(v reflect.Value, field string, depth int) error {
	if depth > deepest {
		return errors.New("its value is nested too deeply")
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(safe(v.String(), field))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n, most := v.Int(), mostOf(v, field); n > most || n < -most {
			return fmt.Errorf("%s: %d is too large", field, n)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return walk(v.Elem(), field, depth+1)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if err := walk(v.Field(i), f.Name, depth+1); err != nil {
					return err
				}
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		if v.Len() > mostItems {
			return fmt.Errorf("%s: there are too many", field)
		}
		for i := range v.Len() {
			if err := walk(v.Index(i), field, depth+1); err != nil {
				return err
			}
		}
	case reflect.Map:
		return walkMap(v, field, depth)
	}
	return nil
}

// mostOf bounds a number: what may be counted in 64 bits, as bytes are, by more.
func mostOf(v reflect.Value, field string) int64 {
	switch {
	case field == "Version": // it is only compared, and some stores count milliseconds in it
		return math.MaxInt64
	case v.Type() == reflect.TypeFor[time.Duration]():
		return int64(longest)
	case v.Kind() == reflect.Int64:
		return mostBytes
	}
	return mostNumber
}

// walkMap replaces the entries of a map: they cannot be changed in place.
func walkMap(v reflect.Value, field string, depth int) error {
	if v.Len() > mostItems {
		return fmt.Errorf("%s: there are too many", field)
	}
	for _, k := range v.MapKeys() {
		old := v.MapIndex(k)
		to, entry := reflect.New(k.Type()).Elem(), reflect.New(old.Type()).Elem()
		to.Set(k)
		entry.Set(old)
		if err := errors.Join(walk(to, field, depth+1), walk(entry, field, depth+1)); err != nil {
			return err
		}
		v.SetMapIndex(k, reflect.Value{})
		v.SetMapIndex(to, entry)
	}
	return nil
}

func safe(s, field string) string {
	if isText(field) {
		return s
	}
	s = offset.Line(s)
	if utf8.RuneCountInString(s) > mostString {
		s = string([]rune(s)[:mostString])
	}
	return s
}
