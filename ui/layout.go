package ui

import "image"

// paneID names a pane. Panes are reached by tab in this order.
type paneID int

const (
	paneResults paneID = iota
	panePreview
	paneScore
	// paneTune is the drawer of parameters; it takes the place of the score.
	paneTune
	// paneStages is the line of stages, paneFallen what happened in one of them.
	paneStages
	paneFallen
	// paneTree lists the pages of the corpus, panePage shows one.
	paneTree
	panePage

	paneCount
)

// arrangement is how the panes stand on a screen.
type arrangement int

const (
	// tooSmall shows the size that is needed and nothing else.
	tooSmall arrangement = iota
	// single shows one pane at a time, under a line that says where one is.
	single
	// stacked has the results above the preview.
	stacked
	// sideBySide has the results left of the preview, and the score below the
	// results where there is room.
	sideBySide
	// threeColumns has results, preview and score beside each other.
	threeColumns
)

// The sizes at which the arrangement changes, in cells.
const (
	minWidth, minHeight     = 40, 10
	stackedWidth            = 80
	sideBySideWidth         = 100
	threeColumnsWidth       = 140
	threeColumnsHeight      = 30
	scoreColumn             = 34
	scoreColumnGrows        = 150 // from this width on, with a third of what there is more
	scoreColumnMost         = 56
	tuneGrows               = 138 // from this width on, the parameters get more than a score would
	tuneExtra               = 6   // for their tracks
	scoreUnderResultsHeight = 22  // body rows from which results and score share a column
	drawerMinRest           = 40  // cells that a drawer leaves to the others
	maxSplit                = 24  // how far the split can be moved, in percent points
)

// arranging is what layoutFor decides by, beside the size.
type arranging struct {
	view  viewID
	focus paneID
	// tune says that the parameters are open; they take the place of the score.
	tune bool
	// score says that the score pane is wanted where it has no place of its own.
	score bool
	// zoomed gives the whole body to the focused pane.
	zoomed bool
	// split moves the border between results and preview, in percent points.
	split int
	// strip says that the watch list has its line.
	strip bool
	// plain shows one pane at a time, whatever the size, with its selected row in
	// words before it.
	plain bool
}

// slot is the place of a pane: one row for its title, the rest for its body.
type slot struct {
	pane        paneID
	title, body image.Rectangle
}

// layout is where everything stands. Rectangles that are not shown are empty.
type layout struct {
	arrangement    arrangement
	size           image.Point
	header, query  image.Rectangle
	notice, footer image.Rectangle
	// strip is the line of the watch list, above the notices.
	strip image.Rectangle
	// said is the line with the selected row in words, on a plain screen.
	said  image.Rectangle
	slots []slot
	// seams are the vertical lines between panes, one cell wide.
	seams []image.Rectangle
	split splitLine
}

// splitLine is the border that can be moved.
type splitLine struct {
	// handle is where it can be taken: the line itself, or the title of the lower
	// pane.
	handle image.Rectangle
	// area is what it divides; its first part has base percent of that as long as
	// nobody moved it.
	area image.Rectangle
	base int
	// least is what each part keeps, in cells.
	least int
	// rows says that the parts stand above each other.
	rows bool
}

// to is the split, in percent points, that brings the line to a cell, or as near
// as it may go.
func (s splitLine) to(x, y int) int {
	at, whole := x-s.area.Min.X, s.area.Dx()
	if s.rows {
		at, whole = y-s.area.Min.Y, s.area.Dy()
	}
	if whole <= 0 {
		return 0
	}
	// share rounds down: it is this percent or the one before.
	percent := (100*max(0, at) + whole - 1) / whole
	off := func(percent int) int {
		return max(share(whole, percent, s.least)-at, at-share(whole, percent, s.least))
	}
	if off(percent-1) < off(percent) {
		percent--
	}
	return max(-maxSplit, min(maxSplit, percent-s.base))
}

// slot returns the place of a pane, if it is on the screen.
func (l *layout) slot(p paneID) (slot, bool) {
	for _, s := range l.slots {
		if s.pane == p {
			return s, true
		}
	}
	return slot{}, false
}

// at returns the pane under a point of the screen.
func (l *layout) at(p image.Point) (paneID, bool) {
	for _, s := range l.slots {
		if p.In(s.title) || p.In(s.body) {
			return s.pane, true
		}
	}
	return 0, false
}

// layoutFor arranges the panes on a screen of w by h cells. It is pure.
func layoutFor(w, h int, a arranging) layout {
	l := layout{size: image.Pt(w, h)}
	if w < minWidth || h < minHeight {
		return l
	}
	l.header = image.Rect(0, 0, w, 1)
	l.query = image.Rect(0, 1, w, 2)
	l.notice = image.Rect(0, h-2, w, h-1)
	l.footer = image.Rect(0, h-1, w, h)
	body := image.Rect(0, 2, w, h-2)
	if a.strip {
		body.Max.Y--
		l.strip = image.Rect(0, body.Max.Y, w, body.Max.Y+1)
	}

	l.arrangement = arrangementFor(w, h)
	if a.plain {
		l.arrangement = single
		l.said = image.Rect(0, body.Min.Y, w, body.Min.Y+1)
		body.Min.Y++
	}
	switch {
	case l.arrangement == single || a.zoomed:
		l.slots = []slot{cutTitle(a.focus, body)}
	case a.view == viewPipeline:
		l.pipeline(body)
	case a.view == viewCorpus:
		l.corpus(body, a)
	case l.arrangement == stacked:
		rest := l.drawer(body, a)
		l.slots = append(above(rest, l.halves(rest, a.split), paneResults, panePreview), l.slots...)
	case l.arrangement == sideBySide && body.Dy() >= scoreUnderResultsHeight && !a.tune:
		left, right := l.columns(body, 40, a.split)
		if !a.score {
			l.slots = []slot{cutTitle(paneResults, left), cutTitle(panePreview, right)}
			break
		}
		l.slots = append(above(left, share(left.Dy(), 55, 6), paneResults, paneScore), cutTitle(panePreview, right))
	case l.arrangement == sideBySide:
		percent := 40
		if a.tune {
			percent = 52 // what the parameters move is the list
		}
		left, right := l.columns(l.drawer(body, a), percent, a.split)
		l.slots = append([]slot{cutTitle(paneResults, left), cutTitle(panePreview, right)}, l.slots...)
	default:
		rest := l.drawer(body, a)
		left, right := l.columns(rest, 32*w/rest.Dx(), a.split)
		l.slots = append([]slot{cutTitle(paneResults, left), cutTitle(panePreview, right)}, l.slots...)
	}
	return l
}

// stagesHeight are the rows of the pipeline's line of stages, its title included.
const stagesHeight = 8

// pipeline has the line of stages above what happened in one of them.
func (l *layout) pipeline(body image.Rectangle) {
	l.slots = above(body, min(stagesHeight, body.Dy()/2), paneStages, paneFallen)
}

// corpus has the pages beside the one that is selected, or above it.
func (l *layout) corpus(body image.Rectangle, a arranging) {
	if l.arrangement == stacked {
		l.slots = above(body, l.halves(body, a.split), paneTree, panePage)
		return
	}
	left, right := l.columns(body, 38, a.split)
	l.slots = []slot{cutTitle(paneTree, left), cutTitle(panePage, right)}
}

// arrangementFor looks at the size alone. A cell is about twice as high as it is
// wide, so a screen higher than half its width stands upright.
func arrangementFor(w, h int) arrangement {
	switch {
	case w < stackedWidth:
		return single
	case w < sideBySideWidth, h > w/2:
		return stacked
	case w >= threeColumnsWidth && h >= threeColumnsHeight:
		return threeColumns
	default:
		return sideBySide
	}
}

// drawer puts the score or the parameters on the right edge, if it is wanted and leaves
// enough to the others, and returns what is left.
func (l *layout) drawer(body image.Rectangle, a arranging) image.Rectangle {
	wide := min(scoreColumn+max(0, body.Dx()-scoreColumnGrows)/3, scoreColumnMost)
	if a.tune && body.Dx() >= tuneGrows {
		wide = min(wide+tuneExtra, scoreColumnMost)
	}
	if !a.score && !a.tune || body.Dx()-wide-1 < drawerMinRest {
		return body
	}
	pane := paneScore
	if a.tune {
		pane = paneTune
	}
	x := body.Max.X - wide
	l.slots = append(l.slots, cutTitle(pane, image.Rect(x, body.Min.Y, body.Max.X, body.Max.Y)))
	l.seams = append(l.seams, image.Rect(x-1, body.Min.Y, x, body.Max.Y))
	return image.Rect(body.Min.X, body.Min.Y, x-1, body.Max.Y)
}

// columns cuts r in two with a seam between; the left part has base percent of
// it, and split percent points more.
func (l *layout) columns(r image.Rectangle, base, split int) (left, right image.Rectangle) {
	const least = 20
	x := r.Min.X + share(r.Dx(), base+split, least)
	seam := image.Rect(x, r.Min.Y, x+1, r.Max.Y)
	l.seams = append(l.seams, seam)
	l.split = splitLine{handle: seam, area: r, base: base, least: least}
	return image.Rect(r.Min.X, r.Min.Y, x, r.Max.Y), image.Rect(x+1, r.Min.Y, r.Max.X, r.Max.Y)
}

// halves are the rows of the upper of two panes.
func (l *layout) halves(r image.Rectangle, split int) int {
	const base, least = 42, 4
	rows := share(r.Dy(), base+split, least)
	y := r.Min.Y + rows
	l.split = splitLine{handle: image.Rect(r.Min.X, y, r.Max.X, y+1), area: r, base: base, least: least, rows: true}
	return rows
}

// share is percent of n, leaving at least least on both sides.
func share(n, percent, least int) int {
	return max(least, min(n*percent/100, n-least))
}

// above puts one pane above another; the upper one has so many rows.
func above(r image.Rectangle, rows int, upper, lower paneID) []slot {
	y := r.Min.Y + rows
	return []slot{
		cutTitle(upper, image.Rect(r.Min.X, r.Min.Y, r.Max.X, y)),
		cutTitle(lower, image.Rect(r.Min.X, y, r.Max.X, r.Max.Y)),
	}
}

func cutTitle(p paneID, r image.Rectangle) slot {
	y := min(r.Min.Y+1, r.Max.Y)
	return slot{
		pane:  p,
		title: image.Rect(r.Min.X, r.Min.Y, r.Max.X, y),
		body:  image.Rect(r.Min.X, y, r.Max.X, r.Max.Y),
	}
}
