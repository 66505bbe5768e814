#!/bin/sh
# Rewrites golden files and the documents that are made from the code.
set -eu
cd "$(dirname "$0")/.."
go run ./cmd/webrag-tui config env > blank.env
for dir in $(grep -rl 'x/exp/golden' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
	go test "$dir" -update || true # goldens are rewritten where a test fails for another reason too
done
WEBRAG_UPDATE_DOCS=1 go test ./cmd/webrag-tui -run Generated
