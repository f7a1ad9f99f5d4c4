# `make run` starts DocRouter; `make test` checks everything. Both make the virtual environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q install --require-hashes --no-deps --no-compile
# Half of what a file locks beside the other half: pip alone unpacks on one core.
INSTALL = for half in 0 1; do \
	awk -v half=$$half '/^[A-Za-z]/ { number++ } number % 2 == half' $(1) > $(VENV)/half-$$half.txt || exit 1; done; \
	$(PIP) -r $(VENV)/half-0.txt & first=$$!; $(PIP) -r $(VENV)/half-1.txt; second=$$?; wait $$first && exit $$second
# For the tests, whose processes load most of it. A start compiles the fifth that it loads, and keeps that.
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true

.DEFAULT_GOAL := help
.PHONY: help run test lint types format lock bench screenshots clean

help:
	@echo "make run      start DocRouter at http://localhost:8000 (PORT=… for another port)"
	@echo "make test     style, types, layers, migrations and every test suite"
	@echo "make lint     style and layers        make types    types"
	@echo "make format   put the code in form    make lock     pin requirements again (needs uv)"
	@echo "make bench    measure everything that has a figure (BENCHMARKS=… for some of it)"
	@echo "make screenshots  take the pictures of the documentation anew"

run: $(VENV)/.runs
	@PYTHONDONTWRITEBYTECODE= exec $(BIN)/python manage.py up

test: $(VENV)/.tests
	@exec $(BIN)/python -m tests.suites $(SUITES)

lint: $(VENV)/.tests
	@$(BIN)/python -m tests.suites style layers

types: $(VENV)/.tests
	@$(BIN)/python -m tests.suites types

format: $(VENV)/.tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djangofmt -q templates

bench: $(VENV)/.tests
	@$(BIN)/python -m benchmarks $(BENCHMARKS)

screenshots: $(VENV)/.tests
	$(BIN)/python -m tests.screenshots

lock:
	@command -v uv >/dev/null || { echo "make lock needs the tool uv."; exit 1; }
	uv pip compile --universal --generate-hashes --python-version 3.11 --override overrides.in pyproject.toml -o requirements.txt
	uv pip compile --universal --generate-hashes --python-version 3.11 --override overrides.in requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing. On Debian and Ubuntu: apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
		echo "DocRouter needs Python 3.11, 3.12 or 3.13, but $(PYTHON) is $$($(PYTHON) --version). Name another one: make PYTHON=python3.12 run"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "Python's venv module is missing. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamps are newer than the locks as long as what is installed is what is locked.
$(VENV)/.runs: requirements.txt | $(BIN)/python
	@echo "Installing what DocRouter runs on. This happens once and takes a minute or two."
	@$(call INSTALL,requirements.txt)
	@touch $@

$(VENV)/.tests: requirements-dev.txt $(VENV)/.runs
	@echo "Installing what the tests run on."
	@$(call INSTALL,requirements-dev.txt)
	@$(COMPILE)
	@touch $@
