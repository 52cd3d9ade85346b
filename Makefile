# `make run` and `make test` are all one needs; `make` alone lists the rest.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run chat test dashboard lint fmt crash bench train deny clean ready

# The crash harness stops at whichever it reaches first. `make crash KILLS=2000 LIMIT=3600` is the long one.
KILLS ?= 200
LIMIT ?= 170
BENCHES ?= overhead ledger parallel waiting fast load chain verifier stream cohorts ingest

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What is typed after `make run` on the command line of the program, as in `make run ARGS="--port 8080"`.
ARGS ?=

run: ready dashboard ## build Agentwright and start its server and dashboard
	@echo "Building Agentwright; the first time this takes a few minutes."
	@cargo build --release --package agentwright --bin agentwright
	@cargo run --quiet --release --package agentwright --bin agentwright -- serve $(ARGS)

chat: ready ## build Agentwright and start a conversation in the terminal
	@cargo run --release --package agentwright --bin agentwright -- chat

dashboard: ## build the dashboard, which becomes part of the program
	@.ci/dashboard

test: ready ## install what the tests need, then check everything
	@.ci/prepare
	@.ci/test

lint: ready ## check format and lints
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

fmt: ready ## format the sources
	cargo fmt --all

crash: ready ## kill the process again and again, and see that nothing is lost or done twice
	cargo run --release --package agentwright-bench --bin crash -- --kills $(KILLS) --seconds $(LIMIT)

bench: ready ## print the figures of bench/README.md
	@set -e; for name in $(BENCHES); do cargo run --release --package agentwright-bench --bin $$name; done

# Distilling needs Python, the sentence model in MINILM and a GPU; without MINILM what was distilled before is kept.
MINILM ?=
DISTIL = crates/train/distil

train: ready ## make what the router is compiled with again, from ../shared/data
	cargo run --release --package agentwright-train -- split ../shared/data
ifneq ($(MINILM),)
	python3 -m venv target/distil && target/distil/bin/pip install --quiet --requirement $(DISTIL)/requirements.txt
	target/distil/bin/python $(DISTIL)/distil.py --data ../shared/data --minilm $(MINILM) --out target/distil/made.npz
	target/distil/bin/python $(DISTIL)/export.py target/distil/made.npz target/distil/made.bin
	cargo run --release --package agentwright-train -- target/distil/made.bin
else
	cargo run --release --package agentwright-train
endif
	cargo run --release --package agentwright-train -- complexity ../shared/data

deny: ready ## check licences, bans, sources and advisories of dependencies
	@command -v cargo-deny > /dev/null || cargo install cargo-deny --locked
	cargo deny check

clean: ## delete what was built
	cargo clean
	rm -rf dashboard/dist dashboard/node_modules

ready:
	@command -v cargo > /dev/null || { echo "cargo is missing: install Rust 1.95 or newer with rustup" >&2; exit 1; }
	@command -v cc > /dev/null || { echo "a C compiler is missing: apt-get install build-essential" >&2; exit 1; }
