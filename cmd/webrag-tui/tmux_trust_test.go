package main

import "testing"

// At a terminal the program asks once whether a folder's .env may decide where data
// goes, and takes anything but a yes for a no.
func TestTheTerminalAsksWhetherAFolderIsTrusted(t *testing.T) {
	x := newTerminal(t, "150", "40")
	run := func(command string) {
		x.text("clear; " + command + "; echo ended-$?")
		x.until("echo ended")
		x.keys("Enter")
		x.gone("echo ended") // and with it what was on the screen before
	}
	run("cd; mkdir folder; cd folder; echo DATABASE_URL=../elsewhere.db > .env; webrag-tui query page")
	x.until("DATABASE_URL=../elsewhere.db", "Say yes to this file as it is now? [y/N]")
	x.keys("Enter")
	x.until("say yes with 'webrag-tui trust'", "ended-2")
	run("webrag-tui query page")
	x.until("[y/N]")
	x.keys("C-c")
	x.until("ended-130")
	run("webrag-tui query page")
	x.until("[y/N]")
	x.text("y")
	x.keys("Enter")
	x.until("there is no corpus at ../elsewhere.db", "ended-2")
	run("webrag-tui query page")
	x.until("there is no corpus at", "ended-2")
	x.gone("[y/N]")
	run("echo >> .env; webrag-tui query page")
	x.until("has changed since it was trusted", "[y/N]")
}
