# Each target makes .venv itself; nothing else has to be installed beforehand.
PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run-installed
DEV := .venv/.dev-installed

.PHONY: demo test bench soak clean

demo: $(RUN)
	$(BIN)/arena demo

test: $(DEV)
	tests/browser/install-chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	grep -rlwE 'trio|async' --include='*.py' arena clients protocol tournaments tests bench \
		| xargs -P 2 -n 12 $(BIN)/flake8-async
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

bench: $(RUN)
	$(BIN)/python -m bench

soak: $(DEV)
	$(BIN)/python -m pytest -n 2 -m soak --soak

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

$(RUN): requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check hatchling==1.33.0 editables==0.5 -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(DEV): requirements-dev.txt requirements-cluster.txt $(RUN)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
