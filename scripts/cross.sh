#!/bin/sh
# Builds the static binary for every platform that is supported, and holds the
# size budget for the stripped binary.
set -eu
cd "$(dirname "$0")/.."
limit=$((40 * 1024 * 1024))
for target in linux/amd64 linux/arm64 darwin/arm64 windows/amd64; do
	os=${target%/*} arch=${target#*/} ext=
	[ "$os" = windows ] && ext=.exe
	out=dist/webrag-tui-$os-$arch$ext
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags '-s -w' -o "$out" ./cmd/webrag-tui
	size=$(wc -c <"$out")
	echo "$target $((size / 1024 / 1024)) MB"
	if [ "$size" -gt "$limit" ]; then
		echo "$target: the stripped binary is over 40 MB" >&2
		exit 1
	fi
done
