#!/usr/bin/env bash
# make fuzz: every fuzz target for the time given, random programs and graphs through all
# engines and C, and the long proofs of the rules.
set -euo pipefail
cd "$(dirname "$0")"
time=${1:-30s}
for pkg in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
	for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		echo "fuzz: $pkg $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$pkg"
	done
done
go test -run 'TestDifferential$|TestSpoiled$' -timeout 0 -v . -differential.time "$time" -spoiled.count 5000
go test -run 'TestGraphs$' -timeout 0 . -graphs.count 20000 -graphs.seed "$(date +%s)"
SHOAL_FUZZ=1 go test -run TestRulesAreTrue -timeout 0 ./peephole
