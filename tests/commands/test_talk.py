"""`turnfold talk`: what is reported is listed, taken away or left; who offends is silenced."""

from __future__ import annotations

from typer.testing import CliRunner

from services import talk
from services.cli import app
from services.talk import Report
from services.wire import BlockingWire

MATCH, BOB = "0-" + "t" * 16, "b" * 16


def run(house, *words: str) -> str:
    done = CliRunner().invoke(app, ["talk", *words, "--data", str(house.data)])
    assert done.exit_code == 0, done.output
    return done.output


def test_reports_are_listed_and_dealt_with(house):
    wire = BlockingWire(house.redis)
    assert run(house, "reports") == "No report waits for you.\n"
    rude, harsh = (wire.talk(talk.say(MATCH, "table", BOB, text)) for text in ("rude", "harsh"))
    for message, by in ((rude, "c" * 16), (rude, "d" * 16), (harsh, "c" * 16)):
        wire.ask(talk.report(Report(MATCH, "table", message, by, "because")))
    ids = [line.split()[1] for line in run(house, "reports").splitlines() if "│" in line]
    assert len(ids) == 3
    [first] = [id for id in ids if rude.id in id][:1]
    assert run(house, "remove", first) == "The message is gone.\n"
    [last] = [line.split()[1] for line in run(house, "reports").splitlines() if "│" in line]
    assert run(house, "dismiss", last) == "The message stays.\n"
    assert run(house, "reports") == "No report waits for you.\n"
    assert wire.ask(talk.last_said(MATCH, "table", 10)) == [harsh]
    assert run(house, "silence", BOB, "--hours", "2") == f"{BOB} says nothing for 2 hours.\n"
    assert 0 < wire.ask(talk.silenced(BOB)) <= 2 * 3600
    assert run(house, "unsilence", BOB) == f"{BOB} may speak again.\n"
    assert wire.ask(talk.silenced(BOB)) == 0
    wire.close()
