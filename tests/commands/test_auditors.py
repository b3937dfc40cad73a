"""docs/auditors.md is true: its commands and programs run, on an honest bundle and on others."""

from __future__ import annotations

import doctest

import pytest
from msgspec import json

from tests.commands.documents import DOCS, Shell, blocks


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """All of the page's shell has been run in here."""
    one = Shell(tmp_path_factory.mktemp("auditor"))
    check, draws = blocks("auditors.md", "python")
    (one.folder / "check.py").write_text(check)
    (one.folder / "draws.py").write_text(draws)
    one.said = [one.run(script) for script in blocks("auditors.md", "sh")]
    return one


def test_what_it_shows_runs(shell):
    played, checked = shell.said
    assert "True: it folds to what is written." in played
    bundle = json.decode((shell.folder / "match.json").read_bytes())
    last = bundle["entries"][-1]
    assert f"{last['seq']} {last['head']} {bundle['seed']}" in checked
    assert "draws are those of the seed" in checked


def test_it_is_thirty_lines():
    check, _ = blocks("auditors.md", "python")
    assert len(check.splitlines()) <= 30
    assert check.count("import") == 1
    assert "import hashlib, json, sys" in check


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ('{\\"type\\":\\"keep\\"}', r"head \d is false"),
        ('"at":1', "head 1 is false"),
        ('"commitment":"', "the secret is not the one committed to"),
        ('"seed":"', "the seed is false"),
        ('"seq":', "entry 1 is missing"),
    ],
)
def test_what_was_changed_is_found_by_hand_too(shell, what, says):
    honest = (shell.folder / "match.json").read_text()
    at = honest.index(what) + len(what)
    other = {"0": "1"}.get(honest[at], "0")
    (shell.folder / "forged.json").write_text(honest[:at] + other + honest[at + 1 :])
    with pytest.raises(AssertionError, match=says):
        shell.run("python3 check.py forged.json")


def test_the_vectors_are_right():
    found = doctest.testfile(str(DOCS / "auditors.md"), module_relative=False)
    assert found.attempted > 4
    assert not found.failed
