package view

import (
	"image"
)

// MostSplit is how far the split can be moved, in percent points.
const MostSplit = 24

// Slot is the place of a pane: one row for its title, the rest for its body.
type Slot struct {
	Pane        Context
	Title, Body image.Rectangle
}

// Within leaves the body at most so many cells, in the middle of what it has: 0 leaves it all.
func (s Slot) Within(measure int) Slot {
	if over := s.Body.Dx() - measure; measure > 0 && over > 0 {
		s.Body.Min.X += over / 2
		s.Body.Max.X = s.Body.Min.X + measure
	}
	return s
}

// Layout is where panes stand.
type Layout struct {
	Slots []Slot
	// Seams are the vertical lines between panes, one cell wide.
	Seams []image.Rectangle
	Split Split
}

// Split is the border that can be moved.
type Split struct {
	// Handle is where it can be taken: the line itself, or the title of the lower
	// pane.
	Handle image.Rectangle
	// Area is what it divides; its first part has base percent of that as long as
	// nobody moved it.
	Area image.Rectangle
	base int
	// least is what each part keeps, in cells.
	least int
	// rows says that the parts stand above each other.
	rows bool
}

// To is the split, in percent points, that brings the line to a cell, or as near
// as it may go.
func (s Split) To(x, y int) int {
	at, whole := x-s.Area.Min.X, s.Area.Dx()
	if s.rows {
		at, whole = y-s.Area.Min.Y, s.Area.Dy()
	}
	if whole <= 0 {
		return 0
	}
	// share rounds down: it is this percent or the one before.
	percent := (100*max(0, at) + whole - 1) / whole
	off := func(percent int) int {
		return max(Share(whole, percent, s.least)-at, at-Share(whole, percent, s.least))
	}
	if off(percent-1) < off(percent) {
		percent--
	}
	return max(-MostSplit, min(MostSplit, percent-s.base))
}

// Slot returns the place of a pane, if it is on the screen.
func (l *Layout) Slot(p Context) (Slot, bool) {
	for _, s := range l.Slots {
		if s.Pane == p {
			return s, true
		}
	}
	return Slot{}, false
}

// At returns the pane under a point of the screen.
func (l *Layout) At(p image.Point) (Context, bool) {
	for _, s := range l.Slots {
		if p.In(s.Title) || p.In(s.Body) {
			return s.Pane, true
		}
	}
	return "", false
}

// Columns cuts r in two with a seam between; the left part has base percent of
// it, and split percent points more.
func (l *Layout) Columns(r image.Rectangle, base, split int) (left, right image.Rectangle) {
	const least = 20
	x := r.Min.X + Share(r.Dx(), base+split, least)
	seam := image.Rect(x, r.Min.Y, x+1, r.Max.Y)
	l.Seams = append(l.Seams, seam)
	l.Split = Split{Handle: seam, Area: r, base: base, least: least}
	return image.Rect(r.Min.X, r.Min.Y, x, r.Max.Y), image.Rect(x+1, r.Min.Y, r.Max.X, r.Max.Y)
}

// LessThanHalf is the share of the upper of two panes, in percent, where the lower one is
// read.
const LessThanHalf = 42

// Halves are the rows of the upper of two panes: base percent, and split percent points
// more.
func (l *Layout) Halves(r image.Rectangle, base, split int) int {
	const least = 4
	rows := Share(r.Dy(), base+split, least)
	y := r.Min.Y + rows
	l.Split = Split{Handle: image.Rect(r.Min.X, y, r.Max.X, y+1), Area: r, base: base, least: least, rows: true}
	return rows
}

// Share is percent of n, leaving at least least on both sides.
func Share(n, percent, least int) int {
	return max(least, min(n*percent/100, n-least))
}

// Above puts one pane above another; the upper one has so many rows.
func Above(r image.Rectangle, rows int, upper, lower Context) []Slot {
	y := r.Min.Y + rows
	return []Slot{
		CutTitle(upper, image.Rect(r.Min.X, r.Min.Y, r.Max.X, y)),
		CutTitle(lower, image.Rect(r.Min.X, y, r.Max.X, r.Max.Y)),
	}
}

// CutTitle is the place of a pane in a region.
func CutTitle(p Context, r image.Rectangle) Slot {
	y := min(r.Min.Y+1, r.Max.Y)
	return Slot{
		Pane:  p,
		Title: image.Rect(r.Min.X, r.Min.Y, r.Max.X, y),
		Body:  image.Rect(r.Min.X, y, r.Max.X, r.Max.Y),
	}
}
