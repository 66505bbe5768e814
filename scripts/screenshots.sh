#!/bin/sh
# Redraws the README's pictures from the real program: screenshots.sh [BIN [PART...]]
#   guide   the screens, in dark and light, on the bundled guide: a minute
#   tour    the animated tour of the guide: a minute
#   pages   on the real pages that "make corpora" fetches
#   index   on a database of these pages
# Without a part, all of them; one that fails does not keep the others from being drawn.
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/${1:-bin/webrag-tui}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- guide tour pages index
out=docs/screens
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
# No state, settings or themes of the user's: the same pictures everywhere.
export XDG_CONFIG_HOME="$home" XDG_STATE_HOME="$home" XDG_CACHE_HOME="$home/cache" XDG_DATA_HOME="$home"
go_cache=$(go env GOCACHE)
GOCACHE=$go_cache go build -o "$home/shot" ./scripts/shot
mkdir -p "$out" .cache
shot() { "$home/shot" "$@"; }
question='how does depth decay change the ranking'

# F12 does nothing, but ends what the lines at the bottom say.
# both NAME SIZE FLAGS KEY... draws a screen of the guide in dark and light, after these keys.
# What one of them watches is not there for the next, which would take it off again.
both() {
	name=$1 size=$2 flags=$3
	shift 3
	keys="-key|until:Results|-key|until:50 queries|-key|sleep:1"
	for k; do keys="$keys|-key|$k"; done
	IFS='|'
	set -- $keys -key F12
	unset IFS
	rm -rf "$home/webrag-tui"
	shot -size "$size" -o "$out/$name.svg" "$@" -- "$bin" demo --fresh --background dark $flags "$question"
	rm -rf "$home/webrag-tui"
	shot -size "$size" -light -o "$out/$name-light.svg" "$@" -- "$bin" demo --fresh --background light $flags "$question"
}

guide() {
	both explore 150x42 ''
	both tune 120x40 '' \
		'type:*' 'type:/' 'type:why are there fewer results than the limit' Enter sleep:0.5 'type:*' \
		'type:/' 'type:what does a similarity of 0.3 mean' Enter sleep:0.5 'type:*' \
		'type:/' "type:$question" Enter sleep:0.5 type:t until:Tune Right Right
	both why 120x33 '--preset webrag' type:w 'until:Why is' 'type:scores and their scales' sleep:0.5 Enter 'until:would rank' sleep:1
	both pipeline 150x42 '' type:2 until:candidates
	both pair 150x42 '' type:D until:Compare 'type:webrag' Enter 'until:Two rankings' sleep:1
	both judge 150x42 '--preset hybrid' type:4 sleep:1
	both measure 120x33 '--preset hybrid' 'until:judged 1.00' type:5 'until:live is A' type:b sleep:0.5 'type:webrag' Enter 'until:B webrag' sleep:1
	both sweep 120x33 '--preset hybrid' type:6 'until:To be moved' Space sleep:0.5 type:r 'until:curve of' sleep:1
	both corpus 150x42 '' type:3 until:Traversal Down Down Down Down Down sleep:0.5
}

# The tour of the guide stops where a picture is taken, however slow the machine is.
tour() {
	sed -E 's/^wait ([2-9](\.5)?|1\.5)s$/pause/' ui/tour/guide.tour >"$home/guide.tour"
	set --
	# stop CAPTION SECONDS: when the tour rests there, keep the screen for so long.
	stop() { keys="$keys|until:$1|until:space goes on|sleep:0.7|frame:$2|Space"; }
	keys=
	stop 'how it decides' 2.2
	keys="$keys|until:how does de|frame:0.4|until:how does depth decay ch|frame:0.4"
	stop 'Ask in your own words' 1
	stop 'Sections, grouped' 4
	stop 'Why this score' 4
	stop 'Every parameter' 1.5
	keys="$keys|sleep:0.6|frame:0.5|sleep:0.3|frame:0.5|sleep:0.3|frame:0.5"
	stop 'The list was ranked' 4
	keys="$keys|until:Back to what|until:space goes on|Space"
	stop 'and is not. Why?' 2
	stop 'just below the floor' 4.5
	stop 'there it is' 4
	stop 'The pipeline:' 3.5
	stop 'The corpus:' 3.5
	stop 'Is a change' 2.5
	stop 'A higher floor' 4
	stop 'Question by question' 4.5
	stop 'A sweep' 1.5
	stop 'Each half' 4.5
	IFS='|'
	for k in ${keys#|}; do set -- "$@" -key "$k"; done
	unset IFS
	shot -size 120x33 -o "$out/tour.svg" "$@" -- "$bin" demo --fresh --background dark --script "$home/guide.tour"
}

# The real pages, indexed.
corpus=$PWD/.cache/documentation.db
pages() {
	found=$(scripts/corpora.sh | tail -n 1)
	"$bin" index --quiet --corpus "$corpus" "$found/python3.11-doc/usr/share/doc/python3.11/html" \
		"$found/python-sklearn-doc/usr/share/doc/python-sklearn-doc/html" >&2 || true # pages without text are reported
	# The marks are in view when a section opens.
	shot -size 150x42 -o "$out/documentation.svg" -key 'until:chunk mode' -key Escape -- \
		"$bin" --fresh --corpus "$corpus" 'voting classifier majority'
}

# The same pages in a database, and how well its index answers.
index() {
	shot=$home/shot
	export bin corpus out shot
	scripts/postgres.sh run sh -eu -c '
		PATH=$PATH:$(scripts/postgres.sh find --programs 2>/dev/null | sed -n "s/^programs //p")
		psql -q "$WEBRAG_TEST_DSN" -c "CREATE DATABASE documentation"
		dsn=$(echo "$WEBRAG_TEST_DSN" | sed "s|/[^/?]*?|/documentation?|; t; s|/[^/?]*\$|/documentation|")
		"$bin" copy --quiet --from "$corpus" --to "$dsn" >&2
		"$shot" -size 120x40 -o "$out/index.svg" -key "until:chunk mode" -key Escape -key "type::" \
			-key type:recall -key Enter -key until:ef_search -- "$bin" --fresh --corpus "$dsn" "voting classifier majority"
	'
}

failed=
for part; do
	case $part in
	guide | tour | pages | index) ;;
	*) echo "screenshots: no part $part: guide, tour, pages or index" >&2; exit 2 ;;
	esac
	# A shell of its own: where one is part of a condition, sh goes on after errors.
	set +e
	(set -e; "$part")
	[ $? -eq 0 ] || failed="$failed $part"
	set -e
done
[ -z "$failed" ] || { echo "screenshots: not drawn:$failed" >&2; exit 1; }
