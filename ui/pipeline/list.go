package pipeline

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// candidate is one of those that a stage dropped, merged or let through.
type candidate struct {
	// id is its own, section that of the section it belongs to.
	id, section string
	page, name  string
	of          view.Page
	// apart says that the end of the page's name tells it from that of others.
	apart bool
	// value is what decided, note by how much, both empty where it is the same for the
	// whole group. into is what it became part of, where that is called otherwise.
	value, note, into string
	up, down          bool // whether note is a rise or a fall
}

// way names a candidate as everywhere: its page, then its heading.
func (c *candidate) way() string {
	if c.page == "" {
		return c.name
	}
	return c.page + wording.TrailSign + c.name
}

// group are the candidates that share what happened to them.
type group struct {
	// key is its name as long as the stage is looked at, also when its words change.
	key string
	// what says how many there are and what became of them, why the reason.
	what, why string
	// drops says that they were dropped, folded that they are shown once they are asked for.
	drops, folded bool
	all           []candidate
	// value and note are the cells of those columns.
	value, note int
}

func (g *group) measure() {
	for i := range g.all {
		g.value = max(g.value, ansi.StringWidth(g.all[i].value))
		g.note = max(g.note, ansi.StringWidth(g.all[i].note))
	}
}

// rowKind is what a line of the list is.
type rowKind uint8

const (
	textRow      rowKind = iota // a sentence
	headRow                     // of a group
	candidateRow                // one of its candidates
	restRow                     // how many more of them there are
)

// row is a line of the list.
type row struct {
	kind  rowKind
	text  string
	group int
	at    int // of the candidate in its group, or of the first that is hidden
}

// groupOf names a group of a stage.
type groupOf struct{ stage, key string }

// outcomeList is what happened in one stage: sentences, and under them groups of
// candidates.
type outcomeList struct {
	widget.List
	text   []string
	groups []group
	rows   []row
	w      int
	// folded says which groups the user has folded or unfolded, of stage, also of stages that
	// are looked at no more.
	folded map[groupOf]bool
	stage  string
	// hit is what is searched for, empty for nothing, hits the rows that have it.
	hit  string
	hits []int
}

// selected is the candidate under the cursor, or nil.
func (l *outcomeList) selected() *candidate {
	if l.At < 0 || l.At >= len(l.rows) || l.rows[l.At].kind != candidateRow {
		return nil
	}
	return l.candidateOf(l.At)
}

func (l *outcomeList) candidateOf(row int) *candidate {
	r := &l.rows[row]
	return &l.groups[r.group].all[r.at]
}

// foldable is the group that the cursor is on, where there is something to fold or unfold.
func (l *outcomeList) foldable() *group {
	if l.At < 0 || l.At >= len(l.rows) || l.rows[l.At].kind == textRow {
		return nil
	}
	return &l.groups[l.rows[l.At].group]
}

// clear forgets the rows and where one was, and remembers what was folded and unfolded.
func (l *outcomeList) clear() {
	l.text, l.groups, l.rows, l.hits, l.At, l.Top, l.Total = nil, nil, nil, nil, -1, 0, 0
}

// stops says that the cursor can stand on a row.
func (l *outcomeList) stops(row int) bool { return l.rows[row].kind != textRow }

// isFolded says that of a group the head alone is shown; chosen that the user wants it so.
func (l *outcomeList) isFolded(i int) (folded, chosen bool) {
	g := &l.groups[i]
	if folded, chosen = l.folded[groupOf{l.stage, g.key}]; chosen {
		return folded && l.hit == "", true
	}
	return g.folded && l.hit == "", l.hit != "" || g.folded
}

// startsFolded says that the head of a group is what there is of it to begin with.
func (l *outcomeList) startsFolded(i int) bool {
	folded, _ := l.isFolded(i)
	return folded
}

// leastShown is how many of a group are shown however little room there is.
const leastShown = 3

// shares says how many candidates of each group are shown: none of those that are folded, all
// of those that the user has unfolded. The others have what room is left, the first ones first.
func (l *outcomeList) shares() []int {
	shown := make([]int, len(l.groups))
	room := l.Height - len(l.text) - len(l.groups)
	for i := range l.groups {
		switch folded, chosen := l.isFolded(i); {
		case folded:
		case chosen:
			shown[i] = len(l.groups[i].all)
		default:
			shown[i] = l.least(i)
		}
		room -= l.rowsOf(i, shown[i])
	}
	for i := range l.groups {
		if _, chosen := l.isFolded(i); chosen {
			continue
		}
		room += l.rowsOf(i, shown[i])
		if all := len(l.groups[i].all); room >= all {
			shown[i] = all
		} else {
			shown[i] = max(shown[i], room-1)
		}
		room -= l.rowsOf(i, shown[i])
	}
	return shown
}

func (l *outcomeList) least(i int) int { return min(leastShown, len(l.groups[i].all)) }

// rowsOf are the rows of a group of which so many are shown, below its head: where some are
// hidden, one says how many.
func (l *outcomeList) rowsOf(i, shown int) int {
	if 0 < shown && shown < len(l.groups[i].all) {
		return shown + 1
	}
	return shown
}

// lay lays the rows out anew.
func (l *outcomeList) lay() {
	l.rows = l.rows[:0]
	for _, t := range l.text {
		l.rows = append(l.rows, row{kind: textRow, text: t})
	}
	shown := l.shares()
	for i := range l.groups {
		l.rows = append(l.rows, row{kind: headRow, group: i})
		for at := range shown[i] {
			l.rows = append(l.rows, row{kind: candidateRow, group: i, at: at})
		}
		if 0 < shown[i] && shown[i] < len(l.groups[i].all) {
			l.rows = append(l.rows, row{kind: restRow, group: i, at: shown[i]})
		}
	}
	l.Total = len(l.rows)
	l.search(l.hit)
}

// put replaces what is listed. The candidate or the group that was selected stays so, if
// it is still there; otherwise it is the first candidate.
func (l *outcomeList) put(text []string, groups []group) {
	var id, key string
	if c := l.selected(); c != nil {
		id = c.id
	} else if g := l.foldable(); g != nil {
		key = g.key
	}
	seen := l.Has(l.At) // else its top is looked at
	l.text, l.groups = text, groups
	for i := range groups {
		groups[i].measure()
	}
	l.lay()
	l.At = l.find(id, key)
	l.scroll((id != "" || key != "") && seen && l.At >= 0)
}

// find is the row of a candidate, or of the head of a group; else the first candidate or
// the head of a group that is folded, or the first that the cursor can stand on.
func (l *outcomeList) find(id, key string) int {
	first := func(is func(r row) bool) int { return slices.IndexFunc(l.rows, is) }
	for _, is := range []func(r row) bool{
		func(r row) bool { return r.kind == candidateRow && l.groups[r.group].all[r.at].id == id },
		func(r row) bool { return r.kind == headRow && l.groups[r.group].key == key },
		func(r row) bool { return r.kind == candidateRow || r.kind == headRow && l.startsFolded(r.group) },
		func(r row) bool { return r.kind != textRow },
	} {
		if at := first(is); at >= 0 {
			return at
		}
	}
	return -1
}

// hides says that not all of a group is shown.
func (l *outcomeList) hides(g *group) bool {
	shown := 0
	for i := range l.rows {
		if r := &l.rows[i]; r.kind == candidateRow && l.groups[r.group].key == g.key {
			shown++
		}
	}
	return shown < len(g.all)
}

// fold unfolds the group under the cursor where some of it is hidden, and folds it
// otherwise.
func (l *outcomeList) fold() {
	g := l.foldable()
	if g == nil {
		return
	}
	on, hidden := l.rows[l.At], l.hides(g)
	l.setFolded(g.key, !hidden)
	l.lay()
	id := ""
	if hidden && on.kind != headRow {
		id = g.all[on.at].id // of the row that said how many more there are, the first of them
	}
	l.At = l.find(id, g.key)
	l.scroll(true)
}

// keepInSight unfolds the group of the selected candidate where it would be hidden.
func (l *outcomeList) keepInSight() {
	if c := l.selected(); c != nil {
		if on := l.rows[l.At]; on.at >= l.shares()[on.group] {
			l.setFolded(l.groups[on.group].key, false)
		}
	}
}

func (l *outcomeList) setFolded(key string, folded bool) {
	if l.folded == nil {
		l.folded = map[groupOf]bool{}
	}
	l.folded[groupOf{l.stage, key}] = folded
}

func (l *outcomeList) scroll(follow bool) {
	if follow {
		// The last line may say how many more there are: it is not that of the cursor.
		l.Show(min(l.At+1, len(l.rows)-1))
		if l.At > 0 && l.rows[l.At-1].kind == headRow {
			l.Show(l.At - 1) // what they are stands above them
		}
		l.Show(l.At)
	}
	l.Pager.Resize(l.Height, len(l.rows))
}
