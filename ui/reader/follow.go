package reader

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// resizePause is how long the size rests before texts are laid out anew.
const resizePause = 80 * time.Millisecond

// Rendered is the message that brings a finished section. It is right for its key at any
// time.
type Rendered struct {
	v       *View
	key     rendering.Key
	section *rendering.Section
	err     error
}

// Follow brings the text of the selected section onto the pane. It is called after every
// message and costs microseconds while nothing has changed.
func (v *View) Follow() tea.Cmd {
	fetcher{v}.follow()
	it, p := v.Item(), &v.shown
	if it != p.item || p.anew {
		p.show(it, v.Marks(it))
	}
	if it == nil {
		return nil
	}
	if it.ChunkText == "" {
		return fetcher{v}.fetch(it)
	}
	p.loading = false
	key := v.job(it).Key
	if s := v.ready.Get(key); s != nil {
		v.due = rendering.Key{}
		if p.ready == s && p.painted == v.Styles() {
			return nil
		}
		return v.show(it, s)
	}
	if key == v.due {
		return nil
	}
	// A changed width keeps changing while the window is being dragged.
	pause := view.RestPause
	if v.due.IsResized(key) || p.ready != nil {
		pause = resizePause
	}
	v.due = key
	return v.resting.Rest(v.After, pause, renderer{v}.now)
}

// show puts the finished text of the selected section in place.
func (v *View) show(it *retrieval.Item, s *rendering.Section) tea.Cmd {
	p := &v.shown
	p.setReady(s)
	if v.words != "" && len(p.hits) == 0 {
		if hits := p.search(v.words); len(hits) > 0 {
			p.setHits(hits)
		}
	}
	if p.tentative && v.formOf(it) == rendering.HTML && p.misses() {
		v.ShowRendered()
		return v.Follow()
	}
	return v.resting.Rest(v.After, view.RestPause, renderer{v}.now)
}

// renderer renders the selected section, and its neighbours ahead.
type renderer struct{ *View }

// now renders the selected section, cancelling an older rendering; if that
// is done already, its neighbours.
func (v renderer) now() tea.Cmd {
	it := v.shown.item
	if it == nil || it.ChunkText == "" {
		return nil
	}
	job := v.job(it)
	if v.ready.Get(job.Key) != nil {
		return v.ahead()
	}
	return v.render(job)
}

func (v *View) job(it *retrieval.Item) rendering.Job {
	return v.ready.Job(it, v.formOf(it), rendering.Width(v.shown.w), v.Styles(), v.needs.ToMarkdown)
}

func (v renderer) render(job rendering.Job) tea.Cmd {
	ctx, _ := v.rendering.Begin(v.Context())
	return func() tea.Msg {
		s, err := job.Run(ctx)
		return Rendered{v: v.View, key: job.Key, section: s, err: err}
	}
}

// Apply implements [view.Arrival]: it keeps a finished section, whatever is shown by now.
func (msg Rendered) Apply() tea.Cmd {
	v := msg.v
	if errors.Is(msg.err, context.Canceled) {
		if v.due == msg.key {
			v.due = rendering.Key{}
		}
		return nil
	}
	if msg.err != nil {
		// A section without a rendering shows the text as it is.
		msg.section = &rendering.Section{Notice: "shown as it is: " + wording.Line(msg.err.Error())}
	}
	v.ready.Put(msg.key, msg.section)
	if v.shown.ready != nil {
		return renderer{v}.ahead()
	}
	return nil
}

// String is what a log says of it.
func (msg Rendered) String() string { return fmt.Sprintf("%s, error %v", msg.key, msg.err) }

// ahead renders the neighbours of the selection, so that the next key finds
// them ready.
func (v renderer) ahead() tea.Cmd {
	for _, at := range []int{1, -1} {
		it := v.needs.List.Neighbour(at)
		if it == nil {
			continue
		}
		if it.ChunkText == "" {
			it = v.texts.filled(it)
		}
		if it.ChunkText == "" {
			continue
		}
		if job := v.job(it); v.ready.Get(job.Key) == nil {
			return v.render(job)
		}
	}
	return nil
}
