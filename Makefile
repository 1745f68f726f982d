# Every target makes the environment it needs: `make help` lists them.
# One environment per Python version, so `make test PYTHON=python3.13` keeps the other.

PYTHON ?= python3
JOBS ?= 2
ARGS ?=
# What `make interop` compares with: other Pythons that have them, or those it makes.
TORCH ?= torch
PYTHON36 ?= $(shell for p in python3.6 $(HOME)/.pyenv/versions/3.6.*/bin/python; do \
  $$p -c 'import sys; print(sys.executable)' 2>/dev/null && break; done)

VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV := .venv/$(VERSION)
RUN := $(VENV)/bin/python

# An environment for each of those whom twinflow exchanges files with.
INTEROP := .venv/interop/$(VERSION)
OTHERS := $(if $(TF221_PYTHON),,.venv/tf221/.made)
OTHERS += $(if $(TF112_PYTHON),,$(if $(PYTHON36),.venv/tf112/.made))
TF221_PYTHON ?= $(CURDIR)/.venv/tf221/bin/python
TF112_PYTHON ?= $(if $(PYTHON36),$(CURDIR)/.venv/tf112/bin/python)

# A venv whose interpreter is gone (an upgraded or removed Python) is made anew.
ifneq ($(wildcard $(VENV)/.made),)
ifneq ($(shell $(RUN) -c 'print("runs")' 2>/dev/null),runs)
$(shell rm -f $(VENV)/.made $(VENV)/.demo $(VENV)/.dev)
endif
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo revnet test test-quick test-native interop sanitize lint types format bench docs coverage stubs fuzz conformance clean examples

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "  PYTHON=python3.14 chooses the Python (3.11 to 3.14; now: $(PYTHON), $(or $(VERSION),not found))."
	@echo "  ARGS='tests/base -k shape' is handed on to pytest, the demo or the benchmarks."

demo: $(VENV)/.demo  ## train on handwritten digits in three ways and compare them
	$(RUN) examples/digits/demo.py $(ARGS)

revnet: $(VENV)/.demo  ## measure a reversible network: speed and memory over its depth
	$(RUN) examples/revnet/measure.py $(ARGS)

# Hundreds of processes start in the tests: they take compiled modules from __pycache__.
test test-quick test-native interop sanitize fuzz: export PYTHONDONTWRITEBYTECODE :=
# Neighbours stay in one worker, which makes what a module's tests share once.
PYTEST = $(RUN) -m pytest -n $(JOBS) --dist worksteal

test: $(VENV)/.dev  ## run every test (those that need a GPU or a TensorFlow skip without)
	$(PYTEST) $(ARGS)

test-quick: $(VENV)/.dev  ## run some tests of every layer, for an answer within a minute
	$(PYTEST) @tests/quick.txt $(ARGS)

test-native: $(VENV)/.dev  ## run the tests of the eager core and of all ops without the C module
	TWINFLOW_NATIVE=0 $(PYTEST) tests/eager tests/autodiff tests/ops tests/test_tiny.py tests/test_threads.py $(ARGS)

interop: $(INTEROP)/.made $(OTHERS)  ## run the tests against real TensorFlows, torch, Keras 3, onnxruntime and jax
	@$(if $(TF112_PYTHON),,echo "No Python 3.6 was found: comparisons with TensorFlow 1.12 are left out.")
	TF112_PYTHON=$(TF112_PYTHON) TF221_PYTHON=$(TF221_PYTHON) \
	  $(INTEROP)/bin/python -m pytest -n $(JOBS) --dist worksteal -m 'interop or exchange' $(ARGS)

sanitize: $(VENV)/.dev  ## run the C module under AddressSanitizer, UBSan and debug allocators
	$(RUN) -m tests.support.sanitize -n $(JOBS) $(ARGS)

lint: $(VENV)/.dev types  ## check style, formatting and types
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(VENV)/.dev  ## check types only
	$(RUN) -m mypy
	$(RUN) -m pytest -q tests/typing/test_strict.py -k content

format: $(VENV)/.dev  ## format the code and mend what ruff can mend
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

bench: $(VENV)/.demo  ## measure against PyTorch, TensorFlow and jax, memory and cores; writes docs
	$(RUN) benchmarks/run.py $(ARGS)
	$(if $(ARGS),,$(RUN) -m benchmarks.depth && $(RUN) -m benchmarks.cores)

docs: $(VENV)/.docs  ## run the examples of the documents and build their site: build/site/html
	$(PYTEST) -q tests/test_docs.py tests/test_docstrings.py tests/test_site.py
	$(RUN) docs/site/build.py -j $(JOBS) $(ARGS)

examples: $(VENV)/.docs  ## run examples whose code has changed as notebooks, for their pages (ARGS: names)
	$(RUN) docs/site/record.py $(ARGS)

coverage: $(VENV)/.dev  ## how much of the TensorFlow 1.12 API is there
	$(RUN) -m tests.support.coverage

stubs: $(VENV)/.dev  ## write the .pyi files of the public indexes
	$(RUN) -m tests.support.stubs

fuzz: $(VENV)/.dev  ## run the property tests on many fresh random examples
	$(PYTEST) -m hypothesis --hypothesis-profile=fuzz $(ARGS)

conformance: $(VENV)/.dev  ## run TensorFlow's own tests: TENSORFLOW=<a checkout of v1.12.0>
	$(RUN) -m tests.support.conformance $(TENSORFLOW) $(ARGS)

clean:  ## remove the environments, caches and build output
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is touched last, so an interrupted installation is done again.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || { \
	  echo "twinflow needs Python 3.11 to 3.14, but $(PYTHON) is $(or $(VERSION),not found)." >&2; \
	  echo "Name another one: make PYTHON=python3.13 $(MAKECMDGOALS)" >&2; exit 1; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.docs: $(VENV)/.dev
$(VENV)/.demo $(VENV)/.dev $(VENV)/.docs: $(VENV)/.%: pyproject.toml setup.py $(wildcard native/*) | $(VENV)/.made
	$(RUN) -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@

INSTALL = -m pip install --quiet --disable-pip-version-check

$(INTEROP)/.made: pyproject.toml setup.py $(wildcard native/*)
	$(PYTHON) -m venv $(INTEROP)
	$(INTEROP)/bin/python $(INSTALL) -e '.[dev]' $(TORCH) onnxscript
	@touch $@

.venv/tf221/.made:
	$(PYTHON) -m venv .venv/tf221
	.venv/tf221/bin/python $(INSTALL) tensorflow==2.21.0 tensorflow-serving-api==2.21.0
	@touch $@

.venv/tf112/.made:
	$(PYTHON36) -m venv .venv/tf112
	.venv/tf112/bin/python $(INSTALL) --upgrade 'pip<22' 'wheel<0.38'
	.venv/tf112/bin/python $(INSTALL) tensorflow==1.12.0 'numpy<1.17' gast==0.2.2 'protobuf<3.20'
	@touch $@
