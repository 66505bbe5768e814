package ui

import (
	"fmt"
	"reflect"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// crashed says that work beside the screen panicked, and where.
type crashed struct{ words string }

// caught makes a panic of a command, and of those that it brings, a message. The
// library catches it, too, but prints where it was while the screen is still the
// explorer's, with which the words often go.
func caught(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashed{fmt.Sprintf("panic: %v\n\n%s", r, debug.Stack())}
			}
		}()
		msg = cmd()
		// A batch, or a sequence, whose type is the library's own.
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range v.Len() {
				if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok {
					v.Index(i).Set(reflect.ValueOf(caught(cmd)))
				}
			}
		}
		return msg
	}
}
