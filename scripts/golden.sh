#!/bin/sh
# Rewrites golden files and the documents that are made from the code.
set -eu
cd "$(dirname "$0")/.."
WEBRAG_TEST_UPDATE=1 go test . ./cmd/webrag-tui -run 'TestGenerated|TestOracle' -count 1
WEBRAG_TEST_UPDATE=1 go test ./evaluation -run TestTheGuidesSetIsThatOfTheGuide -count 1
for dir in $(grep -rlE 'x/exp/golden|"update"' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
	go test "$dir" -update
done
