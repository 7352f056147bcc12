# Each target makes .venv itself; nothing else has to be installed beforehand.
PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run-installed
DEV := .venv/.dev-installed
# The checks start many processes: bytecode is kept for them even where the environment forbids it.
export PYTHONDONTWRITEBYTECODE :=
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist worksteal

ROOMS := arena clients protocol tournaments bench

.PHONY: demo test chromium async types bench soak clean

demo: $(RUN)
	$(BIN)/arena demo

test: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) -j 3 chromium async types
	$(PYTEST)

chromium:
	tests/browser/install-chromium

# Without the rules for asyncio, which is not used here. It takes half a second for a file: those of the tests, which
# are the most, are looked at by `make soak`.
async: $(DEV)
	grep -rlwE 'trio|async' --include='*.py' $(ROOMS) \
		| xargs -P 2 -n 20 $(BIN)/flake8-async --disable-noqa --disable ASYNC3,ASYNC9

types: $(DEV)
	$(BIN)/mypy

bench: $(RUN)
	$(BIN)/python -m bench

soak: $(DEV)
	$(MAKE) async ROOMS=tests
	$(PYTEST) -m soak --soak

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

$(RUN): requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check hatchling==1.33.0 editables==0.5 -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Few modules of what the checks need are used: those are compiled when they are.
$(DEV): requirements-dev.txt requirements-cluster.txt $(RUN)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -r requirements-dev.txt
	touch $@
