package spans

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// layout is a finished rendering of a displayed text, in bytes of that text.
type layout struct {
	rows     []row
	places   [][]place // for each glyph of each row
	units    []unit
	headings []heading
	// approximate is set when some rows could not be mapped exactly.
	approximate bool
}

// place is where a glyph comes from; start equals end for what has no source.
type place struct{ start, end, container int32 }

// typeset renders source and maps it. A panic of the renderer is returned as an
// error: the text comes from anywhere, and the parser and the renderer are not
// ours.
func typeset(ctx context.Context, source string, o Options) (l *layout, err error) {
	source = withoutPlaceholders(source)
	defer func() {
		if r := recover(); r != nil {
			l, err = nil, fmt.Errorf("render: %v", r)
		}
	}()
	s, mapped, err := mapUnits(ctx, source, o, narrowTables{})
	if err != nil {
		return nil, err
	}
	if lost := s.lostTables(mapped, o.Width); len(lost) > 0 {
		if s, mapped, err = mapUnits(ctx, source, o, lost); err != nil {
			return nil, err
		}
	}
	shown, err := s.render(shownTheme(o.Theme), o.Width, false)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l = &layout{rows: decodeRows(shown, o.Width), units: s.units, headings: s.headings}
	l.places, l.approximate = transfer(l.rows, mapped)
	l.outdent(&o.Theme)
	if !l.approximate {
		l.squeezeTables(s, o.Theme.Table)
	}
	l.trim()
	return l, nil
}

// narrowTables are the numbers of the tables that do not fit as grids.
type narrowTables map[int]bool

// mapUnits renders source with tags and finds the source of each glyph.
func mapUnits(
	ctx context.Context, source string, o Options, narrow narrowTables,
) (*script, *inkedRows, error) {
	t := parse(source, o, narrow)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s := instrument(t, o)
	out, err := s.render(bareTheme(o.Theme), o.Width, true)
	if err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return s, s.locate(decodeRows(out, o.Width)), nil
}

// render runs glamour over the tree. Its renderer keeps a stack while it works,
// so each call has its own.
func (s *script) render(theme ansi.StyleConfig, width int, inked bool) (string, error) {
	arena := s.plain
	if inked {
		arena = s.inked
	}
	for _, slot := range s.slots {
		if inked {
			slot.set(slot.inked)
		} else {
			slot.set(slot.plain)
		}
	}
	glamour := ansi.NewRenderer(ansi.Options{
		WordWrap:         width,
		Styles:           theme,
		InlineTableLinks: true,
		PreserveNewLines: true,
	})
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(glamour, 1000)))
	var out bytes.Buffer
	if err := r.Render(&out, arena, s.tree.root); err != nil {
		return "", fmt.Errorf("render: %w", err)
	}
	return out.String(), nil
}

// ellipsis is what lipgloss puts where it cuts the text of a table cell.
const ellipsis = "…"

// inkedRows is the rendering with tags, decoded.
type inkedRows struct {
	rows   []row
	places [][]place
	done   []int // bytes of each unit that were found
	// last is the row in which the last of them was, for each unit; broken says that one of
	// its lines ends in the middle of a word.
	last   []int
	broken []bool
}

// locate follows each unit through the rows. A unit's glyphs come in order even
// where it wraps in a table cell and its lines alternate with other columns.
func (s *script) locate(rows []row) *inkedRows {
	m := &inkedRows{rows: rows, places: make([][]place, len(rows)), done: make([]int, len(s.units)), last: make([]int, len(s.units)), broken: make([]bool, len(s.units))}
	for i := range rows {
		m.places[i] = make([]place, len(rows[i].glyphs))
		for j, g := range rows[i].glyphs {
			shown := rows[i].text[g.off : g.off+g.len]
			p := m.take(s.units, g.ink, i, shown[:g.own])
			if g.accent != 0 {
				p = p.with(m.take(s.units, g.accent, i, shown[g.own:]))
			}
			m.places[i][j] = p
		}
	}
	return m
}

// take follows unit number ink over the text of a glyph in a row.
func (m *inkedRows) take(units []unit, ink int32, row int, shown string) place {
	if ink == 0 || int(ink) > len(units) {
		return place{}
	}
	u, done := &units[ink-1], &m.done[ink-1]
	from, to := *done, *done+len(shown)
	switch {
	case strings.HasPrefix(u.visible[from:], shown):
		*done = to
		if from > 0 && row != m.last[ink-1] && isWithinWord(u.visible, from) {
			m.broken[ink-1] = true
		}
		m.last[ink-1] = row
	case shown == ellipsis || from == len(u.visible):
		return place{} // stands for what was cut
	default:
		// Shown otherwise than written, so only the whole is known.
		from, to = 0, len(u.visible)
	}
	start, end := u.source(from, to)
	return place{start: int32(start), end: int32(end), container: u.container}
}

// with returns the range that encloses both.
func (p place) with(q place) place {
	switch {
	case p.start == p.end:
		return q
	case q.start == q.end:
		return p
	}
	return place{start: min(p.start, q.start), end: max(p.end, q.end), container: p.container}
}

// isWithinWord says that a line which ends before a byte of a text breaks a word of it: not
// after a hyphen, and not in a script that has no blanks between words.
func isWithinWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return before != '-' && isOfWord(before) && isOfWord(after)
}

func isOfWord(r rune) bool {
	return r > ' ' && xansi.StringWidth(string(r)) == 1 && !unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// lostTables returns the tables whose columns are too narrow: of which some text is not
// on the screen, or a word is broken that a line of so many cells has room for. lipgloss
// shares the width out with no regard to words.
func (s *script) lostTables(m *inkedRows, width int) narrowTables {
	lost := narrowTables{}
	for i := range s.units {
		u := &s.units[i]
		if t := s.tableOf[u.container]; t >= 0 && (m.done[i] < len(u.visible) || m.broken[i] && xansi.StringWidth(u.visible) <= width) {
			lost[t] = true
		}
	}
	return lost
}

// trim drops the empty rows around the text, which themes put there for
// terminals without panes, and leaves one of several between two blocks.
func (l *layout) trim() {
	var (
		rows   []row
		places [][]place
		empty  int
		block  int32 = -1
	)
	for i, r := range l.rows {
		if r.styled == "" {
			empty++
			continue
		}
		next := container(l.places[i])
		if next != block {
			empty = min(empty, 1)
		}
		if len(rows) > 0 {
			// Empty lines of one block are code.
			rows = append(rows, make([]row, empty)...)
			places = append(places, make([][]place, empty)...)
		}
		rows, places, block, empty = append(rows, r), append(places, l.places[i]), next, 0
	}
	l.rows, l.places = rows, places
}

// container is the block that the last text of a row belongs to, -1 for none.
func container(places []place) int32 {
	for _, p := range slices.Backward(places) {
		if p.start < p.end {
			return p.container
		}
	}
	return -1
}
