"""docs/players.md is true: its commands are run in a house, and its pages are there."""

from __future__ import annotations

import re

import httpx

from tests.commands.documents import DOCS, Shell, blocks

TEXT = (DOCS / "players.md").read_text()


def test_what_it_shows_runs(house, tmp_path):
    terminal, *over_http = blocks("players.md", "sh")
    shell = Shell(tmp_path, url=house.url)
    assert "The match is over" in shell.run(terminal)
    said = shell.run("\n".join(over_http))
    assert said.startswith("[{'move': {'type': 'keep'}, 'ready': True}")
    assert "event: end" in said
    assert "the deal came from your entropy and the secret committed to" in said
    assert len((tmp_path / "replay.ndjson").read_text().splitlines()) == 4


def test_pages_and_routes_are_there(house):
    said = house.http.get("/openapi.json").json()["paths"]
    for method, path in re.findall(r"`(POST|DELETE) (/[\w/]+)", TEXT):
        path = path.replace("MATCH", "{match}").replace("/ID/", "/{id}/")
        assert method.lower() in said[path], path
    assert httpx.get(f"{house.url}/rules/qwirkle").status_code == 200
    pages = (httpx.get(house.url + path, headers={"accept": "text/html"}) for path in ("/", "/me"))
    text = "".join(page.text for page in pages)
    for name in re.findall(r"\*(Play a robot|New match|Lobby|My matches)\*", TEXT):
        assert name in text, name


def test_every_page_is_in_the_index():
    index = (DOCS / "README.md").read_text()
    for page in DOCS.iterdir():
        assert page.name == "README.md" or f"]({page.name})" in index, page.name
    for page in DOCS.glob("*.md"):
        for path in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (DOCS / path).exists(), f"{page.name}: {path}"
