"""The commands that need no server: help, play, audit, replay."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from msgspec import Raw, json
from typer.testing import CliRunner

from engine import RELEASE
from engine import entries as e
from engine.match import commitment
from services.cli import app
from services.terminal import Player, Table
from tests.engine.logs import entropy, joined, offered, sealed

COMMANDS = (
    *("serve", "api", "fold", "react", "jobs", "films", "notify", "play", "demo"),
    *("audit", "replay", "rebuild", "retry", "matches", "doctor"),
    *("backup", "restore", "players", "new", "check"),
)


def run(*words: object, text: str = ""):
    return CliRunner().invoke(
        app, [str(word) for word in words], input=text, env={"COLUMNS": "200"}
    )


def test_a_command_starts_without_what_only_others_need():
    """Each start would pay for it."""
    loads = "import sys, services.cli; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert not {"httpx", "obstore", "rq", "starlette", "urllib.request"} & {*told.stdout.split()}


@pytest.fixture
def played(tmp_path):
    """A match that was played, the file of it, and the command that is said to audit it."""
    path = tmp_path / "match.json"
    done = run("play", "high-card", "--seats", 3, "--save", path, text="keep\n")
    assert done.exit_code == 0, done.output
    command = re.search(r"Audit it: turnfold (audit .*)", done.output.replace("\n", " "))[1]
    return path, command.split()[:8]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert len(done.output.split()) > 30


def test_help_lists_all_commands():
    assert all(command in run("--help").output for command in COMMANDS)
    assert run("--version").output == f"turnfold {RELEASE}\n"
    assert run("nonsense").exit_code == 2


def test_a_game_is_played_to_its_end(tmp_path):
    settings = ("--robot", "random", "--set", "cards=20")
    done = run("play", "high-card", *settings, text="?\n?keep\nx\nkeep\n")
    assert done.exit_code == 0
    said = done.output
    assert re.match(r"high-card: you are seat \d of 2; the rest are random robots\.\n", said)
    assert re.search(r"commitment    [0-9a-f]{64}\n  your entropy  [0-9a-f]{64}\n", said)
    assert "engine/games/high_card/README.md" in said
    assert "A greedy robot would play: " in said
    assert "That is no move" in said
    assert "The match is over (highest card)" in said
    assert "The head of all 4 entries is " in said


def test_a_game_with_larger_moves_says_what_can_follow():
    done = run("play", "qwirkle", text="?\nq\n")
    opening = re.search(r"You may: ([^,…]*)", done.output)[1].split()
    assert opening
    assert done.exit_code == 0


def test_moves_that_begin_alike_are_listed_together():
    said = run("play", "flipout", text="? X B2\nq\n").output
    assert re.search(r"You may: .*F A1\|A2\|A3\S+, X A\d\|\S+ …, S \w\d\S* …", said)
    assert re.search(r"Then: X B\d-\d\|B", said)


def test_who_may_act_off_turn_is_told_how_to_wait():
    said, player = [], "a" * 16
    args = ("high-card", 1, Raw(b"{}"), None, (None, "random"), e.Policy(), "0" * 64)
    table = Table(e.Offered(e.FORMAT, *args))
    table.add(e.Joined(0, player, "0" * 64))
    seat = next(s for s, holder in enumerate(table.match.holders) if holder.player == player)
    assert not Player(table, seat, ["one", "two"], said.append, lambda _: "")._turn(may_pass=True)
    assert said[-1] == "You may: keep, trade (or just Enter, to let the others go on)"


@pytest.mark.parametrize("asked", ["", "? "])
def test_what_is_refused_is_said_and_asked_again(asked):
    done = run("play", "qwirkle", text=f"{asked}swap R1 R1 R1 R1 R1 R1\nq\n")
    refusals = ("(NOT_IN_HAND, 3.3.1)", "(OPENING_MUST_PLACE, R4)")  # it may be us who opens
    assert any(refusal in done.output for refusal in refusals)
    assert "(resigned)" in done.output


@pytest.mark.parametrize("text", ["q\n", ""])
def test_leaving_resigns(text):
    assert "(resigned)" in run("play", "high-card", text=text).output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("high-card", "--save", "/dev/null"), "/dev/null is there already"),
        (("high-card", "--save", "/nowhere/match"), "cannot be written: No such file"),
        (("nonsense",), "There is no game nonsense."),
        (("high-card", "--seats", "40"), "is for 2 to 10, not 40"),
        (("high-card", "--set", "cards=3"), "cards"),
        (("high-card", "--set", "cards"), "is no NAME=VALUE"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(words, says):
    done = run("play", *words)
    assert done.exit_code == 1
    assert says in done.output
    assert "commitment " not in done.output  # nothing had begun
    assert "Traceback" not in done.output


def test_a_kept_match_is_true(played):
    _, command = played
    assert command[2::2] == ["--head", "--entropy", "--commitment"]
    done = run(*command)
    assert done.exit_code == 0
    assert "True: it folds to what is written. And nothing up to entry 5" in done.output


def test_audit_reports_as_json(played):
    path, _ = played
    report = json.decode(run("audit", path, "--json").output)
    assert set(report) == {"ok", "entries", "faults", "head", "outcome", "aborted", "places"}
    assert report["ok"] is True
    assert [set(entry) for entry in report["entries"]] == [{"seq", "verdict", "draws"}] * 5


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [
        ("--head", "3:" + "0" * 64, "kept-head"),
        ("--head", "9:" + "0" * 64, "kept-head"),
        ("--entropy", "0" * 64, "kept-entropy"),
        ("--commitment", "0" * 64, "kept-commitment"),
    ],
)
def test_what_was_kept_and_does_not_fit_is_a_fault(played, option, value, kind):
    path, _ = played
    done = run("audit", path, option, value)
    assert done.exit_code == 1
    assert f"FAULT ({kind})" in done.output
    assert "Not true: 1 fault." in done.output


def test_a_changed_bundle_is_a_fault(played):
    path, _ = played
    path.write_text(
        path.read_text().replace('{\\"type\\":\\"keep\\"}', '{\\"type\\":\\"trade\\"}', 1)
    )
    done = run("audit", path)
    assert done.exit_code == 1
    assert "FAULT (head)" in done.output


@pytest.mark.parametrize("text", ["", "[]", "{}", "\x00"])
def test_what_is_no_bundle_is_neither_true_nor_false(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text)
    for command in ("audit", "replay"):
        done = run(command, path)
        assert done.exit_code == 2
        assert "this is not a bundle" in done.output
    assert run("audit", tmp_path / "none").exit_code == 2


def test_a_file_without_end_is_no_bundle():
    for command in ("audit", "replay"):
        done = run(command, "/dev/zero")
        assert (done.exit_code, done.output) == (
            2,
            "/dev/zero: a bundle has at most 67108864 bytes\n",
        )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--head", "abc"), "--head takes SEQ:HEX"),
        (("--head", ":" + "0" * 64), "--head takes SEQ:HEX"),
        (("--head", "0:" + "0" * 64), "--head takes SEQ:HEX"),
        (("--head", "-1:" + "0" * 64), "--head takes SEQ:HEX"),
        (("--head", "3:" + "0" * 63), "--head takes 64 hex digits"),
        (("--head", "3:" + "x" * 64), "--head takes 64 hex digits"),
        (("--head", "3:" + "0" * 64, "--head", "3:" + "1" * 64), "Two heads of entry 3"),
        (("--entropy", "0" * 65), "--entropy takes 64 hex digits"),
        (("--commitment", ""), "--commitment takes 64 hex digits"),
    ],
)
def test_what_cannot_have_been_kept_is_a_slip_and_no_fault(played, words, says):
    done = run("audit", played[0], *words)
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert says in done.output


def test_what_was_kept_may_be_in_capitals_and_named_twice(played):
    _, command = played
    done = run(*command[:3], command[3].upper(), *command[2:])
    assert done.exit_code == 0, done.output


@pytest.fixture
def withdrawn(tmp_path):
    """The file of a match that was never dealt."""
    path = tmp_path / "withdrawn.json"
    path.write_bytes(sealed(offered(), joined(0), e.Aborted("withdrawn")))
    return path, commitment(offered())


def test_a_match_that_was_aborted_is_said_to_be(withdrawn):
    path, _ = withdrawn
    done = run("audit", path)
    assert done.exit_code == 0
    assert "The offer is withdrawn.\n" in done.output
    assert json.decode(run("audit", path, "--json").output)["aborted"] == "withdrawn"


def test_what_was_kept_proves_nothing_of_a_deal_that_never_was(withdrawn):
    path, committed = withdrawn
    kept = ("--commitment", committed)
    done = run("audit", path, "--entropy", entropy(0), *kept)
    assert done.exit_code == 0
    assert "deal" not in done.output
    done = run("audit", path, "--entropy", entropy(1), *kept)
    assert done.exit_code == 1
    assert "deal" not in done.output


def test_a_replay_is_told_as_each_viewer_heard_it(played):
    path, _ = played
    told = {
        viewer: run("replay", path, "--as", viewer).output for viewer in ("open", "watcher", "1")
    }
    cards = {viewer: re.findall(r"seat (\d) is dealt \d", said) for viewer, said in told.items()}
    assert cards == {"open": ["0", "1", "2"], "watcher": [], "1": ["1"]}
    assert all("The match is over" in said for said in told.values())
    assert run("replay", path, "--as", "3").exit_code == 2


def test_operators_are_told_what_they_typed_wrong(tmp_path):
    done = run("rebuild", "../x", "--data", tmp_path)
    assert (done.exit_code, done.output) == (1, "../x is no id of a match.\n")
    done = run("retry", "0-" + "a" * 16, "--data", tmp_path)
    assert done.exit_code == 1
    assert "The server cannot be asked" in done.output
