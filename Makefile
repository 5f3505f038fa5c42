# Needs Python 3.11+ and make; everything else goes into .venv, at locked versions.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SEED ?= 1
EVERY ?= 3
OUT ?= build/study-$(SEED)
MEGABYTES ?= 2000
KILLS ?= 20
MINUTES ?= 30

.PHONY: demo test check format study bench peers readers laws mutants bench-ingest torture fuzz lock clean

demo: $(VENV)/ready  ## audit the study corpus, leave reports/study.html
	$(BIN)/toolfix-audit dryrun corpora/study/sessions --label corpus=synthetic --report html=reports/study.html

test: $(VENV)/ready  ## run the tests
	$(BIN)/pytest -q -n auto --dist loadgroup

check: $(VENV)/ready  ## format, lint, types, import contracts, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n auto --dist loadgroup

format: $(VENV)/ready  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

study: $(VENV)/ready  ## make the synthetic study corpus anew: make study SEED=7 [OUT=folder]
	$(BIN)/python corpora/study/generate.py --seed $(SEED) --out $(OUT)

bench: $(VENV)/ready  ## measure memory and speed
	$(BIN)/python bench/engine.py
	$(BIN)/python bench/memory.py

peers: $(VENV)/ready  ## compare with other engines; installs them under build/
	$(BIN)/python bench/peers.py --write docs/comparison.md

readers: $(VENV)/ready  ## count the calls of real logs with other readers, too; installs them under build/
	$(BIN)/python bench/independent.py

bench-ingest: $(VENV)/ready  ## measure ingest and dry run of 200 MB and of 2 GB against bare parsing
	$(BIN)/python bench/ingest.py 200 2000

torture: $(VENV)/ready  ## kill an ingest of 2 GB at 20 moments, fill its disk: MEGABYTES=2000 KILLS=20
	$(BIN)/python bench/torture.py --megabytes $(MEGABYTES) --kills $(KILLS)

fuzz: $(VENV)/ready  ## hostile bytes for every reader: make fuzz MINUTES=30
	TOOLFIX_FUZZ_MINUTES=$(MINUTES) $(BIN)/pytest -q -n auto --timeout=0 tests/logs/test_fuzz.py

laws: $(VENV)/ready  ## the laws of the engine on 20,000 examples each: make laws [SEED=7]
	TOOLFIX_LAWS=20000 $(BIN)/pytest -q -n auto --dist worksteal --timeout=0 --hypothesis-seed=$(SEED) tests/laws

mutants: $(VENV)/ready  ## change the engine, see whether tests notice: make mutants [EVERY=1]
	$(BIN)/python bench/mutation/run.py --every $(EVERY)

lock: $(VENV)/ready  ## renew requirements-dev.txt from pyproject.toml
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --group dev \
		--no-header --output-file requirements-dev.txt pyproject.toml

clean:  ## remove what was made
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/ready: requirements-dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@
