package tour

import (
	_ "embed"
	"strings"
)

//go:embed guide.tour
var guide string

// Guide is the tour of the bundled guide, about two minutes long.
func Guide() Script {
	s, err := Parse(strings.NewReader(guide))
	if err != nil {
		panic(err) // it is ours: a test holds it
	}
	return s
}
