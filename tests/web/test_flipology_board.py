"""Flipology, drawn: what the tests of every board do not see."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote

from engine.games import flipology
from engine.games.flipology.board import board
from engine.games.flipology.cards import CARDS, KIND
from engine.games.flipology.facts import Swapped
from engine.games.flipology.moves import Targets
from engine.games.flipology.pieces import FlipTwo, Options, Slot, State
from engine.games.flipology.views import view
from services.web import boards
from services.web.boards.flipology_art import FIGURES
from services.web.boards.flipology_cards import NAMES
from services.web.boards.scene import Scene
from services.web.boards.sheets import inline

WAYS = re.compile(r'<a href="/t\?(hold|move)=([^"]*)"')


def asked() -> State:
    """A monkey in the middle row of a Great Tree asks Ann for two of four cards."""
    options = Options(variant="great_tree")
    rows = ((Slot("Do5"),) * 5,) * 6
    question = FlipTwo("A2.3")
    return State(options, 0, 0, (), ((),) * 2, ((),) * 2, (question,), (True,) * 2, (0, 0),
                 ((),) * 2, rows=rows)  # fmt: skip


def seen(state: State, held: str = "") -> str:
    picks = {flipology.words.write(move): move for move in flipology.legal(state, 0)}
    looked = view(state, 0)
    scene = Scene("flipology", looked, 0, ["Ann", "Ben"], (0,), picks=picks, held=held, link="/t?")
    return inline(boards.draw(scene))


def controls(text: str) -> set[tuple[str, str]]:
    return {(kind, unquote(unescape(what))) for kind, what in WAYS.findall(text)}


def test_of_two_cards_either_is_taken_up_first():
    state, around = asked(), board("great_tree", 2, 6).beside["A2.3"]
    assert controls(seen(state)) == {("hold", cell) for cell in around}
    for cell in around:
        found = controls(seen(state, cell)) - {("hold", other) for other in around}
        pairs = {Targets((cell, other)) for other in around if other != cell}
        assert found == {("move", flipology.words.write(pair)) for pair in pairs}


def test_what_a_mole_traded_says_where_it_came_from():
    looked = view(asked(), None)
    news = [Swapped("A1.2", "B3.4")]
    drawn = inline(boards.draw(Scene("flipology", looked, "watcher", ["Ann", "Ben"], news=news)))
    assert 'data-at="A1.2" data-from="B3.4"' in drawn
    assert 'data-at="B3.4" data-from="A1.2"' in drawn


def test_every_card_has_a_name_and_a_figure():
    assert {KIND[card] for card in CARDS} == {*NAMES} == {*FIGURES}
