# `make` lists the targets. Every target works in a fresh clone and needs only Go,
# unless its help says otherwise. Tools are pinned in tools/go.mod, a separate
# module, so that they are not dependencies of programs that import this one.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO   ?= go
TOOL := GOWORK=off $(GO) tool -modfile=tools/go.mod

# The directories of the modules in go.work. `work` stands for all their packages, as ./... does in
# one module: at the root, ./... would leave out the others. Modules that are not in go.work, below
# deploy and tools, need GOWORK=off.
MODULES := $(shell sed -n 's/^\t\././p' go.work)
ALONE   := GOWORK=off $(GO)

# It needs another version of a module that golangci-lint also uses.
ACTIONLINT := $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# How long each fuzz target runs, and where `cover` writes its profile.
FUZZTIME ?= 10s
COVER    ?= cover.out

# The pure packages. They must also compile for platforms without an operating
# system.
PURE := taxonomy taxonomy/lists taxonomy/listing taxonomy/issue taxonomy/document taxonomy/document/edit adapters/storekit/layout adapters/storekit/reader authoring/source authoring/outline authoring/edit authoring/write history/diff validate release/editorschema release/crosswalk \
	resolve icons pages/sheet search

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: fmt
fmt: ## Format every Go file (gofumpt)
	$(TOOL) gofumpt -w .

.PHONY: lint
lint: ## Run golangci-lint, check formatting, and run actionlint on the workflows (the first run builds them, about 2 minutes)
	$$($(TOOL) -n golangci-lint) run --allow-parallel-runners $(MODULES:%=%/...)
	$(ACTIONLINT)

.PHONY: vet
vet: ## Run go vet
	$(GO) vet work

.PHONY: test
test: ## Run the tests of all modules in go.work
	$(GO) test work

# .ci/concurrent says which packages, and why not the others. Vet is a step of its own. With
# -short, properties that one goroutine checks are checked for fewer values: they have no races, and
# the tests check all.
# PACKAGES names other packages: make race PACKAGES=./search. BASE names a commit: only the MOST
# packages that changed most since.
RACE := $(GO) test -race -short -shuffle=on -vet=off
MOST ?= 1000

.PHONY: race
race: ## Run the tests of concurrent code in random order with the race detector
ifdef PACKAGES
	$(RACE) $(PACKAGES)
else
	GO="$(GO)" .ci/concurrent | sed -n '1,$(MOST)p' | xargs -r $(RACE)
	GO="$(GO)" .ci/concurrent pure | xargs -r $(RACE) -run Concurrent
endif

.PHONY: s3
s3: ## Test stores in buckets with real servers and another client (the first run builds versitygw, about 5 minutes)
	GO="$(GO)" tools/s3-servers/run

.PHONY: redis
redis: ## Test limits and sessions that servers share with a real Redis (installs redis-server on Debian, as root or with sudo)
	GO="$(GO)" .ci/redis

# The tests are in the packages that they test, behind the build tag formats.
.PHONY: formats
formats: ## Use other programs: read PO files with GNU gettext, call the REST API from Python, apply diffs with patch (installs gettext, patch and python3 on Debian, as root or with sudo)
	.ci/debian msgfmt=gettext patch python3
	$(GO) test -tags formats -run 'Gettext|Patch|Python' ./cmd/internal/report ./cmd/internal/server ./cmd/internal/translation

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (10s)
	@GO="$(GO)" .ci/fuzz "$(FUZZTIME)"

.PHONY: bench
bench: ## Run the benchmarks, with the peers they are compared to
	$(GO) test -run '^$$' -bench . -benchmem work
	$(ALONE) -C tools/bench test -run '^$$' -bench . -benchmem .

.PHONY: soak
soak: ## Load a server for TIME seconds (300), and print latency, memory, goroutines and open files (needs Linux and curl)
	GO="$(GO)" tools/load/soak

.PHONY: search-quality
search-quality: ## Measure search with the judged queries and write search/testdata/quality.md
	UPDATE=1 $(GO) test -count=1 -run '^TestQuality$$' ./search
	@cat search/testdata/quality.md

.PHONY: cover
cover: ## Measure coverage over all packages and write COVER (cover.out)
	$(GO) test -coverpkg=github.com/datachain-go/datachain/... -coverprofile=$(COVER) work
	@$(GO) tool cover -func=$(COVER) | tail -n 1

.PHONY: samples
samples: ## Publish the sample taxonomies of examples/taxonomies into examples/published, which tests and programs read
	UPDATE=1 $(GO) test -vet=off -run '^TestSamples$$' ./examples/taxonomies

# Tests compare goldens and generated pages, and write them with UPDATE=1. The examples come first:
# other packages read them.
.PHONY: generate
generate: samples ## Update goldens and generated pages (runs the tests of packages that have them)
	UPDATE=1 $(GO) test -vet=off ./examples/documents
	UPDATE=1 $(GO) test -vet=off $$(grep -rl --include='*_test.go' --exclude-dir=node_modules 'goldentest\.' . | xargs dirname | sort -u)

# Libraries that only tests use are in modules of their own, so that programs that import
# this one do not inherit them.
.PHONY: peers
peers: ## Test with libraries that only tests use: the description of the API with kin-openapi, MCP with the Go SDK
	$(ALONE) -C tools/openapi test ./...
	$(ALONE) -C tools/mcp-sdk test ./...

.PHONY: openapi
openapi: ## Lint openapi.json and test a TypeScript client generated from it (needs Node 20)
	GO="$(GO)" adapters/httpapi/clienttest/run

.PHONY: verify-node
verify-node: ## Verify the test vectors of signed logs with an independent implementation (needs Node.js)
	node tools/verify/vectors.mjs release/trust/testdata/*.json

.PHONY: browser
browser: ## Test the contact sheet, the pages, the explorer and the MCP App in headless Chromium (needs npm; screenshots are in tools/browser/build)
	GO="$(GO)" tools/browser/run

.PHONY: browser-update
browser-update: ## Update the golden screenshots of the contact sheet and the explorer, and those in docs
	GO="$(GO)" UPDATE=1 tools/browser/run sheet.test.mjs pictures.test.mjs docs.test.mjs

.PHONY: mcp-clients
mcp-clients: ## Test the server with other MCP clients: TypeScript, Inspector, conformance (needs npm)
	GO="$(GO)" tools/mcp-clients/run

.PHONY: lsp-clients
lsp-clients: ## Test the language server with other clients: vscode-jsonrpc and Neovim (needs npm; installs Neovim on Debian, as root or with sudo)
	GO="$(GO)" tools/lsp-clients/run

.PHONY: vscode-package
vscode-package: ## Check the VS Code extension and package it as editors/vscode/build/datachain.vsix (needs npm)
	editors/vscode/run package

# The first run installs VS Code, 800 MB.
.PHONY: vscode
vscode: ## Package the VS Code extension, and test it in VS Code in headless Chromium (needs npm; screenshots are in editors/vscode/build)
	GO="$(GO)" editors/vscode/run

# Makes editors/wasm/dist and editors/web/dist, which are not committed.
.PHONY: web
web: ## Build the npm packages in editors and test them in Node and headless Chromium (needs npm; screenshots are in editors/web/build)
	GO="$(GO)" editors/wasm/run
	editors/web/run

# These builds only show that the code compiles, so they are not optimised.
ASIS := -gcflags='all=-N -l'

.PHONY: wasm
wasm: ## Compile the pure packages and the language server for js/wasm and wasip1/wasm
	GOOS=js GOARCH=wasm $(GO) build $(ASIS) $(addprefix ./,$(PURE)) ./editors/lsp
	GOOS=wasip1 GOARCH=wasm $(GO) build $(ASIS) $(addprefix ./,$(PURE)) ./editors/lsp

.PHONY: cross windows macos linux-386
cross: windows macos linux-386 ## Compile everything for Windows and macOS, and the pure packages for 32 bits

windows:
	GOOS=windows GOARCH=amd64 $(GO) build $(ASIS) work

macos:
	GOOS=darwin GOARCH=arm64 $(GO) build $(ASIS) work

# It finds constants that overflow, which only these packages have.
linux-386:
	GOOS=linux GOARCH=386 $(GO) build $(ASIS) $(addprefix ./,$(PURE)) ./editors/lsp ./adapters/fsstore ./adapters/ratelimit

# tools/bench is a module of its own.
.PHONY: benchmarks
benchmarks: ## Compile and vet the comparison of search with a peer
	$(ALONE) -C tools/bench vet ./...

# Writes build/image: an OCI layout of the last commit, and bills of materials. IMAGE has
# further flags, such as IMAGE='-platforms linux/arm64'.
IMAGE ?=
.PHONY: image
image: ## Build a container image for linux/amd64 and linux/arm64 without a daemon (needs npm)
	$(ALONE) -C tools/release run . -only image -platforms linux/amd64,linux/arm64 -out ../../build/image $(IMAGE)

# Builds the last commit. RELEASE has further flags, such as RELEASE='-only archives'.
VERSION ?=
RELEASE ?=
.PHONY: release
release: ## Build all artifacts of the release VERSION, such as v1.0.0, into dist (needs npm; about 10 minutes)
	@[[ -n "$(VERSION)" ]] || { echo 'VERSION is missing: make release VERSION=v1.0.0' >&2; exit 1; }
	$(ALONE) -C tools/release run . -version "$(VERSION)" -out ../../dist $(RELEASE)

# It needs what `go mod download` gets, and no network otherwise.
.PHONY: modules
modules: ## Release the Go modules in a temporary clone, use them from a local proxy, and compile the last released ones with this library
	$(ALONE) -C tools/modules run . -version "$(or $(VERSION),v0.0.0-try)"
	GO="$(GO)" .ci/released

.PHONY: release-test
release-test: ## Install and use the artifacts in dist offline, as far as Linux can (needs npm; rpm and dpkg if they are installed)
	tools/release/try dist

.PHONY: release-twice
release-twice: ## Build the release VERSION twice, in different directories, and fail if a byte differs (needs npm)
	@[[ -n "$(VERSION)" ]] || { echo 'VERSION is missing: make release-twice VERSION=v1.0.0' >&2; exit 1; }
	rm -rf build/release-1 build/release-2
	$(ALONE) -C tools/release run . -version "$(VERSION)" -out ../../build/release-1 $(RELEASE)
	$(ALONE) -C tools/release run . -version "$(VERSION)" -out ../../build/release-2 $(RELEASE)
	diff build/release-1/SHA256SUMS build/release-2/SHA256SUMS

.PHONY: deploy
deploy: ## Test that a release is reproducible, the image, the Helm chart and the other files in deploy (installs haproxy, Caddy, nginx, Varnish and rsync on Debian, as root or with sudo)
	.ci/debian haproxy caddy nginx=nginx-light varnishd=varnish rsync systemd-analyze=systemd
	PATH="$$PATH:/usr/sbin" $(ALONE) -C deploy test ./...
	$(ALONE) -C tools/release test ./...
	$(ALONE) -C tools/modules test ./...

.PHONY: cluster
cluster: ## Kill and drain servers behind haproxy, with one bucket and Redis, under load: no request may fail (installs them on Debian, as root or with sudo)
	.ci/debian haproxy redis-server
	PATH="$$PATH:/usr/sbin" $(ALONE) -C tools/load test -count=1 .

.PHONY: api
api: ## Fail if a breaking change of the Go API since the last release is not in CHANGELOG.md
	@GO="$(GO)" .ci/api

# Examples without output are not run, so nothing reaches them.
.PHONY: dead
dead: ## Fail if there are functions that neither a program nor a test reaches
	@$$($(TOOL) -n deadcode) -test work | { ! grep -v 'unreachable func: Example'; }

.PHONY: tidy-check
tidy-check: ## Fail if a go.mod or go.sum of the modules in go.work is not tidy
	@for dir in $(MODULES); do echo "$$dir"; $(ALONE) -C $$dir mod tidy -diff; done
	$(ALONE) -C cmd mod verify

.PHONY: ci
ci: ## Run everything that CI runs
	bash .ci/run

.PHONY: ci-user
ci-user: ## Run the steps of ci.yml in a fresh clone as a new user with sudo, whom it removes (needs Debian; WARM=1 copies your caches)
	.ci/as-user
