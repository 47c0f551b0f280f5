# Every habit of the project, one word each. `make` alone says what there is.
#
#   make run VAULT=/path/to/vault     serve a vault (without VAULT: a copy of examples/vault)
#   make test                         build, and run every test there is
#
# Variables you may set: VAULT, PORT (8000), HOST (127.0.0.1), MCP_AUTH_TOKEN, CARGO, PYTHON, and
# every variable of docs/CONFIG.md. What is given on make's command line reaches the recipes too.

.DEFAULT_GOAL := help
SHELL := /bin/sh
CARGO ?= cargo
PYTHON ?= python3
# The lock file decides the versions of everything; a build that would change it is refused.
LOCKED := --locked

.PHONY: help run build test test-rust venv venv-infra clients lint fmt bench docs fuzz conformance infra-test clean

help: ## List the habits
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Serve VAULT (default: a copy of examples/vault): builds, makes a token, prints how to connect
	$(CARGO) build $(LOCKED) --release --package vault-cortex --bin vault-cortex
	@sh scripts/run.sh

build: ## The release binary, target/release/vault-cortex
	$(CARGO) build $(LOCKED) --release --package vault-cortex --bin vault-cortex

test: venv test-rust ## Every test: units, properties, and real clients against the real binary

# The integration tests drive the binary, so it is built first; they find it in the target folder. The
# authorizer is built by its own tests, which cargo links before it runs any.
test-rust:
	$(CARGO) build $(LOCKED) --package vault-cortex --bin vault-cortex
	$(CARGO) test $(LOCKED) --workspace --no-fail-fast

# The network is used only when the stamp is older than the pins: after the first time, offline.
venv: .venv/.stamp
.venv/.stamp: scripts/requirements.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement scripts/requirements.txt
	@touch $@

# Installed by lock files, without scripts of theirs. A newer Node.js than many systems have comes along. Not
# `npm ci`: it refuses a lock file that lacks an optional package for Windows which not every registry has.
clients: venv .venv-client-1/.stamp tests/client/node/node_modules/.stamp ## The real clients of the tests, and the conformance suite
.venv-client-1/.stamp: scripts/requirements-client-1.txt
	$(PYTHON) -m venv .venv-client-1
	.venv-client-1/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement scripts/requirements-client-1.txt
	@touch $@
tests/client/node/node_modules/.stamp: tests/client/node/package-lock.json
	cd tests/client/node && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

lint: ## Formatting, clippy on all targets, documentation: warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(LOCKED) --workspace --no-deps --document-private-items

fmt: ## Format the code
	$(CARGO) fmt --all

bench: ## Measure on generated vaults; writes docs/BENCHMARKS.md
	$(CARGO) build $(LOCKED) --release --package vault-cortex --bin vault-cortex
	$(CARGO) run $(LOCKED) --release --package xtask -- bench

docs: ## Regenerate docs/CONFIG.md and docs/TOOLS.md from the binary
	$(CARGO) build $(LOCKED) --package vault-cortex --bin vault-cortex
	target/debug/vault-cortex reference config > docs/CONFIG.md.new && mv docs/CONFIG.md.new docs/CONFIG.md
	target/debug/vault-cortex reference tools > docs/TOOLS.md.new && mv docs/TOOLS.md.new docs/TOOLS.md

fuzz: ## Fuzz the Markdown grammar and the tokens for FUZZ_SECONDS (60) a target
	sh scripts/fuzz.sh

conformance: clients ## The MCP conformance suite, and its scenarios for authorization servers, against the server
	$(CARGO) build $(LOCKED) --package vault-cortex --bin vault-cortex
	@sh scripts/node.sh tests/conformance/run.mjs

infra-test: ## Check infra/ without an account (REQUIRE_INFRA=1: what cannot run is a failure)
	@sh scripts/infra-test.sh

# Everything in it is pinned, so nothing is resolved; ziglang, which only builds for older systems need, is left out.
venv-infra: .venv-infra/.stamp ## The tools of infra-test's last part: a stand-in for AWS, and cargo-lambda
.venv-infra/.stamp: scripts/requirements-infra.txt
	$(PYTHON) -m venv .venv-infra
	.venv-infra/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement scripts/requirements-infra.txt
	@touch $@

clean: ## Remove what building made (the token and the index of `make run` stay)
	$(CARGO) clean
	rm -rf .venv .venv-client-1 .venv-infra .bench tests/client/node/node_modules
