#!/bin/sh
# Prints the packages that the race detector can say something about: those in
# which, tests included, a goroutine is started or a lock, an atomic or a channel
# used. Others do all in the goroutine of their caller; where that is one of
# many, the caller's own tests run them under the detector. sync.Once and its
# like guard themselves.
set -eu
cd "$(dirname "$0")/.."
signs='^[[:space:]]*go (func|[[:alnum:]_.]+)\(|\.Go\(|make\(chan |"sync/atomic"|sync\.(Mutex|RWMutex|Map|Pool|Cond|WaitGroup)'
go list -f '{{.Dir}}' ./... | while read -r folder; do
	if grep -qE "$signs" "$folder"/*.go; then
		echo "./${folder#"$PWD"/}"
	fi
done
