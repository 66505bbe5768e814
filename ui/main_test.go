package ui_test

import (
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: these tests make much of it and keep little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run() // its code is what the test binary exits with
}
