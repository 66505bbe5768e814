GO ?= go
# Those that take longest first, so that none of them is left alone at the end.
PKGS := ./cmd/webrag-tui ./ui ./store/postgres ./evaluation ./...
BIN := bin/webrag-tui
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
GOLANGCI := bin/golangci-lint
GOLANGCI_VERSION := v2.14.0
FUZZTIME ?= 10s
# The real pages that "make corpora" fetched, if it has run.
export WEBRAG_CORPORA ?= $(wildcard $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/webrag-tui/corpora)

.DEFAULT_GOAL := help

.PHONY: help
help: ## Print this message
	@awk -F ':.*## ' '/^[a-z][^:]*:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Build, and open the explorer on the bundled corpus
	@$(BIN) demo

.PHONY: build
build: ## Build bin/webrag-tui, one static binary
	@echo 'building $(BIN)...' >&2
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/webrag-tui

.PHONY: install
install: ## Install webrag-tui into Go's bin folder
	CGO_ENABLED=0 $(GO) install -trimpath -ldflags '$(LDFLAGS)' ./cmd/webrag-tui

.PHONY: test
test: ## Run all tests, with one PostgreSQL for the run
	scripts/postgres.sh run $(GO) test -vet=off -p 3 -timeout 40m $(PKGS)

# SQLite, translated from C, is one goroutine at a time by its own mutexes; to watch
# each of its loads makes the race run take four times as long.
UNWATCHED := -gcflags=modernc.org/...=-race=false

.PHONY: race
race: ## Run the tests of what goroutines share under the race detector
	CGO_ENABLED=1 scripts/postgres.sh run $(GO) test -race $(UNWATCHED) -short -vet=off -p 3 -timeout 40m $$(scripts/concurrent.sh)

.PHONY: test-386
test-386: ## Run the embedder's and the engine's tests on 32 bits
	GOARCH=386 CGO_ENABLED=0 $(GO) test -short -vet=off ./embedder/... ./retrieval/...

.PHONY: lint
lint: $(GOLANGCI) ## Check formatting, vet and golangci-lint
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet $(PKGS)
	$(GOLANGCI) run

$(GOLANGCI):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

.PHONY: fuzz
fuzz: ## Fuzz every fuzz test for FUZZTIME (10s) each
	@scripts/fuzz.sh $(FUZZTIME)

# Of "make attack": such as ATTACK="-family damage -n 5", or ATTACK="-write SECURITY.md".
ATTACK ?=

.PHONY: attack
attack: ## Attack the program as strangers' pages, corpora, folders and servers would: ATTACK="FLAGS"
	@scripts/postgres.sh run $(GO) run ./attack $(ATTACK)

# Of "make trec-eval": where the program is.
TREC_EVAL ?= trec_eval

.PHONY: trec-eval
trec-eval: ## Compare a real trec_eval with what it is recorded to print: TREC_EVAL=PROGRAM
	@$(GO) test -tags treceval ./evaluation/exchange -run TrecEval -count 1 -args -trec-eval '$(TREC_EVAL)'

.PHONY: bench
bench: ## Measure the budgets as ratios in one run
	@scripts/bench.sh

# Folders with collections in BEIR layout: corpus.jsonl, queries.jsonl,
# qrels/test.tsv.
BEIR ?=

.PHONY: bench-quality
bench-quality: ## Measure ranking on test collections: BEIR="DIR ..."
	@$(GO) run ./evaluation/internal/benchquality $(BEIR)

.PHONY: fusion-study
fusion-study: ## Compare fusions, chosen on one of them and reported on another: BEIR="DIR DIR ..."
	@$(GO) run ./evaluation/internal/benchquality -study $(BEIR)

# Of "make bench-docs": such as DOCS="-set fusion=convex", or DOCS=-held.
DOCS ?=

.PHONY: bench-docs
bench-docs: ## Measure the presets on judged questions over the real pages: DOCS="FLAGS"
	@$(GO) run ./evaluation/internal/benchdocs $(DOCS)

.PHONY: golden
golden: ## Rewrite golden files and generated documents; read their diff like code
	@scripts/golden.sh

.PHONY: corpora
corpora: ## Fetch the real documentation pages that some tests read
	@scripts/corpora.sh

.PHONY: postgres
postgres: ## Start a PostgreSQL with pgvector in the background and print its DSN
	@scripts/postgres.sh start

.PHONY: postgres-stop
postgres-stop: ## Stop the server of "make postgres"
	@scripts/postgres.sh stop

.PHONY: smoke
smoke: ## Drive the real program in tmux
	CI=true $(GO) test ./cmd/webrag-tui -run TestTheRealProgram -count 1 -v

.PHONY: cross
cross: ## Build for every platform that is supported
	@scripts/cross.sh

.PHONY: screenshots
screenshots: build ## Redraw the README's screenshots
	@scripts/screenshots.sh $(BIN)

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin dist
