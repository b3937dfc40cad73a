"""`turnfold players`: deleting an account."""

from __future__ import annotations

import httpx
from typer.testing import CliRunner

from services.cli import app
from tests.commands.processes import soon


def run(house, *words: str, text: str = ""):
    return CliRunner().invoke(app, ["players", *words, "--data", str(house.data)], input=text)


def test_an_account_is_deleted_and_its_seats_keep_the_id(house):
    with httpx.Client(base_url=house.url, timeout=20) as bob:
        made = bob.post("/players", json={"name": "Bob"}).json()
        bob.headers["authorization"] = f"Bearer {made['token']}"
        match = house.offer(None, None)["match"]
        bob.post(f"/matches/{match}/join", json={"entropy": "b" * 64})
        assert run(house, "delete", made["player"], text="n\n").exit_code == 1
        assert bob.get("/players/me").status_code == 200
        done = run(house, "delete", made["player"], text="y\n")
        assert f"Delete the account of {made['player']} (Bob)?" in done.output
        assert done.output.endswith(f"The account of {made['player']} is deleted.\n")
        soon(lambda: bob.get("/players/me").status_code == 401)
        assert house.http.get(f"/players/{made['player']}").status_code == 404
    assert made["player"] in [seat["player"] for seat in house.look(match)["seats"]]


def test_nobody_is_deleted_twice(house):
    done = run(house, "delete", "a" * 16, "--yes")
    assert (done.exit_code, done.output) == (1, "There is no such player.\n")
