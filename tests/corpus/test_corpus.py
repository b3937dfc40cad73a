"""Matches that an earlier release has played are folded to the same bytes by this one: verdicts,
facts, heads, seed, outcome. Whoever changes that must raise a game's RULES, or the format."""

from __future__ import annotations

import gzip

import pytest

from engine.audit import audit, opened
from engine.catalogue import GAMES, versions
from engine.fold import fold
from engine.match import Line
from engine.snapshot import load, save
from tests.corpus.__main__ import MATCHES

FILES = sorted(MATCHES.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_it_folds_to_what_it_was(path):
    file = opened(gzip.decompress(path.read_bytes()))
    report = audit(file)
    assert report.ok, report.faults[:3]
    match = fold(Line(one.at, one.entry.encode()) for one in file.entries)
    assert (match.outcome, match.head) == (file.outcome, file.entries[-1].head)
    assert load(save(match)) == match


def test_every_game_is_there_by_all_its_rules():
    for game in (one for name in GAMES for one in versions(name)):
        found = list(MATCHES.glob(f"{game.NAME}-{game.RULES}-*"))
        assert found, "python -m tests.corpus adds some"
