"""What is said comes to the others' pages by itself, and what one is writing stays."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.http.people import Player
from tests.http.stage import until


def test_a_table_talks_and_its_watchers_apart(visit, base):
    ann, eve = visit(), visit()
    with Player(base, name="Ben") as ben:
        name = ben.offer(policy={"chat": "all"})
        ann.page.goto(f"/table/{name}")
        ann.take_seat()
        until(lambda: ben.look(name)["status"] == "running")
        ann.page.goto(f"/table/{name}")
        eve.page.goto(f"/table/{name}")
        said, typing = ann.page.locator("#spoken li"), ann.page.locator("#text")
        typing.fill("hello <b>B")
        until(lambda: ben.post(f"/matches/{name}/talk", json={"text": "hi"}).status_code == 201)
        expect(said).to_have_text(["Ben hi"])
        expect(typing).to_have_value("hello <b>B")
        typing.press("Enter")
        expect(said).to_have_count(2)
        expect(said.last).to_contain_text("hello <b>B")
        expect(typing).to_have_value("")
        expect(eve.page.locator("#spoken li")).to_have_text(["Nobody has said anything yet."])
        assert [one["text"] for one in ben.get(f"/matches/{name}/talk").json()] == [
            *("hi", "hello <b>B")
        ]
