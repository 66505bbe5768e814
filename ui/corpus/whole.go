package corpus

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/view"
)

// readyKept is how many rendered sections of a page are kept.
const readyKept = 96

// wholePage is a page in full: the texts of its sections, one under the other.
// Of a long page only what is near the screen is rendered, and no height but
// those of sections that were passed is ever known: where one stands is a line
// of a section.
type wholePage struct {
	w, h     int
	content  *session.PageContent
	sections []wholeSection
	at       place
	err      error

	rendering        view.Work
	fetches, renders bool // one is under way
	texts            int  // sections with their texts
	// ready are sections that were rendered.
	ready *rendering.Cache
	look  *theme.Styles // that the marks were painted with

	// hit is what is searched for; hits are its places, of the texts that were
	// there when it was last looked for: sought texts, for soughtFor.
	hit, soughtFor string
	hits           []wholeHit
	sought         int
	seeking        view.Work
	seeks          bool
	// focus is a place among the stops, -1 for none; due is set until its section
	// is rendered and the line is known.
	focus int
	due   bool
	// matches are the places that the query matched.
	matches []wholeHit
}

// wholeSection is a section of a page that is shown whole.
type wholeSection struct {
	item *retrieval.Item // nil until its text is there
	raw  []string        // its text as it is, until it is rendered
	// height is its number of lines once it was rendered, 0 before.
	height int
	// marked is the painted rendering, nil where there is none.
	marked    *spans.Marked
	rendering *spans.Rendering
}

// place is a line of a section.
type place struct{ section, line int }

// wholeHit is a passage of a section, in code points of its text.
type wholeHit struct {
	section, start, end int
	level               spans.Level
}

// begin takes a page. Its texts come later.
func (p *wholePage) begin(c *session.PageContent) {
	p.clear()
	p.content, p.sections, p.focus = c, make([]wholeSection, len(c.Sections)), -1
	p.ready = rendering.NewCache(readyKept)
}

// clear forgets the page.
func (p *wholePage) clear() {
	p.stop()
	*p = wholePage{w: p.w, h: p.h, rendering: p.rendering, seeking: p.seeking}
}

// stop ends what is under way.
func (p *wholePage) stop() {
	p.rendering.End()
	p.seeking.End()
}

func (p *wholePage) setSize(w, h int) {
	if w != p.w {
		for i := range p.sections {
			s := &p.sections[i]
			s.raw, s.height, s.marked, s.rendering = nil, 0, nil, nil
		}
	}
	p.w, p.h = w, h
	p.clamp()
}

// unmark has the marks painted anew.
func (p *wholePage) unmark() {
	for i := range p.sections {
		p.sections[i].marked = nil
	}
	p.look = nil
}

// lines is the number of lines of a section as it is now, the blank one under it
// included.
func (p *wholePage) lines(i int) int {
	s := &p.sections[i]
	blank := 0
	if i < len(p.sections)-1 {
		blank = 1
	}
	switch {
	case s.height > 0:
		return s.height + blank
	case s.item == nil:
		return 1 + blank
	}
	return len(p.rawOf(i)) + blank
}

// rawOf is the text of a section as it is, wrapped.
func (p *wholePage) rawOf(i int) []string {
	s := &p.sections[i]
	if s.raw == nil {
		s.raw = rendering.RawLines(strings.TrimSpace(rendering.Beginning(s.item.ChunkText)), p.w)
	}
	return s.raw
}

func (p *wholePage) goTo(at place) {
	p.at = at
	p.clamp()
}

func (p *wholePage) scrollBy(n int) {
	p.at.line += n
	p.clamp()
}

// clamp moves the first line into the text, and not further than where the last
// one stands at the foot of the screen.
func (p *wholePage) clamp() {
	if len(p.sections) == 0 {
		p.at = place{}
		return
	}
	at := p.at
	at.section = max(0, min(at.section, len(p.sections)-1))
	for at.line < 0 && at.section > 0 {
		at.section--
		at.line += p.lines(at.section)
	}
	at.line = max(0, at.line)
	for at.section < len(p.sections)-1 && at.line >= p.lines(at.section) {
		at.line -= p.lines(at.section)
		at.section++
	}
	if last := p.lastTop(at); last.section < at.section || last.section == at.section && last.line < at.line {
		at = last
	}
	p.at = at
}

// lastTop is the first line when the end of the text is at the foot; at, where
// that is not known.
func (p *wholePage) lastTop(at place) place {
	left := p.h
	for i := len(p.sections) - 1; i >= 0; i-- {
		if p.sections[i].item == nil {
			return at // who knows how long it is
		}
		n := p.lines(i)
		if n >= left {
			return place{i, n - left}
		}
		left -= n
	}
	return place{}
}

func (p *wholePage) end(sign int) {
	p.at = place{}
	if sign > 0 {
		p.at = place{len(p.sections) - 1, 1 << 30}
	}
	p.clamp()
}

// visible are the sections on the screen.
func (p *wholePage) visible() (from, to int) {
	from, to = p.at.section, p.at.section
	for left := p.h + p.at.line; to < len(p.sections) && left > 0; to++ {
		left -= p.lines(to)
	}
	return from, to
}

// note says where in the page one is, and which mark one is on.
func (p *wholePage) note() string {
	if len(p.sections) == 0 {
		return ""
	}
	said := fmt.Sprintf("section %d of %d", p.at.section+1, len(p.sections))
	switch at, of := p.found(); {
	case of == 0 || p.hit != "":
	case at == 0:
		said = fmt.Sprintf("match –/%d  %s", of, said)
	default:
		said = fmt.Sprintf("match %d/%d  %s", at, of, said)
	}
	return said
}

// stops are the places that n and N step through.
func (p *wholePage) stops() []wholeHit {
	if p.hit != "" {
		return p.hits
	}
	return p.matches
}

func (p *wholePage) found() (at, of int) { return p.focus + 1, len(p.stops()) }

// step goes to the next stop; the first step goes to the first after the top of
// the screen.
func (p *wholePage) step(n int) {
	stops := p.stops()
	if len(stops) == 0 {
		return
	}
	switch {
	case p.focus >= 0 && p.focus < len(stops):
		p.focus = ((p.focus+n)%len(stops) + len(stops)) % len(stops)
	default:
		p.focus = 0
		for i, s := range stops {
			if s.section >= p.at.section {
				p.focus = i
				break
			}
		}
	}
	p.reveal()
}

// reveal brings the focused stop onto the screen, if it is not there.
func (p *wholePage) reveal() {
	stops := p.stops()
	p.due = false
	if p.focus < 0 || p.focus >= len(stops) {
		return
	}
	hit := stops[p.focus]
	s := &p.sections[hit.section]
	if s.rendering == nil {
		p.due = true
		p.goTo(place{section: hit.section})
		return
	}
	line := s.rendering.LineOf(hit.start)
	above := line - p.at.line
	for i := p.at.section; i < hit.section && above < p.h; i++ {
		above += p.lines(i)
	}
	if hit.section < p.at.section || above < 0 || above >= p.h {
		p.goTo(place{hit.section, line - p.h/3})
	}
}

// seek looks for words, in the texts that are there; empty ends it.
func (p *wholePage) seek(words string) {
	p.hit = words
	if words == "" {
		p.hits, p.soughtFor, p.sought, p.focus = nil, "", 0, -1
		p.unmark()
	}
}
