package recording

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// texts are the fields that hold texts of pages: they have lines, and the screen
// makes them safe where it draws them. What is in all other strings the program
// believes to be its own.
func isText(field string) bool {
	return slices.Contains([]string{"ChunkText", "HTMLText", "Markdown", "HTML", "Query"}, field)
}

// tidy makes the strings of a value safe to draw and bounds its numbers and
// lists.
func tidy(v any) error { return walk(reflect.ValueOf(v).Elem(), "", 0) }

// deepest bounds how deep values are nested: an explanation's tree, and what it
// is in.
const deepest = 4 * mostTree

func walk(v reflect.Value, field string, depth int) error {
	if depth > deepest {
		return errors.New("its value is nested too deeply")
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(safe(v.String(), field))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); v.Type() != reflect.TypeFor[time.Duration]() && (n > mostNumber || n < -mostNumber) {
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

var errRange = errors.New("a range ends before it begins, or begins before the page")

func checkRange(start, end int) error {
	if start < 0 || end < start {
		return errRange
	}
	return nil
}

func checkResult(r *retrieval.Result) error {
	for _, items := range [][]retrieval.Item{r.Items, r.NearMisses} {
		for i := range items {
			if err := checkItem(&items[i]); err != nil {
				return err
			}
		}
	}
	if r.Trace != nil {
		for _, s := range r.Trace.Stages {
			if s.In < 0 || s.Out < 0 || s.Added < 0 || s.Duration < 0 {
				return errors.New("a stage has less than nothing")
			}
		}
	}
	if min(r.ChildrenFound, r.ChildrenKept, r.ParentsFound, r.KeywordFound, r.Tokens, r.SurfaceTokens) < 0 {
		return errors.New("a result counts less than nothing")
	}
	return nil
}

func checkItem(it *retrieval.Item) error {
	if err := errors.Join(checkRange(it.CharStart, it.CharEnd), checkRange(it.TokenStart, it.TokenEnd)); err != nil {
		return err
	}
	if it.ChunkID == "" || it.Rank < 0 || it.Depth < 0 || it.Hop < 0 {
		return errors.New("an item has no id, or less than nothing")
	}
	for _, m := range it.Matches {
		if err := checkRange(m.CharStart, m.CharEnd); err != nil {
			return err
		}
	}
	return checkTree(it.Explanation, 0)
}

func checkTree(e *retrieval.Explanation, depth int) error {
	if e == nil {
		return nil
	}
	if depth > mostTree {
		return errors.New("an explanation goes too deep")
	}
	for _, c := range e.Children {
		if c == nil {
			return errors.New("an explanation has a gap")
		}
		if err := checkTree(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func checkChunk(c *store.Chunk) error {
	return errors.Join(checkRange(c.CharStart, c.CharEnd), checkRange(c.TokenStart, c.TokenEnd))
}

func checkChunks(all []store.Chunk) error {
	for i := range all {
		if err := checkChunk(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

func checkPage(p *session.PageContent) error {
	if len(p.Children) != len(p.Sections) {
		return errors.New("a page has other children than sections")
	}
	for _, c := range p.Children {
		if err := checkChunks(c); err != nil {
			return err
		}
	}
	return checkChunks(p.Sections)
}

func checkReport(r *whynot.Report) error {
	for i := range r.Suggestions {
		if len(r.Suggestions[i].Changes) == 0 {
			return errors.New("a suggestion changes nothing")
		}
	}
	return nil
}
