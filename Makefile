# make prints its targets.
SHELL := /bin/bash
GO ?= go

.PHONY: help build test check race fuzz bench golden chapters cover clean

help:
	@echo 'build      bin/shoal'
	@echo 'test       all tests'
	@echo 'check      gofmt, vet, staticcheck, docs, imports; leaves the tree clean'
	@echo 'race       the tests under the race detector'
	@echo 'fuzz       FUZZTIME (30s) of every fuzz target and of random programs'
	@echo 'bench      Go benchmarks, and the compile-time table of bench/run.py'
	@echo 'golden     rewrites every computed file of tests, lessons and docs'
	@echo 'chapters   the suites of all chapters; chapter05 that of one'
	@echo 'cover      coverage by package'
	@echo 'clean      removes what was built'

build:
	$(GO) build -o bin/shoal ./cmd/shoal

test:
	$(GO) test ./...

race:
	$(GO) test -race ./...

check:
	./check.sh

FUZZTIME ?= 30s
fuzz:
	./fuzz.sh $(FUZZTIME)

bench: build
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...
	cd bench && ./run.py --compile-time --suite level11 --compiler 'shoal=../bin/shoal build -o {out} {src}'

golden:
	$(GO) test ./... -update

chapters:
	$(GO) test ./chapters

chapter%:
	$(GO) test -tags chapters,chapter$* ./chapters

cover:
	$(GO) test -cover ./...

clean:
	rm -rf bin shoal bug-*.txt
