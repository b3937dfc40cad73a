"""`turnfold refold`: what it prints, and with which status it ends."""

from __future__ import annotations

import gzip

import pytest
from msgspec import json
from typer.testing import CliRunner

from services.cli import app
from services.packed import packed
from tests.commands.documents import DOCS
from tests.corpus.__main__ import MATCHES
from tests.engine.logs import sealed
from tests.rules import aces
from tests.rules.test_versions import log

OTHER = """\
{}: aces, rules 1 as rules 2
  first: entry 5: kept, shown, match.over → kept, shown, match.over
  seat 0: place 2 → 1
  seat 1: place 1 → 2
1 match: 0 the same, 1 not.
"""


@pytest.fixture
def old(become, tmp_path):
    """The bundle of a match by an older release, in one that has rules 2 too."""
    path = tmp_path / "old.json"
    path.write_bytes(sealed(*log()))
    become(aces)
    return path


def refold(*words, code: int) -> str:
    done = CliRunner().invoke(app, ["refold", *map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def test_it_names_what_differs(old):
    assert refold(old, "--rules", 2, code=1) == OTHER.format(old)
    assert refold(old, code=0) == "1 match: 1 the same, 0 not.\n"


def test_what_docs_show_is_what_it_prints():
    shown = OTHER.format("match.json").replace("1 match: 0 the same, 1 not.\n", "")
    assert shown in (DOCS / "games.md").read_text()


def test_all_of_it_as_json(old):
    (line,) = refold(old, "--rules", 2, "--json", code=1).splitlines()
    found = json.decode(line)
    assert (found["rules"], found["first"]["seq"], found["ends"]) == ([1, 2], 5, True)
    assert found["first"]["was"]["told"][-1]["fact"]["outcome"]["places"] == [2, 1]


def test_a_folder_of_bundles_packed_or_not(old):
    raw, archive = old.read_bytes(), old.parent / "archive"
    for name in ("matches/ab", "manifest"):
        (archive / name).mkdir(parents=True)
    (archive / "matches/ab/0-ab.json.zst").write_bytes(packed(raw))
    (archive / "manifest/1.json").write_bytes(b"{}")
    (archive / "one.json.gz").write_bytes(gzip.compress(raw))
    corpus = MATCHES / "qwirkle-1-1.json.gz"
    said = refold(archive, corpus, "--rules", 2, code=1)
    assert said.endswith("3 matches: 0 the same, 2 not, 1 of games without these rules.\n")


def test_what_cannot_be_read_is_named(old, tmp_path):
    junk = tmp_path / "junk.json"
    junk.write_bytes(gzip.compress(old.read_bytes())[:-20])
    said = refold(old, junk, code=2)
    assert f"{junk}: this is not a bundle" in said
    assert said.endswith("2 matches: 1 the same, 0 not, 1 unread.\n")
