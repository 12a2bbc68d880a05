# `make` alone lists the targets. Every target works from a fresh clone and
# needs nothing but Go: tools are pinned in tools/go.mod, a module of its own so
# that they never enter the dependencies of whoever imports this one.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO   ?= go
TOOL := $(GO) tool -modfile=tools/go.mod

# How long each fuzz target runs, and where `cover` writes its profile.
FUZZTIME ?= 10s
COVER    ?= cover.out

# The pure packages: they must compile where there is no operating system.
PURE := taxonomy taxonomy/issue taxonomy/document taxonomy/source taxonomy/diff validate resolve icons icons/sheet search

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: fmt
fmt: ## Format every Go file (gofumpt)
	$(TOOL) gofumpt -w .

.PHONY: lint
lint: ## Run golangci-lint, formatting included (the first run builds it: about 2 minutes)
	$(TOOL) golangci-lint run ./...

.PHONY: vet
vet: ## Run go vet
	$(GO) vet ./...

.PHONY: test
test: ## Run the tests
	$(GO) test ./...

# Packages whose tests take longest come first, so that no core is idle at the end.
# Vet runs with the tests that are not raced.
SLOWEST := ./cmd/datachain ./adapters/fsstore ./taxonomy/source ./adapters/httpapi ./adapters/mcp ./validate ./search

.PHONY: race
race: ## Run the tests in random order with the race detector
	$(GO) test -race -shuffle=on -vet=off $(SLOWEST) ./...

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (10s)
	@GO="$(GO)" .ci/fuzz "$(FUZZTIME)"

.PHONY: bench
bench: ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

# In a module of its own: the engines that search is compared with are no
# dependencies of ours. It takes about four minutes, on a machine that does
# nothing else.
.PHONY: bench-search
bench-search: ## Measure search beside other engines, into docs/search-speed.md
	cd bench && $(GO) run ./search -out ../docs/search-speed.md

# It takes about four minutes, on a machine that does nothing else. Load comes
# from wrk, and nginx is the second server beside ours, where they are installed
# (Debian: apt-get install wrk nginx-light); it goes on without.
.PHONY: bench-http
bench-http: ## Measure the server beside a bare handler and nginx, into docs/http-speed.md
	cd bench && $(GO) run ./httpspeed -out ../docs/http-speed.md
	@cat docs/http-speed.md

# How the server holds up, over the loopback interface: it starts one of its own.
SOAK ?= 5m
.PHONY: soak
soak: ## Load the server with everything for SOAK (5m), and watch latency and memory
	cd bench && $(GO) run ./http -time $(SOAK)

.PHONY: search-quality
search-quality: ## Measure search with the judged queries, into docs/search-quality.md
	$(GO) test -count=1 -run '^TestQuality$$' ./search -update
	@cat docs/search-quality.md

.PHONY: cover
cover: ## Measure coverage over all packages, into COVER (cover.out)
	$(GO) test -coverpkg=./... -coverprofile=$(COVER) ./...
	@$(GO) tool cover -func=$(COVER) | tail -n 1

# A package that keeps goldens or generated pages has a test that compares them
# and, given -update, writes them instead. It declares the flag in a _test.go file:
#
#	var update = flag.Bool("update", false, "write the golden files")
#
# That line is how the package is found here; a package without it would refuse
# the flag. Only tests that read it are run.
.PHONY: generate
generate: ## Write goldens and generated pages anew (tests with -update)
	@GO="$(GO)" .ci/generate

.PHONY: openapi
openapi: ## Lint openapi.json, and let a TypeScript client made of it talk to the server (needs Node 20)
	GO="$(GO)" adapters/httpapi/clienttest/run

.PHONY: browser
browser: ## Test the contact sheet, the pages and the MCP App in headless Chromium (needs npm; screenshots are in tools/browser/build)
	GO="$(GO)" tools/browser/run

.PHONY: browser-update
browser-update: ## Update the golden screenshots of the contact sheet, and docs/view.png
	GO="$(GO)" UPDATE=1 tools/browser/run sheet.test.mjs docs.test.mjs

.PHONY: mcp-clients
mcp-clients: ## Let the MCP clients of others talk to the server: TypeScript, Inspector, conformance (needs npm)
	GO="$(GO)" tools/mcp-clients/run

# What is compiled only to see that it can be is not optimised.
ASIS := -gcflags='all=-N -l'

.PHONY: wasm
wasm: ## Compile the pure packages for js/wasm and wasip1/wasm
	GOOS=js GOARCH=wasm $(GO) build $(ASIS) $(addprefix ./,$(PURE))
	GOOS=wasip1 GOARCH=wasm $(GO) build $(ASIS) $(addprefix ./,$(PURE))

# 32 bits are a matter of numbers, which the pure packages have.
.PHONY: cross
cross: ## Compile everything for Windows and macOS, and the pure packages for 32 bits
	GOOS=windows GOARCH=amd64 $(GO) build $(ASIS) ./...
	GOOS=darwin GOARCH=arm64 $(GO) build $(ASIS) ./...
	GOOS=linux GOARCH=386 $(GO) build $(ASIS) $(addprefix ./,$(PURE)) ./adapters/fsstore ./adapters/ratelimit

.PHONY: tidy-check
tidy-check: ## Fail when go.mod or go.sum is not tidy
	$(GO) mod tidy -diff
	$(GO) mod verify

.PHONY: ci
ci: ## Run all that CI runs
	bash .ci/run
