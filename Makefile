# check     what must hold before a commit: formatting, vet, staticcheck, the house rules, the short tests
# short     the short tests; they need Go alone, and skip what needs a program that is missing
# test      all tests; they need what setup installs, and fail without it
# setup     apt-get install of what the tests need, if something is missing
# ci        setup, lint and test, so every test once: what .ci/run runs
# fuzz      every fuzz target for FUZZTIME
# profile   what the compiler should know of hot code (cmd/motehound/default.pgo), when that has changed
# bench     speed, as ratios to simavr in the same run; networks; what snapshots and motes cost
# ui        the page of the workbench (show/workbench/dist), from its sources; it needs Node.js
# firmware  the example firmware, from its sources
# release   what users download, into dist/: programs for all systems, Debian packages, checksums
# demo      motehound on an embedded example

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
GO          ?= go
TESTFLAGS   ?=
FUZZTIME    ?= 60s

.PHONY: check lint archtest short test setup ci fuzz bench profile ui firmware release demo
.NOTPARALLEL:

# Without -pgo=off, Go compiles every package twice for tests and for vet: once for package main, with its profile, and once for all others. The
# commands that tests build inherit it. Without debugging information (-w), linking some 90 tests takes half as long. -trimpath and no C are as in a
# release, which a test builds: it finds everything compiled.
check lint archtest short test ci: export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -pgo=off -trimpath -ldflags=-w)
check lint archtest short test ci: export CGO_ENABLED := 0

check: lint archtest short

lint:
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .); if [ -n "$$unformatted" ]; then \
		echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# -vet=off in all of these: lint has vetted everything, and with more analyzers.
archtest:
	$(GO) test -count=1 -vet=off $(TESTFLAGS) ./internal/archtest/...

short:
	$(GO) test -short -vet=off -timeout 20m $(TESTFLAGS) ./...

test:
	GO="$(GO)" TESTFLAGS="$(TESTFLAGS)" scripts/test

setup:
	sh scripts/setup

ci: setup lint test

fuzz:
	FUZZTIME=$(FUZZTIME) scripts/fuzz

bench:
	$(GO) run -pgo=cmd/motehound/default.pgo ./internal/bench

profile:
	$(GO) run -trimpath -pgo=off ./internal/bench -profile cmd/motehound/default.pgo

ui:
	cd show/workbench/ui && npm install --no-save && npm run build

firmware:
	$(MAKE) -C examples

release:
	$(GO) run ./internal/release -out dist

demo:
	$(GO) run ./cmd/motehound demo
