# check     what must hold before a commit: formatting, vet, staticcheck, the house rules, the short tests
# test      all tests; they need what setup installs
# setup     apt-get install of what the tests need, if something is missing
# ci        setup, check and test: what .ci/run runs
# fuzz      every fuzz target for FUZZTIME
# profile   what the compiler should know of hot code (cmd/motehound/default.pgo), when that has changed
# bench     speed, as ratios to simavr in the same run; networks; what snapshots and motes cost
# firmware  the example firmware, from its sources
# demo      motehound on an embedded example

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
GO          ?= go
TESTFLAGS   ?=
FUZZTIME    ?= 60s

.PHONY: check lint archtest short test setup ci fuzz bench profile firmware demo
.NOTPARALLEL:

check: lint archtest short

lint:
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .); if [ -n "$$unformatted" ]; then \
		echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

archtest:
	$(GO) test -count=1 $(TESTFLAGS) ./internal/archtest/...

short:
	$(GO) test -short $(TESTFLAGS) ./...

# -count=1: Go's test cache does not see that setup has installed the tools a cached test did without.
test:
	$(GO) test -count=1 -timeout 40m $(TESTFLAGS) ./...

setup:
	sh scripts/setup

ci: setup check test

fuzz:
	FUZZTIME=$(FUZZTIME) scripts/fuzz

bench:
	$(GO) run -pgo=cmd/motehound/default.pgo ./internal/bench

profile:
	$(GO) run -pgo=off ./internal/bench -profile cmd/motehound/default.pgo

firmware:
	$(MAKE) -C examples

demo:
	$(GO) run ./cmd/motehound demo
