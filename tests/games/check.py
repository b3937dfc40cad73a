"""What `turnfold check` runs: every suite for one game, and what fails told in sentences.

python -m tests.games.check GAME
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.catalogue import GAMES, add
from engine.contract import Game, Words
from engine.match import Match
from services.guests import VARIABLE, invite
from tests.games.matches import folder, hook

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
SUITES = ["conformance", "marathon", "secrecy", "playthroughs"]
PYTEST = ["-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
DEEP = ("TURNFOLD_LONG", "TURNFOLD_SEEDS")
SEEDS = "21"  # matches in which secrets are looked for, unless the environment says more
MOST = 5  # failures of a test under so many seeds are enough
LONG = 400  # characters of a state that are printed


class Finding(NamedTuple):
    """Something wrong: what, the line that notices it, the place in a match, and the test."""

    says: str
    noticed: tuple[str, int]
    place: tuple[str, ...] = ()
    test: str = ""


class Checker:
    """A plugin of pytest: it leaves one game in the catalogue and gathers what is wrong with it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.findings: list[Finding] = []
        self.fallen: Counter[str] = Counter()
        self.done = self.all = 0

    def pytest_sessionstart(self) -> None:
        for name in set(GAMES) - {self.game.NAME}:
            del GAMES[name]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            why = [
                line[1:].strip() for line in str(report.longrepr).splitlines() if line[:1] == "E"
            ]
            said = f"{report.nodeid} cannot be read, nor what it imports"
            self.findings.append(Finding(said, (report.nodeid, 0), tuple(why)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.all = len(session.items)

    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        if self.fallen[item.originalname] >= MOST:
            pytest.skip("it has failed often enough")

    def pytest_runtest_makereport(self, item: pytest.Function, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.fallen[item.originalname] += 1
            self.findings.append(finding(self.game, item, call.excinfo))

    def pytest_runtest_logfinish(self) -> None:
        self.done += 1
        if sys.stderr.isatty():
            print(f"\r{self.done} of {self.all} ", end="", file=sys.stderr, flush=True)


# From a failure to a sentence


def finding(
    game: Game, item: pytest.Function, error: pytest.ExceptionInfo[BaseException]
) -> Finding:
    """What a failing test says: in the words of its assertion or, if the game raised, in ours."""
    homes = Path(game.__file__).parent, folder(game)
    told = [f for f in error.traceback if any(map(Path(f.path).is_relative_to, (HERE, *homes)))]
    last = told[-1] if told else error.traceback[-1]
    what = f"{error.typename}: {str(error.value) or last.statement}".partition("\n")[0]
    if any(map(Path(last.path).is_relative_to, homes)):
        says = f"`{last.name}`, at {last.path}:{last.lineno + 1}, raised {what}"
    elif isinstance(error.value, AssertionError):
        says = what.partition(": ")[2]
    else:
        says = f"{what}, at `{str(last.statement).strip()}`"
    leak = item.funcargs.get("leak")
    if leak is not None and not isinstance(error.value, AssertionError):
        says = f"with the leak '{leak.says}' planted: {says}"
    path = item.path.relative_to(ROOT) if item.path.is_relative_to(ROOT) else item.path
    noticed = str(last.path), last.lineno
    return Finding(says, noticed, tuple(place(item, error)), f"{path}::{item.name}")


def place(item: pytest.Function, error: pytest.ExceptionInfo[BaseException]) -> Iterator[str]:
    """The seed, the entry, the seat and the move that the failing test was looking at."""
    seen: dict[str, Any] = {}
    for frame in error.traceback:
        seen |= {name: x for name, x in frame.frame.f_locals.items() if not name.startswith("@")}
    match, seed = seen.get("match"), item.funcargs.get("seed")
    parts = [] if seed is None else [f"seed {seed}"]
    if isinstance(match, Match):
        parts.append(f"after entry {match.seq}")
    if (seat := seen.get("viewer", seen.get("seat"))) is not None:
        parts.append(f"seat {seat}")
    if "move" in seen:
        parts.append(f"move {seen['move']}")
    if parts:
        yield ", ".join(parts)
    if isinstance(match, Match) and match.state is not None:
        state = str(match.state)
        yield f"{state[:LONG]}{'…' if len(state) > LONG else ''}"


def report(game: Game, checker: Checker) -> Iterator[str]:
    """What is wrong, each thing once, and how to see it again."""
    kinds: dict[tuple[str, int], list[Finding]] = {}
    for found in checker.findings:
        kinds.setdefault(found.noticed, []).append(found)
    if not kinds and not checker.done:
        yield "No test is called so."
        return
    if not kinds:
        secrets = "" if hook(game, "redeal") else " It has no redeal.py: nothing in it is secret."
        yield f"{game.NAME} passes all {checker.done} tests.{secrets}"
        return
    things = "1 thing is" if len(kinds) == 1 else f"{len(kinds)} things are"
    yield f"{game.NAME}: {things} wrong. Mend the first, and check again."
    for n, (first, *others) in enumerate(kinds.values(), start=1):
        yield f"\n{n}. {first.says}"
        yield from (f"   {line}" for line in first.place)
        if others:
            yield f"   and so in {len(others)} more"
        if first.test:
            yield f"   again, from the checkout: {again()}python -m pytest '{first.test}'"


def again() -> str:
    """The settings under which pytest has the same tests."""
    names = (*DEEP, VARIABLE)
    return "".join(f"{name}='{value}' " for name in names if (value := os.environ.get(name)))


def lacks(game: Any) -> Iterator[str]:
    """What the contract asks for and this package does not offer."""
    for wanted, of, name in ((Game, game, ""), (Words, getattr(game, "words", None), "words.")):
        for each in (*getattr(wanted, "__annotations__", ()), *vars(wanted)):
            if not each.startswith("_") and not hasattr(of, each):
                yield f"It offers no `{name}{each}`: engine/contract.py says what that is."


def check(game: Game, only: str = "") -> int:
    """Run all that is asked of a game, say what is wrong, and give the exit status."""
    if missing := list(lacks(game)):
        print(f"{game.__name__} is no game yet.", *missing, sep="\n")
        return 1
    checker = Checker(game)
    suites = [HERE / f"test_{name}.py" for name in SUITES]
    own = [folder(game)] if folder(game).exists() else []
    asked = [f"--rootdir={ROOT}", "-c", ROOT / "pyproject.toml", "-k", only]
    if not any(map(os.environ.get, DEEP)):
        os.environ["TURNFOLD_SEEDS"] = SEEDS
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # ours is all that it needs
    code = pytest.main([*PYTEST, *map(str, asked + suites + own)], plugins=[checker])
    print("\r" * sys.stderr.isatty() + "\n".join(report(game, checker)))
    return int(code)


def named(name: str | None, module: str | None) -> Game:
    """The game of this name, or of this module; SystemExit with a sentence if there is none."""
    if module is not None:
        os.environ[VARIABLE] = module  # for the processes that the suites start, too
    invite()
    if module is not None:
        return add(module)
    if name in GAMES:
        return GAMES[name]
    hint = "engine/catalogue.py, or --module, has to name it."
    raise SystemExit(f"There is no game {name}: {hint} There are: {', '.join(GAMES)}.")


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.games.check", description=__doc__)
    words.add_argument("game", nargs="?", help="its name")
    words.add_argument("--module", help="or the path of its module")
    words.add_argument("-k", default="", help="only these tests, as pytest has it")
    asked = words.parse_args()
    raise SystemExit(check(named(asked.game, asked.module), asked.k))


if __name__ == "__main__":
    main()
