"""`turnfold robot`: ordinary players, that are programs."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import ExitStack, contextmanager
from signal import SIGKILL

import pytest
from typer.testing import CliRunner

from engine.catalogue import GAMES
from services.cli import app
from services.client import Client
from services.demo import SHORT
from tests.commands.processes import ROOT, TURNFOLD, alive, soon

LONG = bool(os.environ.get("TURNFOLD_LONG"))
KEEP = {"type": "keep"}


@contextmanager
def robot(house, *words: str, **env: str):
    """The process; whatever happens, it ends."""
    process = subprocess.Popen(
        [*TURNFOLD, "robot", "--url", house.url, "--delay", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, **env},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("game", GAMES if LONG else ["flipology"])
def test_two_of_them_play_a_match_to_its_end(house, game):
    with Client.register(house.url, "Ann") as ann, ExitStack() as stack:
        match = ann.offer(game, 2, SHORT.get(game)).match
        words = [["--name", "Ada"], ["--name", "Bob", "--robot", "random"]]
        robots = [stack.enter_context(robot(house, match, *more)) for more in words]
        said = [one.communicate(timeout=240)[0] for one in robots]
        assert [one.returncode for one in robots] == [0, 0], said
        look = ann.look(match)
    for name, text in zip(("Ada", "Bob"), said, strict=True):
        player = re.match(rf"{name} is ([a-z2-7]{{16}}), with the token \S+\n", text)[1]
        assert player in [seat.player for seat in look.seats]
        assert text.splitlines()[-1].startswith("The match is over")
    assert look.outcome.why not in ("resigned", "expired")


def test_one_plays_whatever_its_player_is_in_and_comes_back_to_it(house):
    """Matches from before it came, one that it hears of, and one while the api is killed."""
    with Client.register(house.url, "Ann") as ann, Client.register(house.url, "Rob") as rob:

        def running() -> list[str]:
            mine = ann.matches(state="running", player=rob.me().player)
            return [one.match for one in mine]

        def match(*order: Client) -> str:
            name = ann.offer("high-card", 2, policy={"order": "joined"}).match
            for one in order:
                one.join(name)
            soon(lambda: name in running())
            return name

        def over(name: str) -> bool:
            return ann.look(name).status == "over"

        before = match(ann, rob)
        with robot(house, TURNFOLD_TOKEN=rob.token):
            ann.play(ann.look(before), KEEP)
            soon(lambda: over(before), 60)
            heard = match(rob, ann)
            soon(lambda: ann.look(heard).to_act == (1,), 60)
            api = house.children()["services.listen"]
            os.kill(api, SIGKILL)
            soon(lambda: not alive(api))
            ann.play(ann.look(heard), KEEP)
            assert over(heard)
            missed = match(ann, rob)
            ann.play(ann.look(missed), KEEP)
            soon(lambda: over(missed), 60)


def test_it_must_know_what_to_play():
    done = CliRunner().invoke(app, ["robot"], env={"TURNFOLD_TOKEN": None})
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "Which match? Name one, or give the token of a player who is in some.\n"


def test_what_the_api_refuses_is_said(house):
    with robot(house, "0-" + "a" * 16, TURNFOLD_TOKEN="nobody") as one:
        assert one.communicate(timeout=60)[0].startswith("The api refuses: Say who you are")
        assert one.returncode == 1
