"""Every drawn board, over looks of random matches: well-formed, whole, and no more than a look."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from html import unescape
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from engine.catalogue import GAMES
from engine.contract import OPEN, Viewer
from engine.look import heard, look
from engine.match import Match
from services.web import boards, shown
from services.web.boards.scene import scene
from services.web.boards.sheets import file, inline, plain
from services.web.drawing import board, picture
from tests.games.matches import every_seat, hook, places, random_match
from tests.games.test_secrecy import BLANK, worlds

drawn = pytest.mark.parametrize(
    "game", [GAMES[name] for name in boards.BOARDS], ids=lambda g: g.NAME
)
LONG = bool(os.environ.get("TURNFOLD_LONG"))
SEEDS, MOST = range(10 if LONG else 1), 24  # scenes of a match
HELD = 4  # things held, of many
SVG = "{http://www.w3.org/2000/svg}"
CONTROL = re.compile(r'<a href="([^"]*)" class="(pick|hold)[^"]*" id="([^"]*)"')
NAMES = ['<Ann & "Bo">', "Cleo", "D" * 40, *"EFGHIJKL"]
FORBIDDEN = re.compile(r'style="|<script|<style|\son\w+=|(?:href|src)="(?!/table/)|<image|<foreign')


def seats(match: Match) -> list[str]:
    return NAMES[: len(match.holders)]


def markup(match: Match, viewer: Viewer, trail=(), held: str = "", news=()) -> str:
    """The board for this viewer, with a move in the making."""
    made = shown.making(match, viewer, trail)
    return str(board(look(match, viewer, "0-match"), seats(match), news, made, held).drawn)


def picks(text: str) -> list[str]:
    """The moves that its controls lead to."""
    links = [unescape(link) for link, kind, _ in CONTROL.findall(text) if kind == "pick"]
    return [unquote(link.partition("move=")[2]) for link in links]


def holds(text: str) -> list[str]:
    return [unescape(i)[2:] for _, kind, i in CONTROL.findall(text) if kind == "hold"]


def well_formed(text: str) -> None:
    ElementTree.fromstring(f"<page>{text}</page>")
    assert not FORBIDDEN.search(text), FORBIDDEN.search(text)
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))


@drawn
@pytest.mark.parametrize("seed", SEEDS)
def test_every_look_is_drawn(game, seed):
    steps = {step.match.seq: step for step in random_match(game, seed)}
    for match, _ in places(game, seed, MOST):
        for viewer in (None, *every_seat(match), *([OPEN] if match.over else [])):
            text = markup(match, viewer, news=heard(steps[match.seq].verdict, viewer))
            well_formed(text)
            assert ("<a " in text) <= (viewer in match.to_act or bool(active(match, viewer)))


def active(match: Match, viewer: Viewer) -> dict[str, object]:
    return shown.making(match, viewer, ()).ways


@drawn
@pytest.mark.parametrize("seed", SEEDS)
def test_each_claimed_pick_is_one_control_and_all_others_are_buttons(game, seed):
    chance = random.Random(seed)
    for match, _ in places(game, seed, MOST // 3):
        for seat in every_seat(match):
            trail: tuple[str, ...] = ()
            while ways := shown.making(match, seat, trail).ways:
                controls(match, seat, trail)
                trail = (*trail, chance.choice([*ways]))
                if chance.random() < 0.2:
                    break


def controls(match: Match, seat: int, trail: tuple[str, ...]) -> None:
    """With each thing held that can be, what it is held for is there, once; nothing else is."""
    made = shown.making(match, seat, trail)
    what = scene(look(match, seat, "0-match"), seats(match))
    what = what._replace(made=made.begun, picks=made.ways, link="/table/0-match?")
    claims = boards.draw(what).claims
    found: Counter[str] = Counter()
    for held in {"": (), **claims}:
        drawing = boards.draw(what._replace(held=held))
        assert drawing.claims == claims, "`claims` depends on what is held"
        text = inline(drawing)
        well_formed(text)
        assert {*holds(text)} <= {*claims}, "what can be held is held for nothing"
        here = picks(text)
        assert len(here) == len(set(here)), "a pick is there twice"
        assert {*here} >= {*claims.get(held, ())}, "a claimed pick is not there"
        found.update({*here})
        if not held:
            assert {*claims} - {""} <= {*holds(text)} or len(claims) == 1
    claimed = [pick for each in claims.values() for pick in each]
    assert len(claimed) == len({*claimed}), "a pick is claimed twice"
    assert {*found} == {*claimed}
    assert {*found} <= {*made.ways}
    buttons = [pick.move for group in made.groups({*found}) for pick in group.picks]
    assert sorted([*buttons, *found]) == sorted(made.ways)


@drawn
@pytest.mark.parametrize("seed", SEEDS)
def test_two_worlds_that_look_alike_are_drawn_alike(game, seed):
    """Page and file, with whatever can be picked; heads are keyed, and not drawn."""
    if hook(game, "redeal") is None:
        return
    for match, _, viewer, other in worlds(game, seed):
        assert page(match, viewer) == page(other, viewer)
        trail = [*active(match, viewer)][:1]
        assert markup(match, viewer, trail) == markup(other, viewer, trail)


def page(match: Match, viewer: Viewer) -> list[str]:
    """What is drawn for a viewer, with nothing held and with some of what can be, far apart."""
    seen = replace(look(match, viewer, "0-match"), head=BLANK)
    free = markup(match, viewer)
    held = sorted(holds(free))
    each = [markup(match, viewer, (), one) for one in held[:: 1 + len(held) // HELD]]
    return [free, *each, picture(seen, seats(match), (), "The head")]


@drawn
def test_what_is_held_by_nobody_is_forgotten(game):
    for match, _ in places(game, 1, 6):
        for seat in match.to_act:
            for junk in ("junk", '"><script>', "Z9", " "):
                assert markup(match, seat, (), junk) == markup(match, seat)


@drawn
def test_a_picture_stands_alone(game):
    match = random_match(game, 1)[-1].match
    text = picture(look(match, OPEN, "0-match"), seats(match), (), 'Ann & "Bo" <won>')
    root = ElementTree.fromstring(text)
    assert root.find("{*}title").text == 'Ann & "Bo" <won>'
    assert root.find("{*}desc").text.strip()
    assert not re.search(r"(?:href|src)=|url\(|@import|<script|<a ", text)


def test_a_game_without_a_drawing_has_a_picture_of_its_text():
    text = file(plain(["a  <b>", "c"]), "Head", "a\nc", "")
    lines = [line.text for line in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert lines == ["Head", "a  <b>", "c"]
