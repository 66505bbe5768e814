#!/bin/sh
# Fetches the documentation pages that some tests and benchmarks read: four
# Debian packages, unpacked without installing anything. The folder is printed
# as the last line on standard output; everything else goes to standard error.
#
# Layout:  FOLDER/PACKAGE/usr/share/doc/...
#
# FOLDER is $WEBRAG_CORPORA, else webrag-tui/corpora in the user's cache folder.
# A package that is there already is left alone, so running this again is cheap.
set -eu

packages="python3.11-doc python-sklearn-doc git-doc sqlite3-doc"
dir=${WEBRAG_CORPORA:-${XDG_CACHE_HOME:-$HOME/.cache}/webrag-tui/corpora}

say() { echo "corpora: $*" >&2; }
fail() {
	say "$1"
	exit "${2:-1}"
}

missing=""
for package in $packages; do
	[ -d "$dir/$package/usr/share/doc" ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
	for tool in apt-get dpkg-deb; do
		command -v "$tool" >/dev/null 2>&1 || fail "$tool is not on this machine: the pages come from Debian packages. On another system unpack$missing into $dir yourself, or run this in a Debian 12 container." 3
	done
	mkdir -p "$dir" || fail "cannot write $dir; set WEBRAG_CORPORA to another folder"
	dir=$(cd "$dir" && pwd)
	work=$(mktemp -d "$dir/.unpacking.XXXXXX") || fail "cannot write $dir; set WEBRAG_CORPORA to another folder"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	chmod 755 "$work" # apt-get downloads as a user of its own

	for package in $missing; do
		say "fetching $package"
		if ! (cd "$work" && apt-get download "$package" >"$work/log" 2>&1); then
			cat "$work/log" >&2
			fail "cannot fetch $package. If the list of packages is missing or old, run 'apt-get update' and try again; python3.11-doc is part of Debian 12." 3
		fi
		# A folder appears under its name only when it is complete.
		dpkg-deb -x "$work/$package"_*.deb "$work/$package" || fail "cannot unpack $package"
		[ -d "$work/$package/usr/share/doc" ] || fail "$package has no usr/share/doc: not the package that was expected"
		rm -rf "${dir:?}/$package"
		mv "$work/$package" "$dir/$package"
		say "unpacked $package"
	done
else
	dir=$(cd "$dir" && pwd)
	say "all pages are there"
fi

echo "$dir"
