"""Playthroughs: matches as text that people review. What was told is written as it is told now."""

import os
from pathlib import Path

import pytest

from engine.playthrough import rewrite

FILES = sorted(Path(__file__).parent.glob("*/playthroughs/*.txt"))


def name(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_playthrough(path):
    """After a change that is meant: once with TURNFOLD_REWRITE=1, and read the diff."""
    text = path.read_text()
    if os.environ.get("TURNFOLD_REWRITE"):
        path.write_text(rewrite(text))
    assert text == rewrite(text)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_it_begins_with_what_to_look_at(path):
    assert path.read_text().startswith("# ")
    assert all(len(line) <= 100 for line in path.read_text().splitlines())


def test_what_is_no_longer_true_is_noticed():
    text = FILES[0].read_text()
    told = [line for line in text.splitlines() if line.startswith((" ", "="))]
    assert len(told) > 5
    for line in told:
        other = text.replace(line, f"{line[:-1]}?", 1)
        assert rewrite(other) == text != other


@pytest.mark.parametrize("package", sorted({path.parent.parent.name for path in FILES}))
def test_there_are_several(package):
    assert sum(path.parent.parent.name == package for path in FILES) >= 3
