package cputime

import (
	"time"

	"golang.org/x/sys/windows"
)

// Now is the processor time that this process has used. Unlike the time of
// day it does not depend on what else the machine is doing.
func Now() time.Duration {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		panic(err)
	}
	ticks := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
