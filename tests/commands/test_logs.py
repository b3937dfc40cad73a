"""A line for each event, and nothing in it that a bug may quote."""

from __future__ import annotations

import logging
import secrets
import subprocess
import sys

import pytest
from msgspec import json

from services import logs, roll
from tests.commands.processes import ROOT

log = logging.getLogger("turnfold.test")


@pytest.fixture
def lines(request):
    """What is logged, formatted in both ways."""
    found: dict[str, list[str]] = {"text": [], "json": []}

    class Both(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found["text"].append(logs.Text().format(record))
            found["json"].append(logs.Json("api").format(record))

    handler = Both()
    log.addHandler(handler)
    log.setLevel("INFO")
    yield found
    log.removeHandler(handler)


def test_an_event_is_a_line_with_what_it_is_about(lines):
    logs.event(log, "It happened", match="0-a", ms=1.5)
    [text], [line] = lines["text"], [json.decode(line) for line in lines["json"]]
    assert text.endswith("Z turnfold.test It happened match=0-a ms=1.5".partition("Z ")[2])
    assert line["says"] == "It happened"
    assert (line["level"], line["process"], line["log"]) == ("info", "api", "turnfold.test")
    assert (line["match"], line["ms"]) == ("0-a", 1.5)
    assert line["at"].endswith("Z")


def test_a_line_is_one_line(lines):
    log.warning("an address\r\nof %s", "two\nlines\x1b[2J")
    assert all(line.isprintable() for kind in lines.values() for line in kind)
    assert json.decode(lines["json"][0])["says"] == "an address\r\nof two\nlines\x1b[2J"


def test_of_a_bug_it_tells_where_and_not_what(lines):
    def fold(hand: str) -> None:
        try:
            raise KeyError(hand)
        except KeyError as error:
            raise ValueError(f"no such card: {hand}") from error

    try:
        fold("7 of hearts")
    except ValueError:
        log.exception("a move at %s", "0-a")
    [text], [line] = lines["text"], [json.decode(line) for line in lines["json"]]
    assert "hearts" not in text + lines["json"][0]
    assert line["error"] == "ValueError from KeyError"
    assert [place.partition(" ")[2] for place in line["where"]] == [
        "test_of_a_bug_it_tells_where_and_not_what",
        "fold",
    ]
    assert line["where"][0].startswith("tests/commands/test_logs.py:")
    assert "a move at 0-a (ValueError from KeyError at tests/commands/test_logs.py:" in text


@pytest.mark.parametrize(
    "secret",
    [roll.new_token(), secrets.token_hex(32), "Bearer x.y-z", "bearer tokenish"],
    ids=["token", "entropy", "bearer", "lower"],
)
def test_what_looks_like_a_secret_is_blanked(lines, secret):
    log.info("here: %s, and there", secret)
    logs.event(log, "here", it=secret)
    for line in (*lines["text"], *lines["json"]):
        assert secret.split()[-1] not in line
        assert "…" in line


def test_the_request_is_named(lines):
    logs.numbered({b"x-request-id": b"r-1"})
    log.info("hello")
    logs.request.set("")
    assert lines["text"][0].endswith("hello request=r-1")
    assert json.decode(lines["json"][0])["request"] == "r-1"


def test_a_worker_logs_json_when_told(tmp_path):
    """One without a server says so, in its own way, until it is ended."""
    words = [sys.executable, "-m", "workers.fold", "--redis", f"unix://{tmp_path}/none"]
    env = {"PYTHONPATH": str(ROOT), "TURNFOLD_LOG": "json"}
    worker = subprocess.Popen(words, stderr=subprocess.PIPE, cwd=ROOT, env=env)
    try:
        line = json.decode(worker.stderr.readline())
    finally:
        worker.kill()
        worker.wait()
        worker.stderr.close()
    assert (line["process"], line["log"], line["level"]) == ("fold", "turnfold.fold", "warning")
    assert "again in a second" in line["says"]
