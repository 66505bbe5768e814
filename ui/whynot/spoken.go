package whynot

import "github.com/webrag/webrag-tui/ui/wording"

// Said implements [view.SaidDialog]: the names of what is picked are not cut in it, and the
// figures of a change say what they count.
func (d *dialog) Said() string {
	if d.stage == picking {
		return d.picker.said()
	}
	if d.report == nil || d.page.at >= len(d.report.Suggestions) {
		return ""
	}
	signs, sg := &d.v.Styles().Signs, &d.report.Suggestions[d.page.at]
	return wording.Aloud(changeWords(d.report, sg, signs), sideWords(sg, d.watched, d.page.at, signs))
}

// said is the row under the cursor in words, empty without one.
func (p *picker) said() string {
	if p.At >= len(p.rows) {
		return ""
	}
	switch row := &p.rows[p.At]; {
	case row.here != "":
		return wording.Aloud("the selected section: why it is here", row.here)
	case row.entry != nil:
		e, rank, page := row.entry, "", ""
		if n := p.ranks[e.key()]; n > 0 {
			rank = "rank " + wording.Count(n)
		}
		if e.page && p.text() != "" {
			page = "all of the page"
		}
		return wording.Aloud(e.name, page, rank, row.near, e.address)
	case row.target.SourceURL != "":
		return "the page at " + wording.Line(row.target.SourceURL)
	default:
		return "find this text: " + wording.Line(row.target.Quote)
	}
}
