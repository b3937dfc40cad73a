"""`turnfold matches`: what operators see of matches, and what they may do to them."""

from __future__ import annotations

import re
from contextlib import closing

import pytest
from msgspec import json
from typer.testing import CliRunner

from engine import RELEASE
from services import ledger
from services.cli import app
from services.server import Server
from services.wire import BlockingWire
from tests.commands.processes import soon

NOBODY = "0-" + "a" * 16


@pytest.fixture
def ask(house):
    """Asks `turnfold matches …` of the house."""

    def run(*words: object, code: int = 0, text: str = "") -> str:
        asked = ["matches", *map(str, words), "--data", str(house.data)]
        done = CliRunner().invoke(app, asked, input=text)
        assert done.exit_code == code, done.output
        return done.output

    return run


@pytest.fixture
def wire(house):
    wire = BlockingWire(house.redis)
    yield wire
    wire.close()


@pytest.fixture
def running(house):
    """A match that waits for us."""
    return house.offer(None, "random")["match"]


@pytest.fixture
def over(house):
    look = house.offer("random", "greedy")
    soon(lambda: house.look(look["match"])["status"] == "over")
    return look["match"]


@pytest.fixture
def stuck(running, wire):
    """A match that no release folds on."""
    why = ledger.Stuck(2, "0.0.1", "Traceback\n  in a rule\nAssertionError: no [such] card[/]\n")
    wire.ask(ledger.park(running, why, b""))
    yield running
    wire.ask(ledger.retry(running))


def test_the_list_has_filters(house, ask, running, over):
    def names(*words: str) -> list[str]:
        return [one["match"] for one in json.decode(ask("list", "--json", *words))]

    me = house.http.get("/players/me").json()["player"]
    assert {running, over} <= set(names())
    assert running in names("--state", "running")
    assert over not in names("--state", "running")
    assert over in names("--state", "over", "--game", "high-card")
    assert names("--game", "qwirkle") == []
    assert running in names("--player", me)
    assert over not in names("--player", me)
    assert names()[0] == over, "the newest first"
    assert names("--limit", "1") == [over]


def test_the_list_is_a_table(ask, running, over):
    said = ask("list")
    assert all(name in said for name in (running, over))
    assert "waits for" in said
    assert "1 of " in ask("list", "--limit", 1)


def test_what_is_not_listed_is_listed_here(house, ask):
    asked = {"game": "high-card", "seats": [None, None], "policy": {"listed": False}}
    match = house.http.post("/matches", json=asked).json()["look"]["match"]
    assert match in ask("list", "--state", "open")
    assert match not in house.http.get("/matches").text


def test_a_running_match_is_shown_without_its_secrets(house, ask, running, wire):
    me = house.http.get("/players/me").json()["player"]
    for words in ((), ("--json",)):
        said = ask("show", running, *words)
        look = house.look(running)
        assert all(word in said for word in (me, "Ann", look["commitment"], look["head"]))
        offered, joined = (json.decode(one.line.raw) for one in wire.ask(ledger.log(running)))
        assert offered["secret"] not in said
        assert joined["entropy"] not in said
    shown = json.decode(said)
    assert shown["table"] is shown["look"]["view"] is None
    assert shown["standing"]["to_act"] == look["to_act"]
    assert shown["standing"]["seats"][0]["since"] == 2


def test_a_match_that_is_over_is_shown_with_its_table(ask, over):
    shown = json.decode(ask("show", over, "--json"))
    assert shown["look"]["outcome"]
    assert "in the deck" in shown["table"]
    assert shown["table"] in ask("show", over)


def test_a_clock_is_shown(house, ask):
    asked = {"game": "high-card", "seats": ["random", None]}
    asked |= {"policy": {"clock": {"type": "move", "seconds": 3600}, "order": "joined"}}
    asked |= {"join": {"entropy": "a" * 64}}
    match = house.http.post("/matches", json=asked).json()["look"]["match"]
    soon(lambda: house.look(match)["deadline"][1] is not None)
    shown = json.decode(ask("show", match, "--json"))
    assert shown["standing"]["seats"][1]["deadline"] == house.look(match)["deadline"][1]
    assert ask("show", match).count("Z") >= 3, "when it was opened, its last entry, until when"


def test_stuck_matches_say_why(ask, stuck):
    said = ask("stuck")
    assert stuck in said
    assert "AssertionError: no [such] card[/]" in said
    assert "0.0.1" in said
    assert "running, stuck at 2" in ask("list")
    assert "in a rule" in ask("show", stuck)
    assert json.decode(ask("stuck", "--json"))[stuck]["seq"] == 2


def test_a_stuck_match_goes_on(ask, stuck, wire):
    assert ask("retry", stuck) == f"{stuck} goes on.\n"
    assert ask("stuck") == "No match is stuck.\n"
    assert ask("rebuild", stuck) == f"{stuck} is being folded again.\n"


def test_what_this_release_cannot_read_is_counted_all_the_same(tmp_path):
    def ask(*words: str) -> str:
        asked = ["matches", *words, "--data", str(tmp_path)]
        return CliRunner().invoke(app, asked).output

    server = Server(tmp_path)
    server.start()
    try:
        with closing(BlockingWire(server.url)) as wire:
            entry = b'{"type":"offered","format":9}'
            wire.ask(ledger.append(NOBODY, 0, 0, entry))
        assert NOBODY in ask("list", "--state", "unread")
        assert "unread" in ask("show", NOBODY)
        assert "not over (unread)" in ask("export", NOBODY, "x")
    finally:
        server.stop()


def test_an_operator_ends_a_match(house, ask, running):
    assert "Aborted" in ask("abort", running, text="n\n", code=1)
    assert house.look(running)["status"] == "running"
    assert ask("abort", running, text="y\n").endswith(f"{running} is aborted by entry 3.\n")
    soon(lambda: house.look(running)["aborted"] == "operator")
    assert ask("abort", running, "--yes", code=1) == "The match is over.\n"


def test_a_match_that_is_not_dealt_can_be_ended_too(house, ask):
    match = house.offer(None, None)["match"]
    ask("abort", match, "--yes")
    soon(lambda: house.look(match)["aborted"] == "operator")


def test_a_finished_match_is_exported(house, ask, over, tmp_path):
    file = tmp_path / "match.json"
    assert f"{over} is in {file}" in ask("export", over, file)
    assert file.read_bytes() == house.http.get(f"/matches/{over}/bundle").content
    done = CliRunner().invoke(app, ["audit", str(file)])
    assert done.output.splitlines()[-1].startswith("True: ")
    assert "cannot be written" in ask("export", over, tmp_path, code=1)


def test_a_match_under_play_is_not_exported(ask, running, tmp_path):
    file = tmp_path / "match.json"
    said = ask("export", running, file, code=1)
    assert said == f"{running} is not over (running): its log is still secret.\n"
    assert not file.exists()


def test_all_finished_matches_are_audited(ask, over, wire):
    assert "finished matches are true." in ask("audit")
    kept = wire.ask(ledger.facts(over))[-1]
    facts = f"{{0}}:match:{over}:facts"
    wire.ask(ledger.Ask(("DEL", facts), bool))
    forged = kept.verdict.replace(b'"places":[', b'"places":[7')
    entry = ("XADD", facts, f"{kept.seq}-0", "=", forged, "+", kept.note)
    wire.ask(ledger.Ask(entry, bool))
    said = ask("audit", code=1)
    wire.ask(ledger.rebuild(over))
    assert f"{over}: " in said


def test_finished_matches_are_folded_again(house, over, running):
    def refold(*words: str, code: int) -> str:
        done = CliRunner().invoke(app, ["refold", *words, "--redis", house.redis])
        assert done.exit_code == code, done.output
        return done.output

    assert refold(over, code=0) == "1 match: 1 the same, 0 not.\n"
    assert re.fullmatch(r"\d+ match(es)?: \d+ the same, 0 not.\n", refold(code=0))
    said = refold(over, running, NOBODY, "../x", code=2)
    assert f"{running}: it is not over." in said
    assert f"{NOBODY}: there is no such match." in said
    assert "../x: there is no such file, and it is no id of a match." in said


@pytest.mark.parametrize("command", ["show", "retry", "rebuild", "abort", "export"])
def test_what_is_not_there(ask, command, tmp_path):
    file = [tmp_path / "file"] if command == "export" else []
    assert ask(command, NOBODY, *file, code=1) == "There is no such match.\n"
    assert ask(command, "../x", *file, code=1) == "../x is no id of a match.\n"


def test_matches_are_asked_of_any_server(house, over):
    words = ["matches", "show", over, "--redis", house.redis]
    assert CliRunner().invoke(app, words).exit_code == 0
    done = CliRunner().invoke(app, [*words[:-1], "http://x"])
    assert (done.exit_code, "no address of a server" in done.output) == (1, True)


def test_by_which_release_a_match_is_stuck_is_told(ask, running, wire):
    wire.ask(ledger.park(running, ledger.Stuck(3, RELEASE, "KeyError: 1"), b""))
    assert RELEASE in ask("stuck")
    ask("retry", running)
