#!/bin/sh
# Fuzzes every fuzz test of the module for the given time each (default 10s).
set -eu
time=${1:-10s}
cd "$(dirname "$0")/.."
for dir in $(grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
	for name in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //' | sort -u); do
		echo "$dir $name"
		go test "$dir" -run '^$' -fuzz "^$name\$" -fuzztime "$time"
	done
done
