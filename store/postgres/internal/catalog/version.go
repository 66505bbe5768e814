package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OlderThan compares two versions of an extension, number by number: "0.8.2" is
// older than "0.8.10" and than "1.0", and as old as "0.8.2.0". What does not begin
// with digits counts as 0, so that an unknown version is an old one.
func OlderThan(have, want string) bool {
	a, b := version(have), version(want)
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for len(b) < len(a) {
		b = append(b, 0)
	}
	return slices.Compare(a, b) < 0
}

func version(s string) []int {
	var v []int
	for part := range strings.SplitSeq(s, ".") {
		digits := len(part) - len(strings.TrimLeft(part, "0123456789"))
		n, _ := strconv.Atoi(part[:digits])
		v = append(v, n)
	}
	return v
}

// TooOld says why an index is not searched at all with a version of pgvector,
// empty if it is: before 0.8.0 a search cannot go on when a filter leaves too few
// rows, and returns fewer than there are.
func TooOld(vector string) string {
	if vector == "" || !OlderThan(vector, "0.8.0") {
		return ""
	}
	return fmt.Sprintf("pgvector %s cannot go on with a search when a filter leaves too few rows; every search is exact. Install 0.8.4 or later on the server, then: ALTER EXTENSION vector UPDATE",
		Printable(vector))
}
