# Two commands do all the set-up on a fresh machine: `make serve` and `make test`.
VENV := .venv
RUN := $(VENV)/bin/python

serve: $(VENV)/ready  ## play: http://127.0.0.1:8000
	@$(VENV)/bin/turnfold serve

demo: $(VENV)/ready  ## robots play a match of each game over HTTP
	@$(VENV)/bin/turnfold demo

test: $(VENV)/ready  ## the whole test suite, lint and types beside it
	@$(MAKE) --no-print-directory -j2 tests check

tests: $(VENV)/ready
	@$(RUN) -m pytest -n 2 --dist worksteal

check: $(VENV)/ready  ## lint, format, types
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy

long: $(VENV)/ready  ## the same tests, ten times as long
	@TURNFOLD_LONG=1 $(RUN) -m pytest -n 2 --dist worksteal

bench: $(VENV)/ready  ## how fast it is here, as ratios of one run
	@$(RUN) -m tests.bench

lock: $(VENV)/ready  ## pin the dependencies anew
	@sh deploy/lock.sh

audit-deps:  ## hold the pinned dependencies against known vulnerabilities; it asks a database
	@pipx run pip-audit --require-hashes --disable-pip -r deploy/lock.txt

$(VENV)/ready: deploy/lock.txt pyproject.toml deploy/setup.sh
	@sh deploy/setup.sh $(VENV)
	@touch $@

.PHONY: serve demo test tests check long bench lock audit-deps
