#!/bin/sh
# Runs every benchmark that has a budget and prints measured against budget.
# A benchmark takes part by reporting "budget" and "measured" (a ratio taken
# within one run, or microseconds of CPU), or "budget_ms" with "p99_ms" or
# "median_ms"; one of another program, to compare with, reports "reference_ms" and
# is a module of its own. Machines differ and are noisy: compare rows of one run.
# BENCH selects benchmarks by name (default: all), BENCHTIME as for go test.
set -eu
cd "$(dirname "$0")/.."
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
packages=$(grep -rlE '"(budget(_ms)?|reference_ms)"' --include='*_test.go' . | xargs -n1 dirname | sort -u)
for dir in $packages; do
	echo "$dir" >&2
	go -C "$dir" test . -run '^$' -bench "${BENCH:-.}" -benchtime "${BENCHTIME:-1s}" -count 1 -timeout 20m | tee -a "$raw" | grep -E '^(Benchmark|FAIL|panic|---)' >&2 || true
done
if grep -qE '^(FAIL|panic)' "$raw"; then
	echo "a benchmark failed: see above" >&2
	exit 1
fi
echo
awk '
BEGIN { printf "%-64s %10s %10s  %s\n", "benchmark", "measured", "budget", "" }
/^Benchmark/ {
	split("", v)
	for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
	unit = ""
	if ("budget" in v) { budget = v["budget"]; measured = v["measured"] }
	else if ("budget_ms" in v) { budget = v["budget_ms"]; measured = ("p99_ms" in v) ? v["p99_ms"] : v["median_ms"]; unit = "ms" }
	else if ("reference_ms" in v) { budget = 0; measured = v["reference_ms"]; unit = "ms" }
	else next
	name = $1; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name)
	if ("reference_ms" in v) {
		printf "%-64s %10.4g %10s  %-2s %s\n", name, measured, "-", unit, "to compare with"
		next
	}
	verdict = (measured + 0 <= budget + 0) ? "ok" : "MISSES"
	if (verdict == "MISSES") missed++
	rows++
	printf "%-64s %10.4g %10.4g  %-2s %s\n", name, measured, budget, unit, verdict
}
END {
	if (rows == 0) { print "no benchmark reported a budget" > "/dev/stderr"; exit 1 }
	printf "\n%d rows, %d over budget\n", rows, missed + 0
}' "$raw"
