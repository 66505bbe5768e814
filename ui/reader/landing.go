package reader

import "github.com/webrag/webrag-tui/ui/rendering"

// landingKind says where in a section the reader arrives.
type landingKind uint8

const (
	landBest  landingKind = iota // at the best mark, else at the beginning
	landFirst                    // at the first mark
	landLast                     // at the last mark
	landAt                       // at a character
	landPlace                    // where the reader was before
)

// Landing is where in a section the reader arrives: the zero one at its best mark, else at
// its beginning.
type Landing struct {
	to landingKind
	// at is the character to land at, in code points of the section's text.
	at int
	// place is the one that was left.
	place Place
}

// At lands at a code point of the section's text.
func At(at int) Landing { return Landing{to: landAt, at: at} }

// Place is where in a section one reads, and in which form.
type Place struct {
	// top is the first visible line, mark the one that n and N stand on, -1 for none.
	top, mark int
	form      rendering.Form
}

// LooksLike says that two places of one section look alike on the screen.
func (p Place) LooksLike(o Place) bool { return p.top == o.top && p.form == o.form }

// Place is the present place.
func (v *View) Place() Place { return Place{top: v.shown.Top, mark: v.shown.focus, form: v.shown.form} }

// Land has the text shown anew at the next [View.Follow]; if it is then of the section of an
// id, the reader arrives in it by l.
func (v *View) Land(id string, l Landing) {
	v.ShowAnew()
	v.shown.land, v.shown.landOn = l, id
}

// Return is Land at a place that was left, in the form that it had.
func (v *View) Return(id string, p Place) {
	v.Land(id, Landing{to: landPlace, place: p})
	v.shown.setForm(p.form, false)
}

// ShowAnew has the text shown anew at the next [View.Follow], as if another one had been
// shown before.
func (v *View) ShowAnew() { v.shown.anew = true }

// arriveBy brings the reader to a place of the section that was just rendered.
func (p *shownSection) arriveBy(l Landing) {
	if p.item == nil || p.landOn != p.item.ChunkID {
		l = Landing{}
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
		p.focus, p.Top = min(l.place.mark, len(p.stops)-1), l.place.top
		p.refit()
		return
	default:
		if len(p.stops) > 0 {
			p.focus = 0
		}
	}
	p.reveal()
}
