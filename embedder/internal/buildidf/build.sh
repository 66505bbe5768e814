#!/bin/sh
# Fetches the documentation packages of Debian 12 and builds the weight table of
# the built-in embedder from them. Run it from the root of the repository. A new
# table changes the embedder's id, so every corpus has to be embedded again.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$(pwd)

add() { # package, name, licence
	(cd "$work" && apt-get download -q "$1" >/dev/null)
	deb=$(ls "$work/$1"_*.deb)
	dpkg-deb -x "$deb" "$work/$1"
	version=$(dpkg-deb -f "$deb" Version)
	sources="$sources
$2|$1 $version|$3|$work/$1/usr/share/doc"
}

sources=
add postgresql-doc-15 "PostgreSQL manual" "PostgreSQL licence"
add sqlite3-doc "SQLite documentation" "public domain"
add python3.11-doc "Python documentation" "PSF-2.0"
add nodejs-doc "Node.js API documentation" "MIT"
# One page repeats all the others.
rm "$work/nodejs-doc/usr/share/doc/nodejs/api/all.html"
add python-sklearn-doc "scikit-learn documentation" "BSD-3-Clause"
add python-scipy-doc "SciPy documentation" "BSD-3-Clause"

IFS='
'
# shellcheck disable=SC2086 # one argument a line
set -- $sources
cd "$root"
go run ./embedder/internal/buildidf \
	-table embedder/builtin_weights.txt -provenance embedder/builtin_weights.md "$@"
