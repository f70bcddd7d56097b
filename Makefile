# `make play` and `make test` do everything on a fresh machine with Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= connect-four
# Of the tests: one for each processor that has four gigabytes of memory, at least two.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(max(2, min(os.cpu_count() or 2, \
	os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 32)))')

.PHONY: play test lint types imports house pytest wheel test-numba fuzz mutants bench clean

play: $(VENV)/.installed
	@$(BIN)/playout play $(GAME) $(ARGS)

# The tests run in WORKERS processes, while lint, types and the wheel take one more.
test: $(VENV)/.developing
	@$(MAKE) --no-print-directory -j2 lint types imports wheel pytest

lint: $(VENV)/.developing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.developing
	$(BIN)/mypy

imports: $(VENV)/.developing
	$(BIN)/lint-imports

# Rooms and arrows, of the package and of each of its rooms.
house: $(VENV)/.developing
	@$(BIN)/python -m tests.house $(ARGS)

# A file's tests run in one process: they share what they compile. Files keep their order:
# after a browser there is a loop in the process that asyncio takes for a running one.
pytest: $(VENV)/.developing
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

# The built wheel, in an environment of its own, answers like the source tree.
wheel: $(VENV)/.developing
	PYTHON=$(BIN)/python sh tests/wheel.sh

# The tests of what Numba compiles, with another version of it, in an environment of its
# own: make test-numba VERSION=0.66.0
NUMBA_VENV = .venv-numba-$(VERSION)

test-numba:
	@test -n "$(VERSION)" || \
	  { echo "name a version of Numba: make test-numba VERSION=0.66.0" >&2; exit 2; }
	$(PYTHON) -m venv $(NUMBA_VENV)
	$(NUMBA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --editable . numba==$(VERSION) pytest pytest-xdist hypothesis matplotlib
	$(NUMBA_VENV)/bin/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
	  $(or $(ARGS),tests/core tests/search tests/games)

# What `make pytest` tries a little of; some twenty minutes.
CASES ?= 10000
SEED ?= 1
KILLS ?= 20
RUNS ?= 500

fuzz: $(VENV)/.developing
	$(BIN)/python -m tests.fuzz.arguments --cases $(CASES) --seed $(SEED)
	$(BIN)/python -m tests.fuzz.resumed_match --kills $(KILLS) --seed $(SEED)
	$(BIN)/python -m tests.fuzz.resumed_training --kills $(KILLS) --seed $(SEED)
	$(BIN)/python -m tests.fuzz.interrupts --runs $(RUNS) --seed $(SEED)

# Do the tests notice small mistakes? Goes on where it was ended, in `.mutants`; hours.
SAMPLE ?= 400

mutants: $(VENV)/.developing
	$(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED) --workers $(WORKERS) $(ARGS)

bench: $(VENV)/.developing
	$(BIN)/playout bench

clean:
	rm -rf $(VENV) .venv-numba-* build dist .mypy_cache .ruff_cache .pytest_cache

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Playout needs Python 3.11 or newer; set PYTHON=... to name one" >&2; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute)..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
