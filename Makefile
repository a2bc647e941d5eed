# make demo: the main job on a fresh machine. make test: the whole suite. make lint: style and types.
# make coverage: the whole suite, and that it runs 95% of the code. It takes a quarter longer.
# make hf: the published checkers, in an environment of its own with torch (6 GB).
# make faults: ten thousand hostile records, every fault of a model's server at every place, and loads and calls killed
# at twenty points. make bench: every benchmark, over the data in DATA, and the pages with their figures.
# Everything runs in a virtual environment of its own; only Python 3.11+ and make are needed.

PYTHON ?= python3
DATA ?= data
VENV := .venv
BIN := $(VENV)/bin
PARALLEL := -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo test coverage hf faults bench pictures lint clean

demo: $(VENV)/installed
	$(BIN)/graph-eval check examples/responses.jsonl

test: $(VENV)/developed
	$(BIN)/python -m pytest $(PARALLEL)

coverage: $(VENV)/developed
	$(BIN)/python -m pytest $(PARALLEL) --cov --cov-report=term

hf: $(VENV)-hf/installed
	GRAPH_EVAL_REQUIRE=hf $(VENV)-hf/bin/python -m pytest tests/integration/test_hf.py \
		tests/integration/test_hf_methods.py \
		tests/integration/test_hf_training.py \
		--cov --cov-config=tests/hf.coveragerc --cov-report=term

faults: $(VENV)/developed
	$(BIN)/python -m pytest tests/faults --fuzz 10000 --kills 20 --model-faults full

bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench,retrieval]'
	$(BIN)/graph-eval bench all --data $(DATA) -o bench-results --page docs/benchmarks.md --readme README.md

pictures: $(VENV)/developed
	$(BIN)/python examples/pictures.py

lint: $(VENV)/developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) $(VENV)-hf build *.egg-info .coverage .mypy_cache .pytest_cache .ruff_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)-hf/installed: setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)-hf
	$(VENV)-hf/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[hf,repc]' pytest pytest-cov
	touch $@

$(VENV)/developed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
