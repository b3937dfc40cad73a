"""Who may import whom. Every import of the house is read; one that crosses a wall is named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORDS = """__future__ abc base64 bisect collections dataclasses enum functools hashlib heapq hmac
    itertools json math operator re string struct textwrap typing msgspec"""
PURE = WORDS.split()  # no clock, no chance, no files
OPEN = [
    "services.archive",
    "services.ledger",
    "services.wire",
    "services.door",
    "services.guests",
    "services.logs",
    "services.orders",
    "services.ratings",
    "services.tournaments",
    "services.roll",
    "services.notices",
    "services.traces",
    "services.uptime",
    "services.web.boards",
    "services.web.drawing",
    "services.web.pictures",
    "services.web.readmes",
    "services.web.render",
    "services.web.shown",
]
OUTSIDE = None  # any library
WALLS = {  # room: (may import, of what lies in this house), (may import, of what does not)
    "engine.games": (["engine.contract", "engine.dice"], PURE),
    "engine.catalogue": (["engine"], [*PURE, "importlib"]),  # it finds games by their path
    "engine": (["engine"], PURE),
    "services": (["engine", "services"], OUTSIDE),
    "workers": (["engine", "workers", *OPEN], OUTSIDE),
}
HOUSE = ["engine", "services", "workers", "tests"]


def strays(root: Path) -> list[str]:
    """Every import that crosses a wall, as `file: module`."""
    return [
        f"{path.relative_to(root).as_posix()}: {name}"
        for room in ("engine", "services", "workers")
        for path in sorted((root / room).rglob("*.py"))
        for name in imported(path, path.relative_to(root).with_suffix("").parts)
        if not may_import(path.relative_to(root).with_suffix("").parts, name)
    ]


def may_import(module: tuple[str, ...], name: str) -> bool:
    room = next(room for room in WALLS if within(".".join(module), [room]))
    inside, outside = WALLS[room]
    if room == "engine.games":
        inside = [*inside, ".".join(module[:3])]
    if within(name, HOUSE):
        return within(name, inside)
    return outside is OUTSIDE or within(name, outside)


def within(name: str, packages: list[str]) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def imported(path: Path, module: tuple[str, ...]) -> Iterator[str]:
    """The full name of everything a file imports, wherever in it, relative imports too."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(source, names, level):
                base = ".".join(module[: len(module) - level]) if level else ""
                start = ".".join(filter(None, [base, source]))
                yield from (f"{start}.{alias.name}" for alias in names)


def test_no_import_crosses_a_wall():
    assert strays(ROOT) == []


CROSSINGS = [  # where, the import, and the name it is caught by
    ("engine/games/uno/rules.py", "from engine.games.qwirkle.lines import TILES", ...),
    ("engine/games/uno/rules.py", "from engine.games import qwirkle", ...),
    ("engine/games/uno/rules.py", "from ..qwirkle import lines", "engine.games.qwirkle.lines"),
    ("engine/games/uno/rules.py", "from .. import qwirkle", "engine.games.qwirkle"),
    ("engine/games/uno/rules.py", "from ... import fold", "engine.fold"),
    ("engine/games/uno/rules.py", "from ...fold import step", "engine.fold.step"),
    ("engine/games/uno/rules.py", "from engine import catalogue", ...),
    ("engine/games/uno/rules.py", "import engine.match", ...),
    ("engine/games/uno/rules.py", "import random", ...),
    ("engine/games/uno/rules.py", "def f():\n    import secrets", "secrets"),
    ("engine/games/uno/__init__.py", "from ..qwirkle import NAME", "engine.games.qwirkle.NAME"),
    ("engine/fold.py", "import time", ...),
    ("engine/fold.py", "from os import path", "os.path"),
    ("engine/fold.py", "import asyncio.events", ...),
    ("engine/fold.py", "if True:\n    import redis", "redis"),
    ("engine/fold.py", "from importlib import import_module", ...),
    ("engine/fold.py", "import services.ledger", ...),
    ("engine/catalogue.py", "import os", ...),
    ("engine/fold.py", "from workers import fold", ...),
    ("services/api.py", "from workers import fold", ...),
    ("services/api.py", "import workers", ...),
    ("services/web/page.py", "from ...workers import fold", "workers.fold"),
    ("services/api.py", "from tests.games import matches", ...),
    ("workers/react.py", "from services import api", ...),
    ("workers/react.py", "from services.api import app", ...),
    ("workers/react.py", "import services", ...),
    ("workers/react.py", "from services import ledger, api", "services.api"),
    ("workers/react.py", "from services.web import pages", ...),
    ("workers/react.py", "from services.doorbell import ring", ...),
]
FREE = [
    ("engine/games/uno/rules.py", "from engine.contract import Told\nfrom engine import dice"),
    ("engine/games/uno/rules.py", "from .cards import DECK\nfrom . import words\nimport msgspec"),
    ("engine/games/uno/__init__.py", "from . import words\nfrom .rules import NAME"),
    ("engine/games/uno/rules.py", "from engine.games.uno.cards import DECK"),
    ("engine/fold.py", "from engine import entries\nfrom . import dice\nimport collections.abc"),
    ("engine/catalogue.py", "from importlib import import_module\nfrom engine.games import uno"),
    ("services/api.py", "import os, time\nimport redis\nfrom engine.fold import step\nimport rq"),
    ("workers/react.py", "from services import ledger, wire\nfrom services.door import Door"),
    ("workers/react.py", "from services.web.boards import draw\nfrom services.web import boards"),
    ("workers/react.py", "import rq\nfrom workers.fold import run\nfrom . import fold"),
    ("tests/test_x.py", "import workers, services, random"),
]


def house(root: Path, where: str, text: str) -> Path:
    (root / where).parent.mkdir(parents=True)
    (root / where).write_text(text)
    return root


@pytest.mark.parametrize(("where", "text", "name"), CROSSINGS)
def test_every_crossing_is_seen(tmp_path, where, text, name):
    if name is ...:
        name = text.removeprefix("import ").removeprefix("from ").replace(" import ", ".")
    assert strays(house(tmp_path, where, text)) == [f"{where}: {name}"]


@pytest.mark.parametrize(("where", "text"), FREE)
def test_what_is_free_is_not(tmp_path, where, text):
    assert strays(house(tmp_path, where, text)) == []
