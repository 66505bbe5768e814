package store

// FieldCounts are numbers of terms in the fields of a child: its body, the path of
// headings above it and the title of its page. They are 0 or more.
type FieldCounts struct{ Body, Heading, Title int }

// Sum is the number of terms in all fields.
func (c FieldCounts) Sum() int { return c.Body + c.Heading + c.Title }

// Plus adds counts by field.
func (c FieldCounts) Plus(d FieldCounts) FieldCounts {
	return FieldCounts{c.Body + d.Body, c.Heading + d.Heading, c.Title + d.Title}
}

// FieldWeights say how much a term in a heading and in the title counts, where one
// in the body counts 1. A field of weight 0 is not searched: what is in it neither
// matches nor scores.
type FieldWeights struct{ Heading, Title float64 }

// Of returns the counts of the fields that are searched, the others as 0.
func (w FieldWeights) Of(c FieldCounts) FieldCounts {
	if w.Heading == 0 {
		c.Heading = 0
	}
	if w.Title == 0 {
		c.Title = 0
	}
	return c
}

// FieldLengths are mean numbers of terms in the fields of a child.
type FieldLengths struct{ Body, Heading, Title float64 }

// MeanLengths divides the sum of the lengths of some children by their number.
func MeanLengths(sum FieldCounts, children int) FieldLengths {
	if children == 0 {
		return FieldLengths{}
	}
	n := float64(children)
	return FieldLengths{float64(sum.Body) / n, float64(sum.Heading) / n, float64(sum.Title) / n}
}
