package ui

import "github.com/webrag/webrag-tui/ui/spans"

// landingPlace is where in a section the reader arrives.
type landingPlace uint8

const (
	landBest  landingPlace = iota // at the best mark, else at the beginning
	landFirst                     // at the first mark
	landLast                      // at the last mark
	landAt                        // at a character
	landPlace                     // where the reader was before
)

// landing says where in the section of an id the reader arrives. Of another
// section it says nothing.
type landing struct {
	id string
	to landingPlace
	// at is the character to land at, in code points of the section's text.
	at int
	// top and mark are the place that was left: the first visible line, and the
	// mark that n and N stood on.
	top, mark int
}

// arriveBy brings the reader to a place of the section that was just rendered.
func (p *previewPane) arriveBy(l landing) {
	if p.item == nil || l.id != p.item.ChunkID {
		l = landing{}
	}
	switch l.to {
	case landFirst:
		p.focus = min(0, len(p.stops)-1)
	case landLast:
		p.focus = len(p.stops) - 1
	case landAt:
		p.focus, p.Top = -1, p.lineOf(l.at)
		p.refit()
		return
	case landPlace:
		p.focus, p.Top = min(l.mark, len(p.stops)-1), l.top
		p.refit()
		return
	default:
		if len(p.stops) > 0 {
			p.focus = p.firstStop()
		}
	}
	p.reveal()
}

// lineOf is the line that shows a character of the section's text.
func (p *previewPane) lineOf(at int) int {
	if at <= 0 || p.page == nil || p.page.rendering == nil {
		return 0
	}
	placed := p.page.place([]spans.Span{{Start: at, End: at + 1}})
	if len(placed) == 0 {
		return 0
	}
	return p.page.rendering.LineOf(placed[0].Start)
}
