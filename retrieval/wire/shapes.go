package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
)

// Shape is a form of a result as JSON.
type Shape string

// The shapes. ShapeOwn is what Encode writes and holds everything; each of
// the others is what one kind of retriever returns, with its own field names, for
// programs that were written against it.
const (
	ShapeOwn Shape = ""
	// ShapeWebRAG is an object: sections grouped by page, statistics, timing and
	// the query's vector.
	ShapeWebRAG Shape = "webrag"
	// ShapeTextbook is an object: scored chunks with their metadata, citations and
	// the grounded prompt.
	ShapeTextbook Shape = "textbook"
	// ShapeHybrid is a list by descending score, with the graph's paths.
	ShapeHybrid Shape = "hybrid"
	// ShapeTopK is a list by descending score, with where each file came from.
	ShapeTopK Shape = "topk"
)

// Shapes are the names of the shapes, in a fixed order.
func Shapes() []Shape { return []Shape{ShapeWebRAG, ShapeTextbook, ShapeHybrid, ShapeTopK} }

// ParseShape finds a shape by its name; the empty name is ShapeOwn.
func ParseShape(name string) (Shape, error) {
	shapes := Shapes()
	if name == "" || slices.Contains(shapes, Shape(name)) {
		return Shape(name), nil
	}
	names := each(shapes, func(s *Shape) string { return string(*s) })
	return "", fmt.Errorf("no shape %q; there is %s", name, strings.Join(names, ", "))
}

// EncodeShape writes a result as JSON in a shape. Ids are strings in all of them.
// Texts are those of the selected surface, escaped as Encode escapes them.
func EncodeShape(r retrieval.Result, shape Shape, o Options) ([]byte, error) {
	v, err := shaped(&r, shape, o)
	if err != nil {
		return nil, err
	}
	return encode("the result", v, o.Indent)
}

// shaped is a result in a shape, ready to be encoded.
func shaped(r *retrieval.Result, shape Shape, o Options) (any, error) {
	switch shape {
	case ShapeOwn:
		return wireOf(r, o), nil
	case ShapeWebRAG:
		if r.Mode == retrieval.ModeSelectedText {
			return nil, fmt.Errorf("the shape %s has no selected text; use %s", ShapeWebRAG, ShapeTextbook)
		}
		return wireHeadOf(r, each(r.Items, webragOf)), nil
	case ShapeTextbook:
		return textbookOf(r, o), nil
	case ShapeHybrid:
		return listBestFirst(r, hybridOf), nil
	case ShapeTopK:
		return listBestFirst(r, topkOf), nil
	default:
		_, err := ParseShape(string(shape))
		return nil, err
	}
}

// listBestFirst projects the items, best first.
func listBestFirst[T any](r *retrieval.Result, project func(*retrieval.Item) T) []T {
	return each(r.ByRank(), func(it **retrieval.Item) T { return project(*it) })
}

// Line is where a query came from that is one of many.
type Line struct {
	// Number counts the lines of the input from 1. Query is the line's text.
	Number int
	Query  string
}

type wireLine struct {
	Query string `json:"query"`
	Line  int    `json:"line"`
}

// EncodeLine writes the answer to one of many queries as one line of JSON that
// names its query: in the own shape beside the result's fields, in any other with
// the result under "result", since that shape is somebody else's.
func EncodeLine(r retrieval.Result, from Line, shape Shape, o Options) ([]byte, error) {
	o.Indent = false
	head := wireLine{from.Query, from.Number}
	v, err := shaped(&r, shape, o)
	if err != nil {
		return nil, err
	}
	if own, ok := v.(wireResult); ok {
		return encode("the result", struct {
			wireLine
			wireResult
		}{head, own}, false)
	}
	return encode("the result", struct {
		wireLine
		Result any `json:"result"`
	}{head, v}, false)
}

// EncodeLineError writes that one of many queries could not be asked.
func EncodeLineError(from Line, failure error) ([]byte, error) {
	return encode("the error", struct {
		wireLine
		Error string `json:"error"`
	}{wireLine{from.Query, from.Number}, failure.Error()}, false)
}
