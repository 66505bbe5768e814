package view

import "slices"

// Latest keeps the values that came last, by id. The zero value keeps none.
type Latest[V any] struct {
	byID   map[string]V
	oldest []string
}

// Keep keeps a value, and at most so many: the one that came first goes.
func (l *Latest[V]) Keep(id string, v V, most int) {
	if l.byID == nil {
		l.byID = map[string]V{}
	}
	if _, ok := l.byID[id]; !ok {
		l.oldest = append(l.oldest, id)
	}
	l.byID[id] = v
	if len(l.oldest) > most {
		delete(l.byID, l.oldest[0])
		l.oldest = slices.Delete(l.oldest, 0, 1)
	}
}

// Of is the value of an id, if it is kept.
func (l *Latest[V]) Of(id string) (v V, ok bool) {
	v, ok = l.byID[id]
	return v, ok
}
