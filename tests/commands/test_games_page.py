"""docs/games.md: its Python is that of games, its playthrough is true, its commands do as shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.playthrough import rewrite
from tests.commands.documents import DOCS
from tests.commands.processes import ROOT

TEXT = (DOCS / "games.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.M | re.S)
RULES, TESTS = ROOT / "engine/games/high_card", ROOT / "tests/games/high_card"
WHOLE = [RULES / "rules.py", RULES / "words.py"]
ACES = ROOT / "tests/rules/aces"
PARTS = [TESTS / "redeal.py", TESTS / "leaks.py", TESTS / "pieces.py"]
PARTS += [ACES / "rules2.py", ACES / "__init__.py"]


def test_no_block_is_left_out():
    assert {kind for kind, _ in BLOCKS} == {"python", "sh", "text"}
    assert TEXT.count("```") == 2 * len(BLOCKS)
    for path in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / path).exists(), path


def test_the_rules_and_the_words_are_there_whole():
    """In their order and with nothing left out, so that what is read is what is played."""
    blocks = [block for kind, block in BLOCKS if kind == "python"]
    for path in WHOLE:
        source = path.read_text()
        parts = [block for block in blocks if block in source]
        assert "".join(parts).split() == source.split()
    for block in blocks:
        assert any(block.strip() in path.read_text() for path in WHOLE + PARTS), block


def test_the_playthrough_is_true():
    (text,) = [block for _, block in BLOCKS if block.startswith("# ")]
    assert rewrite(text) == text


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A checkout of its own, to write into, with a `turnfold` that is at home there."""
    place = tmp_path_factory.mktemp("checkout")
    for folder in ("engine", "services", "workers", "tests/games"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, place / folder, ignore=ignored)
    for file in ("pyproject.toml", "tests/test_walls.py"):
        shutil.copy(ROOT / file, place / file)
    command = place / "bin/turnfold"
    command.parent.mkdir()
    python = f"PYTHONPATH={place}:$PYTHONPATH exec {sys.executable} -P -m services.cli"
    command.write_text(f'#!/bin/sh\n{python} "$@"\n')
    command.chmod(0o755)
    return place


def test_each_command_prints_what_is_shown(checkout):
    ran = 0
    for (kind, block), (then, shown) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if kind != "sh":
            continue
        printed = sh(checkout, block)
        ran += 1
        if then == "text":
            wanted = re.escape(shown.strip()).replace("…", "(.|\n)*")
            assert re.search(wanted, printed), printed
    assert ran == 4
    assert "The match is over (highest card)" in printed


def sh(checkout: Path, block: str) -> str:
    path = f"{checkout}/bin:{os.environ['PATH']}"
    env = dict(os.environ, PATH=path, HOME=str(checkout / "home"), COLUMNS="200")
    env |= {"TURNFOLD_SEEDS": "6"}  # not more than without `check`
    done = subprocess.run(
        ["sh", "-c", block], cwd=checkout, env=env, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout
