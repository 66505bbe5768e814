package session

import (
	"strings"
	"time"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Setting is a named set of parameters: a preset or profile, or what was pinned.
type Setting struct {
	Name   string
	Params param.Params
}

// tuning is what is being tuned. The parameters differ from those of a preset or profile
// as long as nobody has saved them.
type tuning struct {
	// start is what the preset or profile gives: what the parameters are compared
	// with as long as nothing is pinned.
	start  Setting
	params param.Params
	pinned *Setting
	// undo and redo are parameters that were left, latest last.
	undo, redo []tuned
	// restored are the parameters of an earlier session that this one began with,
	// nil for none.
	restored *param.Params
	// field and at are the last change's, so that a row of steps with one parameter
	// is undone at once.
	field string
	at    time.Time
}

// tuned is a set of parameters that was left, with what it came from.
type tuned struct {
	start  Setting
	params param.Params
}

// mostUndone bounds how many changes can be undone.
const mostUndone = 500

// gesture is the pause that divides two changes of one parameter.
const gesture = time.Second

// Params are the present parameters.
func (s *Session) Params() param.Params { return s.params }

// Start is the preset or profile that the parameters started from.
func (s *Session) Start() Setting { return s.start }

// Name names the parameters, on one line; a star says that they were changed.
func (s *Session) Name() string {
	name := strings.TrimSpace(offset.Line(s.start.Name))
	if s.params != s.start.Params {
		name += "*"
	}
	return name
}

// Field is the parameter that was changed last, empty for several at once.
func (s *Session) Field() string { return s.field }

// Set changes the parameters. field is the parameter that was changed; several changes
// of one in a row are undone at once. It is empty for a change of many.
func (s *Session) Set(p param.Params, field string) []Work {
	if p == s.params {
		return nil
	}
	now := s.now()
	if field == "" || field != s.field || now.Sub(s.at) > gesture || len(s.undo) == 0 {
		s.remember()
	}
	s.field, s.at, s.redo = field, now, nil
	s.params = p
	return s.tuned()
}

// StartFrom changes to the parameters of a preset or profile.
func (s *Session) StartFrom(start Setting) []Work {
	if start == s.start && start.Params == s.params {
		return nil
	}
	s.remember()
	s.field, s.redo = "", nil
	s.start, s.params = start, start.Params
	return s.tuned()
}

// Undo takes the last change back; ok is false where there is none.
func (s *Session) Undo() (work []Work, ok bool) { return s.exchange(&s.undo, &s.redo) }

// Redo makes the change again that was taken back; ok is false where there is none.
func (s *Session) Redo() (work []Work, ok bool) { return s.exchange(&s.redo, &s.undo) }

// CanUndo reports whether there is a change to take back.
func (s *Session) CanUndo() bool { return len(s.undo) > 0 }

func (s *Session) exchange(from, to *[]tuned) (work []Work, ok bool) {
	n := len(*from)
	if n == 0 {
		return nil, false
	}
	*to = append(*to, tuned{s.start, s.params})
	last := (*from)[n-1]
	*from = (*from)[:n-1]
	s.start, s.params, s.field = last.start, last.params, ""
	return s.tuned(), true
}

func (s *Session) remember() {
	s.undo = append(s.undo, tuned{s.start, s.params})
	if len(s.undo) > mostUndone {
		s.undo = s.undo[1:]
	}
}

// tuned ranks by the changed parameters, if there is something to rank.
func (s *Session) tuned() []Work {
	s.changed |= ParamsChanged
	if s.evidence == nil {
		return nil
	}
	return s.rank()
}

// Restore sets the parameters that an earlier session ended with, before anything is
// asked. Those of the start stay one undo away.
func (s *Session) Restore(p param.Params) {
	s.remember()
	s.params, s.restored = p, &p
	s.changed |= ParamsChanged
}

// IsRestored reports whether the parameters are those of an earlier session, which had
// changed them.
func (s *Session) IsRestored() bool {
	return s.restored != nil && *s.restored == s.params && s.params != s.start.Params
}

// Saved says that the present parameters were saved under a name. Nothing changes but
// what they started from: this is no step to undo.
func (s *Session) Saved(name string) []Work {
	s.start = Setting{name, s.params}
	s.changed |= ParamsChanged | BaselineChanged
	work := s.rankBaseline()
	return append(work, s.Judge()...)
}

// Adapt makes the parameters suit another corpus, for which presets and profiles give
// other values: of those that nobody has changed. What can be undone is adapted with
// them. adapted gives a preset or profile by its name; ok is false for one that stays as
// it is. Nothing is ranked: it is for before the corpus is asked.
func (s *Session) Adapt(adapted func(name string) (p param.Params, ok bool)) {
	starts := map[string][2]param.Params{}
	move := func(of Setting, p *param.Params) param.Params {
		pair, known := starts[of.Name]
		if !known {
			to, ok := adapted(of.Name)
			if !ok {
				return of.Params
			}
			pair = [2]param.Params{of.Params, to}
			starts[of.Name] = pair
		}
		*p = Rebase(*p, pair[0], pair[1])
		return Rebase(of.Params, pair[0], pair[1])
	}
	before := s.start
	s.start.Params = move(s.start, &s.params)
	for _, list := range [][]tuned{s.undo, s.redo} {
		for i := range list {
			list[i].start.Params = move(list[i].start, &list[i].params)
		}
	}
	if s.restored != nil {
		*s.restored = Rebase(*s.restored, before.Params, s.start.Params)
	}
	if s.pinned != nil {
		s.pinned.Params = Rebase(s.pinned.Params, before.Params, s.start.Params)
	}
	s.changed |= ParamsChanged
}

// Rebase gives parameters that started from others as if they had started from to: what
// was changed stays.
func Rebase(p, from, to param.Params) param.Params {
	for _, spec := range param.Specs() {
		f := spec.Field
		if value := to.Get(f); value != from.Get(f) && p.Get(f) == from.Get(f) {
			_ = p.Set(f, value) // it was written by Get
		}
	}
	return p
}
