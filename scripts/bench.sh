#!/bin/sh
# Runs every benchmark that has a budget and prints measured against budget.
# A benchmark takes part by reporting the metrics "measured" and "budget" in one
# unit; ratios are taken within one run, because machines differ and are noisy.
# BENCH selects benchmarks by name (default: all), BENCHTIME as for go test.
set -eu
cd "$(dirname "$0")/.."
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
packages=$(grep -rlE '"budget"' --include='*_test.go' . | xargs -n1 dirname | sort -u)
for dir in $packages; do
	go test "$dir" -run '^$' -bench "${BENCH:-.}" -benchtime "${BENCHTIME:-1s}" -count 1 -timeout 20m | tee -a "$raw" | grep -E '^(Benchmark|FAIL|panic)' >&2 || true
done
echo
awk '
BEGIN { printf "%-58s %12s %12s  %s\n", "benchmark", "measured", "budget", "" }
/^Benchmark/ {
	measured = budget = ""
	for (i = 3; i < NF; i++) {
		if ($(i + 1) == "measured") measured = $i
		if ($(i + 1) == "budget") budget = $i
	}
	if (budget == "") next
	name = $1; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name)
	verdict = (measured + 0 <= budget + 0) ? "ok" : "MISSES"
	if (verdict == "MISSES") missed++
	rows++
	printf "%-58s %12.4g %12.4g  %s\n", name, measured, budget, verdict
}
END {
	if (rows == 0) { print "no benchmark reported a budget" > "/dev/stderr"; exit 1 }
	printf "\n%d rows, %d over budget\n", rows, missed + 0
}' "$raw"
