# The project's verbs; `make help` lists them.
#
# All paths are relative: make cannot hold a name with a space, and the path of a checkout may have one.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
BIN := .venv/bin
FAILURE_MATRIX := $(BIN)/python -m failure_matrix
PIP := $(BIN)/python -m pip --quiet

# Whatever a user's environment says about where pip installs and where Python imports from must not reach the
# environment made here. Index, proxy and certificates are the user's to set, and are kept.
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONPATH PYTHONHOME
unexport PIP_CONSTRAINT PIP_DRY_RUN PIP_IGNORE_INSTALLED PIP_NO_BINARY PIP_NO_DEPS PIP_ONLY_BINARY PIP_PREFIX
unexport PIP_PYTHON PIP_REQUIRE_HASHES PIP_REQUIREMENT PIP_ROOT PIP_TARGET

.PHONY: help site serve test check bench lock clean machine FORCE

help:
	@echo 'make site    build the site into site/'
	@echo 'make serve   show the site in the browser, and build it again at every edit'
	@echo 'make test    check the code and run all tests'
	@echo 'make check   check the code alone: lint, types, layers'
	@echo 'make bench   measure, beside what others need for the same'
	@echo 'make lock    choose the newest dependencies and write them into requirements/'
	@echo 'make clean   remove all that make has made'
	@echo
	@echo 'PYTHON=python3.12 before or after a verb chooses the Python (3.11 or newer).'

site: .venv/site
	$(FAILURE_MATRIX) build --strict

serve: .venv/site
	$(FAILURE_MATRIX) serve

test: machine check
	$(BIN)/python -m pytest --numprocesses=2 --cov --cov-report=term-missing:skip-covered

check: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/bench
	$(BIN)/python tests/bench/checking.py
	$(BIN)/python tests/bench/evidence.py
	$(BIN)/python tests/bench/run.py

LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version=3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command='make lock' --no-config pyproject.toml --group=build

lock: .venv/site
	$(PIP) install --upgrade uv
	$(LOCK) --output-file=requirements/site.txt
	$(LOCK) --output-file=requirements/test.txt --all-extras --group=test --constraints=requirements/site.txt
	$(LOCK) --output-file=requirements/bench.txt --group=bench --constraints=requirements/test.txt

clean:
	rm -rf .venv site .site-* build dist .cache .coverage .grimp_cache .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache

# Locked packages first, then this project: its build needs one of them, and so no network.
INSTALL := $(PIP) install --no-deps --require-hashes --only-binary=:all:

.venv/site: .venv/made requirements/site.txt pyproject.toml
	$(INSTALL) --requirement=requirements/site.txt
	$(PIP) install --no-deps --no-build-isolation --editable=.
	@touch $@

.venv/test: .venv/site requirements/test.txt
	$(INSTALL) --requirement=requirements/test.txt
	@touch $@

.venv/bench: .venv/test requirements/bench.txt
	$(INSTALL) --requirement=requirements/bench.txt
	@touch $@

# An environment is bound to its Python and to its folder. The recipe always runs, but touches its file only where
# one of them is another: then the environment is made anew.
.venv/made: FORCE
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or newer is needed. Name one: make PYTHON=python3.12' >&2; exit 1; }
	@this="$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')"; \
	if [ "$$(cat $@ 2>&1)" != "Python $$this in $$(pwd -P)" ]; then \
		$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
			.ci/debian-package "python$$this-venv" "This Python cannot make environments"; \
		$(PYTHON) -m venv --clear .venv; \
		echo "Python $$this in $$(pwd -P)" >$@; \
	fi

# What the tests need and pip cannot bring. Graphviz is the one thing that they can do without.
NODE := .venv/lib/python3*/site-packages/playwright/driver/node

machine: .venv/test
	@command -v chromium >/dev/null || \
		.ci/debian-package chromium 'The tests need the browser Chromium'
	@$(NODE) --version >/dev/null 2>&1 || \
		.ci/debian-package libatomic1 'The program that drives the browser needs a library'
	@command -v dot >/dev/null || \
		.ci/debian-package graphviz 'Without Graphviz on the machine, the tests of it are left out' || true
