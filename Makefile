# Everything here sets itself up: Python 3.11 or newer and make are all it takes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
DATA ?= data
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := api engine exports proofs schemas store workers
# These play whole games, by the thousand or by taps in a browser: coverage would make them take several times as long.
GAMES := tests/conformance tests/browser tests/api/test_fuzz.py tests/api/test_model.py tests/test_benchmarks.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help serve demo test lint format bench screenshots openapi lock clean

help:  ## What can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.serves: requirements.lock pyproject.toml $(VENV)/.made
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.tests: requirements-dev.lock $(VENV)/.serves
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

serve: $(VENV)/.serves  ## Serve the API, its workers and an embedded Redis (PORT=8000 DATA=data)
	@exec $(BIN)/driftlog serve --port $(PORT) --data $(DATA)

demo: $(VENV)/.serves  ## Record a whole game, show its turns, audit and export it
	@exec $(BIN)/driftlog demo

test: $(VENV)/.tests  ## Run every test: with coverage, but for whole games, which are played without
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest -n 2 --cov --cov-report= $(GAMES:%=--ignore=%)
	$(BIN)/coverage report --include='engine/*' --fail-under=100
	$(BIN)/coverage report --omit='engine/*' --fail-under=95
	-$(BIN)/python -m tests.browser.finding
	$(BIN)/python -m pytest -n 2 $(GAMES)

lint: $(VENV)/.tests  ## Check style, types and the direction of dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.tests  ## Lay the code out
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(VENV)/.tests  ## Measure, each figure beside its reference
	$(BIN)/python -m benchmarks

screenshots: $(VENV)/.tests  ## Take a picture of every page, into build/screenshots, and README's two
	$(BIN)/python -m tests.browser.screenshots

openapi: $(VENV)/.serves  ## Write openapi.yaml from the code
	$(BIN)/driftlog openapi --output openapi.yaml

lock: $(VENV)/.tests  ## Pin all dependencies anew, with hashes
	$(BIN)/uv pip compile $(LOCK) --output-file requirements.lock
	$(BIN)/uv pip compile $(LOCK) --group dev --group bench --constraint requirements.lock --output-file requirements-dev.lock

LOCK := pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

clean:  ## Remove what was set up and what was measured
	rm -rf $(VENV) .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
