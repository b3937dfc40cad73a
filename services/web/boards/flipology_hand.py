"""Hands of Flipology: a row as it is laid, card by card, and what is left to lay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract import Seat
from engine.games.flipology.cards import Card
from engine.games.flipology.moves import Arrange, Move
from engine.games.flipology.pieces import LayRow, View
from services.web.boards.flipology_cards import (
    GAP,
    HEIGHT,
    LOW,
    SMALL,
    WIDTH,
    back,
    face,
    name,
    small,
    under,
)
from services.web.boards.ink import at, box, pick, tag, text
from services.web.boards.scene import Scene
from services.web.tongues import _

RIM = box(-1.5, -1.5, WIDTH + 3, HEIGHT + 3, "lit rim", 8)


def laying(scene: Scene, seat: Seat, step: float) -> str:
    """The row to be: its places, and the cards that are meant for them as far as one knows."""
    view: View = scene.view
    cards, plan = view.hands[seat] or (), view.plans[seat]
    row = scene.made.row if seat == scene.own and isinstance(scene.made, Arrange) else plan or ()
    drawn = [GAP] * view.options.width
    if view.ready[seat]:
        drawn = [back()] * len(drawn)
    for i, number in enumerate(row if cards else ()):
        drawn[i] = _placed(cards[number - 1], bool(plan))
    places = (at(step * i, 0, one) for i, one in enumerate(drawn))
    word = text(0, HEIGHT + 13, _doing(scene, seat), 11, class_="quiet")
    return "".join(places) + word


def _placed(card: Card, laid: bool) -> str:
    return under(card) if laid else tag("g", under(card), class_="made")


def _doing(scene: Scene, seat: Seat) -> str:
    view: View = scene.view
    if view.ready[seat]:
        return _("ready")
    if seat == scene.own and isinstance(view.owed[0], LayRow):
        return _("your row, from left to right; all lie face down")
    return _("{n} cards in hand", n=view.held[seat])


def hand(scene: Scene, seat: Seat, picks: Mapping[str, Move], step: float) -> tuple[str, float]:
    """One's cards, to be laid one after the other, and what was discarded; and how high that is."""
    view: View = scene.view
    cards, plan = view.hands[seat] or (), view.plans[seat] or ()
    away = (view.away[seat] or ()) if view.away else ()
    if not cards or plan:
        left = [card for n, card in enumerate(cards, 1) if n not in plan] if cards else away
        return _discards(left)
    picked = {move.row[-1]: w for w, move in picks.items() if isinstance(move, Arrange)}
    made = scene.made.row if seat == scene.own and isinstance(scene.made, Arrange) else ()
    drawn, wide = [], view.options.width
    first = -(-len(cards) // -(-len(cards) // wide))  # cards in the upper of equal lines
    for i, card in enumerate(cards):
        x, y = step * (i % first), (HEIGHT + 8) * (i // first)
        drawn.append(at(x, y + 4, _held(scene, card, i + 1 in made, picked.get(i + 1))))
    return "".join(drawn), 8 + (HEIGHT + 8) * -(-len(cards) // first)


def _held(scene: Scene, card: Card, gone: bool, written: str | None) -> str:
    if gone:
        return GAP
    if written is None:
        return face(card)
    return pick(
        scene, written, _("Lay {card} next", card=f"{name(card)} {card[2]}"), face(card), RIM
    )


def _discards(cards: list[Card] | tuple[Card, ...]) -> tuple[str, float]:
    """In a line of small ones."""
    if not cards:
        return "", 0.0
    word = _("discarded")
    return "".join(_line(word, cards)), LOW + 8


def _line(word: str, cards: list[Card] | tuple[Card, ...]) -> Iterator[str]:
    left = 7 * len(word) + 6
    yield text(0, 19, word, 11, class_="quiet")
    for i, card in enumerate(cards):
        yield at(left + (SMALL + 4) * i, 2, small(card, False))
