"""No page has a fault that keeps somebody out, as axe-core finds them; in light and in darkness."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.catalogue import GAMES
from tests.http.people import Player, table
from tests.http.stage import until

AXE = Path(__file__).with_name("vendored").joinpath("axe.min.js").read_text()
FAULTS = """async (rules) => {
  const how = { preload: false, resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await axe.run(document, how);
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, any }) => [impact, id, target.join(" "), any[0]?.message ?? ""]));
}"""
DRAWN = "label-content-name-mismatch"  # what a piece shows is a picture; its name says what it does
LONG = bool(os.environ.get("TURNFOLD_LONG"))
TELLING = [
    *("/", "/offer?game=uno-flip", "/me", "/table/{over}", "/table/{over}/replay?seq=3"),
    *("/table/{open}", "/table/{qwirkle}", "/table/{uno-flip}"),
]
OTHERS = [
    *("/lobby", "/rules/captain-flip", "/audit", "/wall", "/ratings", "/contests", "/nothing"),
    *("/table/{over}/embed", "/table/{over}/film", "/me/vacation"),
    *(f"/table/{{{game}}}" for game in GAMES if game not in ("qwirkle", "uno-flip")),
]
PAGES = [*TELLING, *OTHERS] if LONG else TELLING


def faults(page) -> list[list[str]]:
    """What is serious or worse; of the dark page, what its colours do."""
    page.evaluate(AXE)
    page.emulate_media(color_scheme="light")
    found = page.evaluate(FAULTS)
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(FAULTS, ["color-contrast"])
    drawn = page.locator("#board.drawing a").evaluate_all("all => all.map(one => '#' + one.id)")
    return [
        one
        for one in found
        if one[0] in ("serious", "critical") and not (one[1] == DRAWN and one[2] in drawn)
    ]


@pytest.fixture
def matches(base):
    """A match of each game whose table is looked at, in which it is somebody's turn; one that is
    open and one that is over; and whose they are."""
    with Player(base) as ann, Player(base) as bob:
        joined = {"policy": {"order": "joined"}}
        games = [game for game in GAMES if f"/table/{{{game}}}" in PAGES]
        found = {game: ann.offer(game, seats=[None, "greedy"], **joined) for game in games}
        found["open"] = ann.offer("qwirkle")
        ann.post(f"/matches/{found['open']}/invite", json={"player": bob.id})
        found["over"], _ = table(iter((ann, bob)).__next__)
        ann.put(f"/matches/{found['over']}/notes", json={"seq": 3, "text": "well"})
        ann.post(f"/matches/{found['over']}/resign")
        for game in games:
            until(lambda game=game: ann.look(found[game])["legal"], 60)
        yield found, ann


def test_no_page_keeps_anybody_out(visit, matches, base):
    found, ann = matches
    eve = visit(reduced_motion="reduce")
    eve.context.add_cookies([{"name": "turnfold", "value": ann.token, "url": base}])
    wrong = {}
    for path in PAGES:
        eve.page.goto(path.format_map(found))
        wrong[path] = faults(eve.page)
    eve.errors.clear()  # of the page that is not there
    assert {path: one for path, one in wrong.items() if one} == {}


def test_what_keeps_somebody_out_is_found(visit):
    eve = visit()
    eve.page.goto("/lobby")
    eve.page.evaluate("document.querySelector('select').labels[0].remove()")
    assert [one[:2] for one in faults(eve.page)] == [["critical", "select-name"]]
