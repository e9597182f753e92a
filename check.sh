#!/usr/bin/env bash
# make check: what a reviewer would otherwise have to look for.
set -uo pipefail
cd "$(dirname "$0")"
status=0
complain() { echo "check: $1"; [ -z "${2:-}" ] || echo "$2" | head -20; status=1; }

before=$(git status --porcelain 2>/dev/null)

out=$(gofmt -l $(git ls-files '*.go'))
[ -z "$out" ] || complain 'gofmt would change:' "$out"

out=$(go vet ./... 2>&1) || complain 'go vet:' "$out"

# The version is pinned here; it is a tool, not a dependency of the program.
out=$(go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./... 2>&1) || complain 'staticcheck:' "$out"

# Every package says what it is for.
for dir in $(go list -f '{{.Dir}}' ./...); do
	[ -n "$(cd "$dir" && go list -f '{{.Doc}}')" ] || complain "no package comment in $dir"
done

# Files by hand stop at 800 lines; tables may be longer.
out=$(git ls-files '*.go' | grep -v _test.go | grep -vE 'peephole/rules_|forms.go$|ops.go$' | xargs wc -l | awk '$1 > 800 && $2 != "total" {print $2 ": " $1 " lines"}')
[ -z "$out" ] || complain 'files over 800 lines:' "$out"

# Generated docs, golden files, lessons and the table of imports are compared by tests.
out=$(go test . ./peephole ./node ./chapters -run 'Generated|Imports|Golden|Lesson' 2>&1) || complain 'generated files are not current (make golden):' "$out"

after=$(git status --porcelain 2>/dev/null)
[ "$before" = "$after" ] || complain 'the tree changed:' "$after"
[ $status = 0 ] && echo 'check: clean'
exit $status
