#!/usr/bin/env bash
# make fuzz: every fuzz target for the time given, then random programs through all
# engines and C.
set -euo pipefail
cd "$(dirname "$0")"
time=${1:-30s}
for pkg in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$pkg" 2>/dev/null | grep '^Fuzz' || true); do
		echo "fuzz: $pkg $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$pkg"
	done
done
SHOAL_FUZZ=$time go test -run TestDifferential -timeout 0 -v .
