//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "attack: these attacks watch processes through Linux's /proc and terminals: run them there")
	os.Exit(2)
}
