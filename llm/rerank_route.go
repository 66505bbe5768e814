package llm

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/remote"
)

// route is one way to ask: an address and a form.
type route struct {
	url   *url.URL
	path  int // which of the addresses, from 0
	shape Shape
}

// version matches the last part of a base URL that names one.
var version = regexp.MustCompile(`^v[0-9]+(?:beta[0-9]*)?$`)

// routes lists the ways to ask in the order in which they are tried.
func routes(base *url.URL, shape Shape) []route {
	trimmed := base.JoinPath() // a copy, its path clean
	trimmed.Path = strings.TrimRight(base.Path, "/")
	last := trimmed.Path[strings.LastIndexByte(trimmed.Path, '/')+1:]
	var paths []*url.URL
	switch {
	case last == "rerank":
		paths = []*url.URL{trimmed}
	case version.MatchString(last):
		paths = []*url.URL{trimmed.JoinPath("rerank")}
	default:
		paths = []*url.URL{trimmed.JoinPath("rerank"), trimmed.JoinPath("v1", "rerank"), trimmed.JoinPath("v2", "rerank")}
	}
	shapes := []Shape{shape}
	if shape == ShapeAuto {
		shapes = []Shape{ShapeCohere, ShapeTEI}
	}
	var all []route
	for i, p := range paths {
		for _, s := range shapes {
			all = append(all, route{url: p, path: i, shape: s})
		}
	}
	return all
}

// manner is how a server wants to be asked, as far as it is known.
type manner struct {
	route      int // in Reranker.routes
	documents  int // at once, 0 for what the shape allows
	characters int // of each text
}

// most is how many documents go into a request of this shape.
func (m manner) most(shape Shape) int {
	switch {
	case m.documents > 0:
		return m.documents
	case shape == ShapeTEI:
		return 32
	default:
		return 1000
	}
}

// adapt returns another manner that meets a refusal of n documents, false when
// there is none. Each step goes on in one direction, so that it ends.
func (r *Reranker) adapt(how manner, err error, n int) (manner, bool) {
	var status *remote.StatusError
	if !errors.As(err, &status) {
		return how, false
	}
	if next, ok := r.nextRoute(how.route, status); ok {
		how.route = next
		return how, true
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
	default:
		return how, false
	}
	if n > 1 && isTooMany(status, r.routes[how.route].shape) {
		how.documents = n / 2
		if m := batchLimit.FindStringSubmatch(status.Message); m != nil {
			if most, err := strconv.Atoi(m[1]); err == nil && most > 0 && most < n {
				how.documents = most
			}
		}
		return how, true
	}
	if how.characters > fewestCharacters && isTooLong(status) {
		how.characters = max(fewestCharacters, how.characters/2)
		return how, true
	}
	return how, false
}

// nextRoute is the route to try after one that the server does not have.
func (r *Reranker) nextRoute(at int, e *remote.StatusError) (int, bool) {
	now := r.routes[at]
	for i := at + 1; i < len(r.routes); i++ {
		next := r.routes[i]
		switch e.Status {
		case http.StatusNotFound, http.StatusMethodNotAllowed:
			if next.path != now.path && !isUnknownModel(e) {
				return i, true
			}
		case http.StatusBadRequest, http.StatusUnprocessableEntity:
			// "missing field `texts`"
			if next.path == now.path && says(e, "texts") {
				return i, true
			}
		}
	}
	return 0, false
}

// The words of Text Embeddings Inference, vLLM, llama-server and the services.
var (
	batchLimit   = regexp.MustCompile(`(?i)(?:maximum (?:allowed )?(?:batch size|length)|at most)\D{0,3}(\d{1,5})`)
	tooManyWords = []string{"maximum allowed batch size", "too many documents", "too many inputs", "array too long", "in one batch"}
	tooLongWords = []string{
		"maximum context length", "context length", "must have less than", "maximum input length", "too large to process",
		"input is too long", "too many tokens", "reduce the length", "longer than the maximum",
	}
)

func isTooMany(e *remote.StatusError, shape Shape) bool {
	if e.Status == http.StatusRequestEntityTooLarge || says(e, tooManyWords...) {
		return true
	}
	return shape == ShapeTEI && e.Status == http.StatusUnprocessableEntity && !says(e, tooLongWords...)
}

func isTooLong(e *remote.StatusError) bool {
	return e.Status == http.StatusRequestEntityTooLarge || says(e, tooLongWords...)
}
