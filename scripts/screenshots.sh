#!/bin/sh
# Redraws the README's screenshots from the real program on the bundled guide.
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/${1:-bin/webrag-tui}
mkdir -p docs/screens
shot() { go run ./scripts/shot "$@"; }
query='how does depth decay change the ranking'
shot -size 150x42 -o docs/screens/explore.svg -key 'until:chunk mode' -key Escape -- "$bin" demo "$query"
shot -size 120x40 -light -o docs/screens/explore-light.svg -key 'until:chunk mode' -key Escape -- "$bin" demo --background light "$query"
