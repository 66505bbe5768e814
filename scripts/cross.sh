#!/bin/sh
# Builds the static binary for every platform that is supported, as it is given
# away, and holds the size budget for the stripped binary.
set -eu
cd "$(dirname "$0")/.."
small=$(scripts/small.sh)
# Functions begin at every 16 bytes, and on amd64, where they may, at every 4, and not at
# every 32: 400 and 700 kB.
align() { [ "$1" = amd64 ] && echo 4 || echo 16; }
limit=$((40 * 1024 * 1024))
for target in linux/amd64 linux/arm64 darwin/arm64 windows/amd64; do
	os=${target%/*} arch=${target#*/} ext=
	[ "$os" = windows ] && ext=.exe
	out=dist/webrag-tui-$os-$arch$ext
	# shellcheck disable=SC2086 # several flags
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "-s -w -funcalign=$(align "$arch")" $small -o "$out" ./cmd/webrag-tui
	size=$(wc -c <"$out")
	echo "$target $((size / 1024)) kB of $((limit / 1024))"
	if [ "$size" -gt "$limit" ]; then
		echo "$target: the stripped binary is over $((limit / 1024 / 1024)) MB" >&2
		exit 1
	fi
done
