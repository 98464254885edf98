.DEFAULT_GOAL := help
# What is compiled once is kept: else each of the thousand programs that tests start does it again.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
BIN := .venv/bin
# Stamps: a target below installs again only when pyproject.toml has changed.
INSTALLED := .venv/.installed
READY := .venv/.ready
DATA := $(or $(TILTH_EVAL_DATA),../shared/data)
LOCOMO := $(DATA)/locomo/locomo_haystacks.jsonl.gz
# How many `auto` is, `tests/conftest.py` says. Whichever worker has nothing left takes over from
# the others; one that dies is replaced.
PARALLEL := -n auto --dist worksteal --max-worker-restart 8
PYTEST := $(BIN)/python -m pytest -q $(PARALLEL)

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

run: $(INSTALLED)  ## Import what agents left on this machine, or a sample, show it, and serve the pages
	@$(BIN)/tilth demo --serve

setup: $(READY)  ## Install the package and its tools into .venv

test: $(READY)  ## Run every test
	$(PYTEST)

lint: $(READY)  ## Check style, types and layers
	@$(MAKE) --no-print-directory --jobs style types layers

style:
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .

types:
	$(BIN)/mypy --no-error-summary

layers:
	$(BIN)/lint-imports --no-cache

# At once: mypy, which takes longest of the rest, runs on one processor alone.
check: $(READY)  ## Check everything: what must be green
	@$(MAKE) --no-print-directory --jobs style types layers test

coverage: $(READY)  ## Run every test, and show which lines none of them runs
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q $(PARALLEL)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

rows: $(READY)  ## List the rows of the specification with their tests, or those of ROW=…
	@$(BIN)/python -m tests.rows $(ROW)

fix: $(READY)  ## Format, and mend what can be mended
	$(BIN)/ruff check --fix -q . ; $(BIN)/ruff format -q .

audit: $(READY)  ## Say which fields nobody fills, in STORE=… or in the sample of the demo
	$(BIN)/python scripts/audit_fields.py $(STORE)

bench: $(READY)  ## Measure speed, size, hooks, start-up and the finding of secrets, each beside a floor
	$(BIN)/python -m bench.core --data $(DATA)
	$(BIN)/python -m bench.embed
	$(BIN)/python -m bench.hook
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.hung_model
	$(BIN)/python -m bench.secrets $(wildcard $(LOCOMO))

bench-recall: $(READY)  ## Measure recall on the evaluation data in TILTH_EVAL_DATA
	$(BIN)/python -m bench.recall $(LOCOMO)
	$(BIN)/python -m bench.recall $(LOCOMO) --tier1
	$(BIN)/python -m bench.newer $(filter-out %.sealed.jsonl,$(wildcard bench/data/newer*.jsonl))
	$(BIN)/python -m bench.currency $(DATA)/factconsolidation/factconsolidation_sh_6k.json.gz

bench-knowledge: $(READY)  ## Measure how names match and contradictions are found, on the evaluation data in TILTH_EVAL_DATA
	$(BIN)/python -m bench.kg
	$(BIN)/python -m bench.matching $(DATA)/entity_matching/autofj
	$(BIN)/python -m bench.contradiction $(DATA)/contradiction/core_memory_update_dev.jsonl
	$(BIN)/python -m bench.doubles
	$(BIN)/python -m bench.triples
	$(BIN)/python -m bench.lifecycle $(DATA)/lifecycle/peps.jsonl.gz $(DATA)/lifecycle/adr_govuk_aws
	$(BIN)/python -m bench.knowledge

bench-streams: $(READY)  ## Measure what streams of real sessions become, and what briefs tell of them
	$(BIN)/python -m bench.streams $(DATA)/streams
	$(BIN)/python -m bench.distil
	$(BIN)/python -m bench.continuity $(wildcard $(LOCOMO))

learn: $(READY)  ## Learn again what is worth telling, from labelled sentences of real sessions
	$(BIN)/python -m bench.train_worth $(DATA)/streams --write

bench-footprint: $(READY)  ## Measure the default install: packages, size, start-up
	$(BIN)/python -m bench.footprint

check-wheel: $(READY)  ## Install the wheel on each supported Python, away from here, and use it
	$(BIN)/python scripts/check_wheel.py

prove: $(READY)  ## Kill, corrupt and replay stores, try every case on PostgreSQL and every property long
	$(BIN)/python -m prove
	$(PYTEST) -m postgres --every-engine
	$(PYTEST) -m hypothesis --hypothesis-profile long -o patience=3600

prove-hosts: $(READY)  ## Drive the real agent programs, from npm, before a model that is played
	$(BIN)/python -m prove.hosts $(HOSTS)

test-adapters: $(READY)  ## Install the frameworks apart, and test the adapters against them
	$(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/python -m pip install -q -U pip
	.venv-adapters/bin/python -m pip install -q -e . --group dev --group adapters
	.venv-adapters/bin/python -m mypy --no-error-summary src/tilth/adapters
	# The frameworks leave loops and databases to be collected.
	.venv-adapters/bin/python -m pytest -q tests/adapters -W ignore::pytest.PytestUnraisableExceptionWarning

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -U pip  # 25.1 brought --group
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(READY): $(INSTALLED)
	$(BIN)/python -m pip install -q -e . --group dev
	@touch $@

prove-pages: $(READY)  ## Drive the pages in Chromium, by keyboard, with axe in AXE=…, on STREAMS=…
	$(BIN)/python -m prove.pages $(if $(AXE),--axe $(AXE))
	$(BIN)/python -m prove.payloads
	$(BIN)/python -m prove.browsing $(or $(STREAMS),none) $(if $(AXE),--axe $(AXE)) $(if $(SHOTS),--shots $(SHOTS))

prove-vault: $(READY)  ## Open a vault with a parser of Obsidian's markdown, from npm, and follow each link
	$(BIN)/python -m prove.vault

.PHONY: help run setup test test-adapters lint check coverage rows fix audit learn bench bench-recall bench-knowledge bench-streams bench-footprint check-wheel style types layers prove prove-pages prove-vault prove-hosts
