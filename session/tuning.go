package session

import (
	"slices"
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
	works *works
	now   func() time.Time // divides changes

	// start is what the preset or profile gives.
	start  Setting
	params param.Params
	// against is what they are compared with: what they started from at first, whatever
	// they start from since. Neither saving them nor choosing another preset is a reason
	// to compare them with themselves. pinned says that somebody chose it instead.
	against Setting
	pinned  bool
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

// gesture is the pause that divides two changes of one parameter: the repeats of a key
// that is held down follow each other faster, and two presses that are meant as two do not.
const gesture = 400 * time.Millisecond

// Params are the present parameters.
func (t *tuning) Params() param.Params { return t.params }

// Start is the preset or profile that the parameters started from.
func (t *tuning) Start() Setting { return t.start }

// Name names the parameters, on one line; a star says that they were changed.
func (t *tuning) Name() string { return tuned{t.start, t.params}.name() }

func (t tuned) name() string {
	name := offset.Trimmed(t.start.Name)
	if t.params != t.start.Params {
		name += "*"
	}
	return name
}

// Field is the parameter that was changed last, empty for several at once.
func (t *tuning) Field() string { return t.field }

// IsPinned reports whether the baseline was pinned.
func (t *tuning) IsPinned() bool { return t.pinned }

// CanUndo reports whether there is a change to take back.
func (t *tuning) CanUndo() bool { return len(t.undo) > 0 }

// CanRedo reports whether there is a change that was taken back, to be made again.
func (t *tuning) CanRedo() bool { return len(t.redo) > 0 }

// set changes the parameters, and reports whether that changed anything.
func (t *tuning) set(p param.Params, field string) bool {
	if p == t.params {
		return false
	}
	now := t.now()
	if field == "" || field != t.field || now.Sub(t.at) > gesture || len(t.undo) == 0 {
		t.remember()
	}
	t.field, t.at, t.redo = field, now, nil
	t.params = p
	t.works.tell(ParamsChanged)
	return true
}

// Divide has the next change be undone by itself, however soon it comes.
func (t *tuning) Divide() { t.at = time.Time{} }

// startFrom changes to the parameters of a preset or profile, and reports whether that
// changed anything.
func (t *tuning) startFrom(start Setting) bool {
	if start == t.start && start.Params == t.params {
		return false
	}
	t.remember()
	t.field, t.redo = "", nil
	t.start, t.params = start, start.Params
	t.works.tell(ParamsChanged | ComparisonsChanged)
	return true
}

// exchange goes back to the parameters that were left last, and reports whether there are
// any: from is undo and to is redo, or the other way round.
func (t *tuning) exchange(from, to *[]tuned) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, tuned{t.start, t.params})
	last := (*from)[n-1]
	*from = (*from)[:n-1]
	if last.start != t.start {
		t.works.tell(ComparisonsChanged)
	}
	t.start, t.params, t.field = last.start, last.params, ""
	t.works.tell(ParamsChanged)
	return true
}

func (t *tuning) remember() {
	t.undo = append(t.undo, tuned{t.start, t.params})
	if len(t.undo) > mostUndone {
		t.undo = t.undo[1:]
	}
}

// pin makes the present parameters the baseline or, where they are pinned already, lets
// them go.
func (t *tuning) pin() {
	if t.pinned && t.against.Params == t.params {
		t.against, t.pinned = t.start, false
	} else {
		t.against, t.pinned = Setting{"earlier " + t.Name(), t.params}, true
	}
	t.works.tell(ComparisonsChanged)
}

// KeepTuning keeps the parameters with what can be undone and what they are compared with,
// for whoever lends the session out: back puts all of it back, ranks and measures.
func (s *Session) KeepTuning() (back func() []Work) {
	kept := s.tuning
	kept.undo, kept.redo = slices.Clone(kept.undo), slices.Clone(kept.redo)
	return func() []Work {
		s.tuning = kept
		s.works.tell(ParamsChanged | ComparisonsChanged)
		return s.rankAndMeasure()
	}
}

// StartAnew starts from other parameters as if nothing had been tuned before, as another
// corpus does: nothing is pinned, and nothing can be undone. Nothing is ranked: it is for
// before the corpus is asked.
func (t *tuning) StartAnew(start Setting) {
	*t = tuning{works: t.works, now: t.now, start: start, against: start, params: start.Params}
	t.works.tell(ParamsChanged)
}

// Restore sets the parameters that an earlier session ended with, before anything is
// asked. Those of the start stay one undo away.
func (t *tuning) Restore(p param.Params) {
	t.remember()
	t.params, t.restored = p, &p
	t.works.tell(ParamsChanged)
}

// IsRestored reports whether the parameters are those of an earlier session, which had
// changed them.
func (t *tuning) IsRestored() bool {
	return t.restored != nil && *t.restored == t.params && t.params != t.start.Params
}

// saved says that the present parameters were saved under a name.
func (t *tuning) saved(name string) {
	t.start = Setting{name, t.params}
	t.works.tell(ParamsChanged | ComparisonsChanged)
}

// Adapt makes the parameters suit another corpus, for which presets and profiles give
// other values: of those that nobody has changed. What can be undone is adapted with
// them. adapted gives a preset or profile by its name; ok is false for one that stays as
// it is. Nothing is ranked: it is for before the corpus is asked.
func (t *tuning) Adapt(adapted func(name string) (p param.Params, ok bool)) {
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
	before := t.start
	t.start.Params = move(t.start, &t.params)
	for _, list := range [][]tuned{t.undo, t.redo} {
		for i := range list {
			list[i].start.Params = move(list[i].start, &list[i].params)
		}
	}
	if t.restored != nil {
		*t.restored = Rebase(*t.restored, before.Params, t.start.Params)
	}
	if t.pinned {
		t.against.Params = Rebase(t.against.Params, before.Params, t.start.Params)
	} else {
		of := t.against.Params
		t.against.Params = move(t.against, &of)
	}
	t.works.tell(ParamsChanged)
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
