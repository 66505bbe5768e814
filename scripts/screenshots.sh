#!/bin/sh
# Redraws the README's screenshots from the real program: on the bundled guide,
# and on the real pages that "make corpora" fetches.
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/${1:-bin/webrag-tui}
pages=$(scripts/corpora.sh | tail -n 1)
mkdir -p docs/screens .cache
shot() { go run ./scripts/shot "$@"; }

corpus=$PWD/.cache/documentation.db
"$bin" index --quiet --corpus "$corpus" "$pages/python3.11-doc/usr/share/doc/python3.11/html" \
	"$pages/python-sklearn-doc/usr/share/doc/python-sklearn-doc/html" >&2 || true # pages without text are reported

guide='how does depth decay change the ranking'
shot -size 150x42 -o docs/screens/explore.svg -key 'until:chunk mode' -key Escape -- "$bin" demo "$guide"
shot -size 150x42 -light -o docs/screens/explore-light.svg -key 'until:chunk mode' -key Escape -- "$bin" demo --background light "$guide"
shot -size 150x42 -o docs/screens/hybrid.svg -key 'until:chunk mode' -key Escape -- "$bin" demo --preset hybrid 'why is a page missing'
# The marks are in view when a section opens.
shot -size 150x42 -o docs/screens/documentation.svg -key 'until:chunk mode' -key Escape -- \
	"$bin" --corpus "$corpus" 'voting classifier majority'

# The same pages in a database, and how well its index answers.
export bin corpus
scripts/postgres.sh run sh -eu -c '
	PATH=$PATH:$(scripts/postgres.sh find --programs 2>/dev/null | sed -n "s/^programs //p")
	psql -q "$WEBRAG_TEST_DSN" -c "CREATE DATABASE documentation"
	dsn=$(echo "$WEBRAG_TEST_DSN" | sed "s|/[^/?]*?|/documentation?|; t; s|/[^/?]*\$|/documentation|")
	"$bin" copy --quiet --from "$corpus" --to "$dsn" >&2
	go run ./scripts/shot -size 120x40 -o docs/screens/index.svg -key "until:chunk mode" -key Escape -key "type::" \
		-key type:health -key Enter -key until:ef_search -- "$bin" --corpus "$dsn" "voting classifier majority"
'
