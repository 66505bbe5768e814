#!/bin/sh
# Finds a PostgreSQL server with pgvector 0.8 or newer, and runs it: for tests
# and for development. What it chose goes to standard error.
#
#   postgres.sh find [--programs]  print what would be used: "dsn DSN",
#                                  "programs FOLDER" or "docker IMAGE"
#   postgres.sh run COMMAND ...    run a command with WEBRAG_TEST_DSN set to a
#                                  server that lives as long as the command
#   postgres.sh serve              print the DSN of such a server, and keep it
#                                  until standard input ends
#   postgres.sh cluster [--bare]   make the cluster of a server, or only the
#                                  folder for one, and print "FOLDER PROGRAMS";
#                                  when standard input ends, stop the server
#                                  that may run there and remove the folder
#   postgres.sh start [--dir DIR]  start a server that stays, for development,
#                                  and print its DSN; its data stay in DIR
#   postgres.sh stop [--dir DIR]   stop it
#
# The first of these that works is used:
#   1. WEBRAG_TEST_DSN (for "run" and "serve");
#   2. a PostgreSQL of this machine that has pgvector, with a cluster of its own;
#   3. docker, if its daemon answers;
#   4. Debian's packages, unpacked by scripts/postgres-debian.sh.
# --programs leaves out what brings no programs: 1 and 3. Exit code 3 says that
# none works.
#
# Every server listens on 127.0.0.1 only and trusts whoever reaches it.
#
# shellcheck disable=SC2317 # what main calls is found by its name
set -eu

here=$(cd "$(dirname "$0")" && pwd)
image=pgvector/pgvector:pg17
user=app
# Options: the data of a test are worth nothing after it.
careless="-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off"

say() { echo "postgres: $*" >&2; }
fail() {
	say "$1"
	exit "${2:-1}"
}

dsn() { echo "postgres://$user@127.0.0.1:$1/postgres?sslmode=disable"; }

# As root, the server runs as "nobody": PostgreSQL refuses to run as root.
as_server() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=nobody --regid="$(id -gn nobody)" --clear-groups "$@"
	else
		"$@"
	fi
}

# The version of pgvector that belongs to a folder of programs.
pgvector_of() {
	share=""
	if [ -x "$1/pg_config" ]; then
		share=$("$1/pg_config" --sharedir 2>/dev/null) || share=""
	fi
	# Debian's pg_config is in a package for developers.
	[ -n "$share" ] || share=$(echo "$1" | sed -n 's#^/usr/lib/\(postgresql/[0-9]*\)/bin$#/usr/share/\1#p')
	sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$share/extension/vector.control" 2>/dev/null
}

# The newest PostgreSQL of this machine that has pgvector 0.8 or newer.
system_programs() {
	for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/local/pgsql/bin \
		/opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin | sort -rV) \
		"$(dirname "$(command -v pg_ctl || echo /nowhere/pg_ctl)")" \
		"$(pg_config --bindir 2>/dev/null || echo /nowhere)"; do
		if ! [ -x "$folder/initdb" ] || ! [ -x "$folder/postgres" ] || ! [ -x "$folder/pg_ctl" ]; then
			continue
		fi
		version=$(pgvector_of "$folder") || continue
		case $version in
		"" | 0.[0-7] | 0.[0-7].*) ;;
		*)
			say "using $("$folder/postgres" -V | sed 's/^postgres (PostgreSQL) //; s/ .*//') with pgvector $version of this machine"
			echo "$folder"
			return 0
			;;
		esac
	done
	return 1
}

docker_answers() { command -v docker >/dev/null 2>&1 && docker info >/dev/null 2>&1; }

# find [--programs]: sets kind and value.
find_server() {
	if [ "$(id -u)" = 0 ] && ! command -v setpriv >/dev/null 2>&1; then
		fail "PostgreSQL does not run as root, and setpriv (of util-linux) is not here to become another user" 3
	fi
	if [ -n "${WEBRAG_TEST_DSN:-}" ] && [ "${1:-}" != --programs ]; then
		say "using the server of WEBRAG_TEST_DSN"
		kind=dsn value=$WEBRAG_TEST_DSN
	elif value=$(system_programs); then
		kind=programs
	elif [ "${1:-}" != --programs ] && docker_answers; then
		say "using docker and $image"
		kind=docker value=$image
	elif value=$("$here/postgres-debian.sh"); then
		say "using Debian's packages, unpacked without being installed"
		kind=programs
	else
		fail "no PostgreSQL with pgvector 0.8 or newer here: set WEBRAG_TEST_DSN to a server where a role may create databases, install the package of your system, or start docker" 3
	fi
}

# make_folder DIR
make_folder() {
	mkdir -p "$1"
	if [ "$(id -u)" = 0 ]; then
		chown nobody "$1"
	fi
}

# make_cluster PROGRAMS DIR [OPTION]
make_cluster() {
	make_folder "$2"
	# In its own folder: ours may be one that its user cannot enter.
	if ! (cd "$2" && as_server "$1/initdb" -D "$2/data" -U "$user" --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync ${3:+"$3"}) >"$2/initdb.log" 2>&1; then
		tail -n 5 "$2/initdb.log" >&2
		fail "cannot make a cluster in $2"
	fi
}

# free_port: a port that may be free. It is below those that systems hand out
# by themselves; the server itself says whether it was.
free_port() {
	awk -v seed="$(od -An -N3 -tu4 /dev/urandom)" 'BEGIN { srand(seed); print 20000 + int(rand() * 12000) }'
}

# start_cluster PROGRAMS DIR OPTIONS [PORT]: sets port, to PORT if that is free.
start_cluster() {
	attempt=0
	while :; do
		port=${4:-}
		if [ -z "$port" ] || [ "$attempt" -gt 0 ]; then
			port=$(free_port)
		fi
		# The server must not hold our standard output, or who reads it waits for
		# the server.
		if (cd "$2" && as_server "$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 60 start \
			-o "-c listen_addresses=127.0.0.1 -c port=$port -k $2 $3") >"$2/pg_ctl.log" 2>&1 </dev/null; then
			return 0
		fi
		attempt=$((attempt + 1))
		if [ "$attempt" -ge 5 ] || ! grep -q 'could not bind\|Address already in use' "$2/log"; then
			tail -n 20 "$2/log" >&2
			fail "the server does not start; its log is $2/log"
		fi
		mv "$2/log" "$2/log.$attempt"
	done
}

# stop_cluster PROGRAMS DIR MODE
stop_cluster() {
	[ ! -e "$2/data/postmaster.pid" ] ||
		(cd "$2" && as_server "$1/pg_ctl" -D "$2/data" -m "$3" -w -t 60 stop) >/dev/null 2>&1 </dev/null || true
}

# remove_cluster PROGRAMS DIR
remove_cluster() {
	stop_cluster "$1" "$2" immediate
	# What a server that was killed leaves behind outside of its folder.
	segment=$(awk 'NR == 7 { print $2 }' "$2/data/postmaster.pid" 2>/dev/null) || segment=""
	if [ -n "$segment" ] && command -v ipcrm >/dev/null 2>&1; then
		as_server ipcrm -m "$segment" 2>/dev/null || true
	fi
	rm -rf "$2"
}

# throwaway_dir: a new folder with a short name, because the name of a socket
# has at most 103 bytes on some systems. Root's server needs one that another
# user can enter.
throwaway_dir() {
	parent=${TMPDIR:-/tmp}
	if [ "${#parent}" -gt 60 ] || ! as_server test -x "$parent"; then
		parent=/tmp
	fi
	made=$(mktemp -d "$parent/webrag-pg.XXXXXX")
	chmod 755 "$made"
	echo "$made"
}

start_container() {
	# shellcheck disable=SC2086 # options
	docker run -d --rm --name "$1" -p 127.0.0.1::5432 --shm-size=256m --tmpfs /var/lib/postgresql/data \
		-e POSTGRES_USER="$user" -e POSTGRES_DB=postgres -e POSTGRES_HOST_AUTH_METHOD=trust "$image" \
		postgres -c max_connections=200 $careless >/dev/null || fail "docker cannot start $image" 3
	attempt=0
	# Over TCP, where the image answers only when it has set everything up.
	until docker exec "$1" pg_isready -q -h 127.0.0.1 -U "$user"; do
		attempt=$((attempt + 1))
		[ "$attempt" -lt 120 ] || fail "the server in the container $1 does not answer"
		sleep 0.5
	done
	port=$(docker port "$1" 5432/tcp | sed -n 's/^127\.0\.0\.1://p' | head -n 1)
}

cmd_find() {
	find_server "$@"
	echo "$kind $value"
}

cmd_serve() {
	find_server
	if [ "$kind" = dsn ]; then
		echo "$value"
		exec cat >/dev/null
	fi
	# Before anything is there to clean up. An interrupt reaches everybody at the
	# terminal; the end of our reader is what ends this.
	trap '' INT
	trap 'exit 143' TERM HUP
	if [ "$kind" = docker ]; then
		name=webrag-test-$$-$(free_port)
		trap 'docker rm -f "$name" >/dev/null 2>&1' EXIT
		start_container "$name"
	else
		dir=$(throwaway_dir)
		trap 'remove_cluster "$value" "$dir"' EXIT
		make_cluster "$value" "$dir"
		start_cluster "$value" "$dir" "$careless -c max_connections=200 -c shared_buffers=256MB -c dynamic_shared_memory_type=mmap"
	fi
	dsn "$port"
	wait_for_end
}

# wait_for_end returns when standard input ends. In the background, so that a
# signal is acted upon at once.
wait_for_end() {
	# Its own number, because standard input of what runs in the background is
	# /dev/null.
	exec 3<&0 1>&-
	cat <&3 >/dev/null 2>&1 &
	wait $! || true
}

cmd_run() {
	[ $# -gt 0 ] || fail "run what? postgres.sh run COMMAND ..." 2
	if [ -z "${WEBRAG_TEST_CITUS_DSN:-}" ]; then
		say "no cluster in WEBRAG_TEST_CITUS_DSN: tests of distributed tables read SQL and run none"
	fi
	if [ -n "${WEBRAG_TEST_DSN:-}" ]; then
		say "using the server of WEBRAG_TEST_DSN"
		exec "$@"
	fi
	# The server is a process that ends when nobody holds the pipe any more, so
	# it ends with us whatever happens to us.
	pipes=$(mktemp -d)
	mkfifo "$pipes/alive" "$pipes/dsn"
	"$here/postgres.sh" serve <"$pipes/alive" >"$pipes/dsn" &
	server=$!
	exec 9>"$pipes/alive"
	read -r found <"$pipes/dsn" || found=""
	rm -rf "$pipes"
	if [ -z "$found" ]; then
		exec 9>&-
		code=0
		wait "$server" || code=$?
		if [ "$code" != 3 ] || [ -n "${CI:-}" ]; then
			exit "$code"
		fi
		say "tests that need a server are skipped"
		exec "$@"
	fi
	export WEBRAG_TEST_DSN="$found"
	# An interrupt ends the command; then the server is stopped, in order.
	trap : INT TERM
	code=0
	"$@" 9>&- || code=$?
	exec 9>&-
	wait "$server" || true
	exit "$code"
}

cmd_cluster() {
	find_server --programs
	trap '' INT
	trap 'exit 143' TERM HUP
	dir=$(throwaway_dir)
	trap 'remove_cluster "$value" "$dir"' EXIT
	if [ "${1:-}" = --bare ]; then
		make_folder "$dir"
	else
		make_cluster "$value" "$dir" --wal-segsize=1 # MB: it is made in less time
	fi
	echo "$dir $value"
	wait_for_end
}

development_dir() {
	dir=""
	if [ "${1:-}" = --dir ]; then
		[ -n "${2:-}" ] || fail "--dir needs a folder" 2
		dir=$2
	elif [ $# -gt 0 ]; then
		fail "unknown argument $1" 2
	elif [ "$(id -u)" = 0 ]; then
		dir=/var/cache/webrag-tui/server
	else
		dir=${XDG_CACHE_HOME:-$HOME/.cache}/webrag-tui/server
	fi
	mkdir -p "$dir"
	dir=$(cd "$dir" && pwd)
}

cmd_start() {
	development_dir "$@"
	if running; then
		say "runs already"
		dsn "$(cat "$dir/port")"
		return 0
	fi
	find_server --programs
	[ -e "$dir/data/PG_VERSION" ] || make_cluster "$value" "$dir"
	# The same port as the last time, since its DSN stands in somebody's settings.
	start_cluster "$value" "$dir" "-c jit=off -c shared_buffers=256MB -c max_connections=200" "$(cat "$dir/port" 2>/dev/null || true)"
	echo "$value" >"$dir/programs"
	echo "$port" >"$dir/port"
	dsn "$port"
	stop="make postgres-stop"
	[ "${1:-}" != --dir ] || stop="$here/postgres.sh stop --dir $dir"
	say "it stays in the background, its data are in $dir; stop it with: $stop"
}

running() {
	programs=$(cat "$dir/programs" 2>/dev/null) && [ -n "$programs" ] &&
		(cd "$dir" && as_server "$programs/pg_ctl" -D "$dir/data" status) >/dev/null 2>&1
}

cmd_stop() {
	development_dir "$@"
	if ! running; then
		say "does not run"
		return 0
	fi
	stop_cluster "$programs" "$dir" fast
	say "stopped; its data stay in $dir"
}

main() {
	command=${1:-}
	[ $# -eq 0 ] || shift
	case $command in
	find | run | serve | cluster | start | stop) "cmd_$command" "$@" ;;
	*) fail "usage: postgres.sh find | run COMMAND ... | serve | cluster | start | stop" 2 ;;
	esac
}

# On one line: a shell reads on where it was, and somebody may write to this file
# while a server runs.
main "$@"; exit
