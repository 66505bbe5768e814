package wire

import "github.com/webrag/webrag-tui/retrieval"

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
