"""docs/operators.md is true: its blocks are run, and every command of its runbook."""

from __future__ import annotations

import re
import shutil
import subprocess
from contextlib import closing

import pytest
from typer.testing import CliRunner

from services.cli import app
from services.listen import bound
from services.settings import NAMES
from tests.commands.documents import DOCS, Shell, blocks
from tests.commands.processes import ROOT, soon
from tests.http.people import Player

TEXT = (DOCS / "operators.md").read_text()
RUNBOOK = TEXT.partition("\n## Runbook")[2]
COMMANDS = sorted(
    set(re.findall(r"`((?:turnfold|curl|journalctl|systemctl|tail|df) [^`]+)`", RUNBOOK))
)
UNITS = ("systemctl", "journalctl", "sudo")  # what only a machine with systemd can do


@pytest.fixture(scope="module")
def shell(house, tmp_path_factory):
    folder = tmp_path_factory.mktemp("operator")
    return Shell(folder, *UNITS, TURNFOLD_DATA=str(house.data), url=house.url)


@pytest.fixture(scope="module")
def over(house):
    look = house.offer("random", "greedy")
    soon(lambda: house.look(look["match"])["status"] == "over")
    return look["match"]


def test_what_it_shows_runs(shell, over):
    """In order: looking after a house, backing it up, restoring it elsewhere."""
    with closing(bound("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    scripts = [script.replace("8001", str(port)) for script in blocks("operators.md", "sh")]
    said = "".join(map(shell.run, scripts))
    assert "turnfold_stuck_matches" in said
    assert said.count("finished matches are true.") == 1
    assert "keys of accounts and the like are in today.backup" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_runbook_runs(house, shell, over, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(house, f"matches export {over} match.json")
    run(house, "backup today.backup")
    with Player(house.url) as somebody:
        words = {
            "MATCH": over if "export" in command else house.offer(None, "random")["match"],
            "FILE": "today.backup" if "restore" in command else "match.json",
            "PLAYER": somebody.id,
        }
    command = re.sub("|".join(words), lambda found: words[found[0]], command)
    if command.startswith("turnfold "):
        run(house, command.removeprefix("turnfold "), new="restore" in command)
    else:
        shell.run(command)


def run(house, words: str, new: bool = False) -> None:
    """A command of ours, in this process, on the folder of the house or on a new one."""
    env = {"TURNFOLD_DATA": "new" if new else str(house.data)}
    done = CliRunner().invoke(app, words.split(), env=env)
    assert done.exit_code == 0, done.output


def test_the_runbook_has_commands():
    assert len(COMMANDS) > 15


def test_what_is_to_be_installed_is_there():
    script = "".join(blocks("operators.md", "console"))
    for path in re.findall(r"deploy/[\w.@]+", script):
        assert (ROOT / path).exists()
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0


def test_every_setting_is_named():
    for variable in (*NAMES.values(), "TURNFOLD_DATA", "TURNFOLD_REDIS"):
        assert f"`{variable}`" in TEXT


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("name", ["turnfold.service", "turnfold@.service"])
def test_the_unit_is_one(tmp_path, name):
    unit = (ROOT / "deploy" / name).read_text()
    path = tmp_path / name.replace("@", "@fold")
    there = {
        "/opt/turnfold/.venv/bin/turnfold": "/bin/true",
        "file:///opt/turnfold/docs": "file:///",
    }
    path.write_text(re.sub("|".join(there), lambda found: there[found[0]], unit))
    words = ["systemd-analyze", "verify", "--man=no", str(path)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stderr == ""


def test_the_unit_of_one_process_names_those_that_there_are(house):
    unit = (ROOT / "deploy" / "turnfold@.service").read_text()
    named = set(re.findall(r"turnfold@(\w+)", unit))
    assert named == {*house.children()} - {"server", "services.listen"} | {"api"}
    assert all(CliRunner().invoke(app, [name, "--help"]).exit_code == 0 for name in named)


def test_the_unit_starts_what_there_is(shell):
    unit = (ROOT / "deploy" / "turnfold.service").read_text()
    [command] = re.findall(r"^ExecStart=\S+/(turnfold .*)", unit, re.M)
    assert shell.run(f"{command} --help")
