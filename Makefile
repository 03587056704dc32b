# Every task of the project is one target. What a target needs it sets up by itself, once: a stamp in .venv or
# js/node_modules carries a checksum of what was asked for, so nothing is installed again until that changes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test test-all oracle lint format js shots bench

VENV := .venv
PYTHON := $(VENV)/bin/python
NPM := $(PYTHON) hatch_build.py npm

sum = $(shell cat $(1) | cksum | cut -d' ' -f1)
PAGE := js/package.json js/package-lock.json js/build.mjs $(shell find js/src -type f | LC_ALL=C sort)
# A test in a browser waits most of the time, so two at once cost little more than one. Each worker has a JupyterLab of its own.
WORKERS := --numprocesses auto --maxprocesses 4
DEMO_READY := $(VENV)/.demo-$(call sum,pyproject.toml hatch_build.py $(PAGE))
DEV_READY := $(VENV)/.dev-$(call sum,pyproject.toml)
JS_READY := js/node_modules/.ready-$(call sum,js/package-lock.json)

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(DEMO_READY) ## Run the first notebook, print what came out, open JupyterLab on it (OPEN=0: don't open)
	@$(PYTHON) notebooks/demo.py notebooks/01_quickstart.ipynb

test: chromium lint js ## Lint, types and every quick test: Python, page script, notebooks, JupyterLab in a browser
	$(PYTHON) -m pytest $(WORKERS)

test-all: chromium lint js ## The same and everything slow
	$(PYTHON) -m pytest $(WORKERS) -m "not oracle and not slow" --hypothesis-profile all --timeout 900
	$(PYTHON) -m pytest -m slow --hypothesis-profile all --timeout 900  # one after the other: some of them measure time

oracle: $(DEV_READY) ## Compare the values with those of a real Mastra server, which npm brings
	$(PYTHON) -m pytest -m oracle tests/oracle

lint: $(DEV_READY) $(JS_READY) ## Style and types of Python and TypeScript
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pyright
	$(NPM) run lint
	$(NPM) run types

format: $(DEV_READY) $(JS_READY) ## Put the code into its form
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
	$(NPM) run format

# Bundle the page's script, if it has changed, and test it.
js: $(DEV_READY) $(JS_READY)
	$(PYTHON) hatch_build.py
	$(NPM) test

shots: chromium js ## Pictures of every kind of part, state, theme and width in out/shots (ONLY=words: some of them)
	$(PYTHON) -m tests.browser.look.shots out/shots $(ONLY)

bench: $(DEV_READY) ## Measure speed, bytes and memory
	$(PYTHON) hatch_build.py
	$(PYTHON) -m benchmarks

$(PYTHON):
	python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "runview needs Python 3.11 or newer; python3 is " + sys.version.split()[0])'
	python3 -m venv $(VENV)

$(DEMO_READY): | $(PYTHON)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[notebooks]'
	@rm -f $(VENV)/.demo-* && touch $@

$(DEV_READY): | $(PYTHON)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[dev,sdks]'
	@rm -f $(VENV)/.dev-* && touch $@

$(JS_READY): | $(DEV_READY)
	$(NPM) ci
	@touch $@

.PHONY: chromium
chromium:
	@if ! command -v "$${CHROMIUM:-chromium}" >/dev/null; then \
	  if [ "$${CI:-}" = true ]; then apt-get update && apt-get install -y chromium; \
	  else echo "The browser tests need Chromium: apt-get install -y chromium" >&2; exit 1; fi; \
	fi
