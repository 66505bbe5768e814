package ui

import (
	"image"

	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/score"
	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
)

// The panes, by their names.
const (
	paneResults = results.Pane
	panePreview = reader.Pane
	paneScore   = score.Pane
	// paneTune is the pane of parameters; it takes the place of the score.
	paneTune = tune.Pane
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
	tuneExtra               = 10  // for their tracks
	scoreUnderResultsHeight = 22  // body rows from which results and score share a column
	saidTwiceHeight         = 20  // from which the selected row is said in two lines
	leastBesideColumn       = 40  // cells that the column at the right leaves to the others
	tuneBesideStack         = 42  // of the parameters beside results that stand above the preview
	columnsBesideTune       = 130 // cells beside the parameters from which results and preview are columns: else a preview keeps less than sixty
	listBesideTune          = 56  // percent: what the parameters move is the list
	leastListBesideTune     = 54  // percent, beside a preview that is high enough
	stackedHeight           = 16  // body rows from which they can stand above each other instead
)

// arranging is what layoutFor decides by, beside the size.
type arranging struct {
	// arrange puts the panes of another view than the explorer's own.
	arrange func(l *view.Layout, body image.Rectangle, split int, upright bool)
	focus   view.Context
	// tune says that the parameters are open; they take the place of the score.
	tune bool
	// score says that the score pane is wanted where it has no place of its own.
	score bool
	// measure is how wide the body of a pane is to be at most, 0 for any width; nil is
	// that for all.
	measure func(view.Context) int
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

// layout is where everything stands. Rectangles that are not shown are empty.
type layout struct {
	arrangement    arrangement
	alone          bool // the list has the whole body, without a title
	size           image.Point
	header, query  image.Rectangle
	notice, footer image.Rectangle
	// strip is the line of the watch list, above the notices.
	strip image.Rectangle
	// said is the line with the selected row in words, on a plain screen.
	said image.Rectangle
	view.Layout
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
		rows := 1
		if h >= saidTwiceHeight {
			rows = 2 // a long one goes on
		}
		l.said = image.Rect(0, body.Min.Y, w, body.Min.Y+rows)
		body.Min.Y += rows
	}
	switch {
	case l.arrangement == single || a.zoomed:
		l.Slots = []view.Slot{view.CutTitle(a.focus, body)}
	case a.arrange != nil:
		a.arrange(&l.Layout, body, a.split, l.arrangement == stacked)
	case l.arrangement == stacked || l.stacksBesideTune(body, a):
		rest, percent := l.rightColumn(body, a), view.LessThanHalf
		if a.tune {
			percent = listBesideTune
		}
		l.Slots = append(view.Above(rest, l.Halves(rest, percent, a.split), paneResults, panePreview), l.Slots...)
	case l.arrangement == sideBySide && body.Dy() >= scoreUnderResultsHeight && !a.tune:
		left, right := l.Columns(body, 40, a.split)
		if !a.score {
			l.Slots = []view.Slot{view.CutTitle(paneResults, left), view.CutTitle(panePreview, right)}
			break
		}
		l.Slots = append(view.Above(left, view.Share(left.Dy(), 55, 6), paneResults, paneScore), view.CutTitle(panePreview, right))
	case l.arrangement == sideBySide:
		percent := 40
		if a.tune {
			percent = listBesideTune
		}
		left, right := l.Columns(l.rightColumn(body, a), percent, a.split)
		l.Slots = append([]view.Slot{view.CutTitle(paneResults, left), view.CutTitle(panePreview, right)}, l.Slots...)
	default:
		rest := l.rightColumn(body, a)
		percent := 36 * w / rest.Dx()
		if a.tune {
			percent = max(percent, leastListBesideTune)
		}
		left, right := l.Columns(rest, percent, a.split)
		l.Slots = append([]view.Slot{view.CutTitle(paneResults, left), view.CutTitle(panePreview, right)}, l.Slots...)
	}
	if a.measure != nil && !a.plain {
		for i, s := range l.Slots {
			l.Slots[i] = s.Within(a.measure(s.Pane))
		}
	}
	return l
}

// stacksBesideTune says that the parameters leave too little for results and preview side
// by side, and that they can stand above each other.
func (l *layout) stacksBesideTune(body image.Rectangle, a arranging) bool {
	return a.tune && (l.arrangement == sideBySide || l.arrangement == threeColumns) && body.Dx()-scoreColumn-1 < columnsBesideTune && body.Dy() >= stackedHeight
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

// rightColumn puts the score or the parameters on the right edge, if it is wanted and leaves
// enough to the others, and returns what is left.
func (l *layout) rightColumn(body image.Rectangle, a arranging) image.Rectangle {
	wide := min(scoreColumn+max(0, body.Dx()-scoreColumnGrows)/3, scoreColumnMost)
	switch {
	case a.tune && body.Dx() >= tuneGrows:
		wide = min(wide+tuneExtra, scoreColumnMost)
	case l.stacksBesideTune(body, a):
		wide = tuneBesideStack
	}
	if !a.score && !a.tune || body.Dx()-wide-1 < leastBesideColumn {
		return body
	}
	pane := paneScore
	if a.tune {
		pane = paneTune
	}
	x := body.Max.X - wide
	l.Slots = append(l.Slots, view.CutTitle(pane, image.Rect(x, body.Min.Y, body.Max.X, body.Max.Y)))
	l.Seams = append(l.Seams, image.Rect(x-1, body.Min.Y, x, body.Max.Y))
	return image.Rect(body.Min.X, body.Min.Y, x-1, body.Max.Y)
}
