"""High card, drawn: everybody's card and the deck; one keeps by one's card, trades by the deck."""

from __future__ import annotations

from engine.contract import Seat
from engine.games.high_card.rules import Kept, Shown, Traded, View
from services.web.boards.ink import at, box, pick, tag, text
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.tongues import _, _n

WIDTH, HEIGHT = 84, 116  # of a card
WIDE, HIGH = 112, 182  # of a player


def draw(scene: Scene) -> Drawing:
    view: View = scene.view
    seats = [_player(scene, seat) for seat in range(len(view.hands))]
    return Drawing([*seats, _deck(scene)], {"": tuple(scene.picks)})


def _player(scene: Scene, seat: Seat) -> Sheet:
    view: View = scene.view
    card, name, acts = view.hands[seat], scene.names[seat], seat in scene.to_act
    won = scene.outcome is not None and scene.outcome.places[seat] == 1
    body = tag("g", _back() if card is None else _face(card), **_how(scene, seat))
    if seat == scene.own and "keep" in scene.picks:
        rim = box(-3, -3, WIDTH + 6, HEIGHT + 6, "lit rim", 12)
        body = pick(scene, "keep", _("Keep {card}", card=card), body, rim, _does(_("Keep")))
    marks = ([_("to move")] if acts else []) + ([_("wins")] if won else [])
    parts = [
        box(
            0.5, 0.5, WIDE - 1, HIGH - 1, "area acts" if acts else "area won" if won else "area", 10
        ),
        text(WIDE / 2, 20, name, 13, WIDE - 8, class_="name", text_anchor="middle"),
        at((WIDE - WIDTH) / 2, 34, body),
    ]
    shows = _("a card, unseen") if card is None else _("card {n}", n=card)
    return Sheet(", ".join([f"{name}: {shows}", *marks]), WIDE, HIGH, "".join(parts), 1.2)


def _how(scene: Scene, seat: Seat) -> dict[str, str | None]:
    """What the last entry did with this card."""
    if any(isinstance(fact, Traded) and fact.seat == seat for fact in scene.news):
        return {"class_": "last moved", "data_from": "deck"}
    if seat != scene.own and any(isinstance(fact, Shown) for fact in scene.news):
        return {"class_": "turned"}
    return {"class_": "last" if Kept(seat) in scene.news else None}


def _deck(scene: Scene) -> Sheet:
    left = scene.view.deck
    body = "".join(at(2 * i, -2 * i, _back()) for i in range(min(3, left)))
    body += text(WIDTH / 2 + 4, HEIGHT / 2 + 4, left, 26, class_="left", text_anchor="middle")
    if "trade" in scene.picks:
        rim = box(-3, -7, WIDTH + 10, HEIGHT + 10, "lit rim", 12)
        says = _("Trade for the next card of the deck")
        body = pick(scene, "trade", says, body, rim, _does(_("Trade")))
    name = text(WIDE / 2, 20, _("Deck"), 13, class_="quiet", text_anchor="middle")
    says = _n("The deck: {count} card", "The deck: {count} cards", left)
    return Sheet(says, WIDE, HIGH, name + at(12, 36, body, data_at="deck"), 1.2)


def _does(what: str) -> str:
    return text(WIDTH / 2, HEIGHT + 20, what, 13, class_="does", text_anchor="middle")


def _face(card: int) -> str:
    number, corner = str(card), text(10, 22, card, 15, class_="corner")
    turned = tag("g", corner, transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")
    size = 42 if len(number) < 3 else 30
    middle = text(WIDTH / 2, HEIGHT / 2 + size * 0.35, card, size, text_anchor="middle")
    return box(0, 0, WIDTH, HEIGHT, "card", 9) + corner + turned + tag("g", middle, class_="pips")


def _back() -> str:
    folds = "".join(f"M{x} 8L{WIDTH - x} {HEIGHT - 8}M{x} {HEIGHT - 8}L{WIDTH - x} 8" for x in LACE)
    return (
        box(0, 0, WIDTH, HEIGHT, "card", 9)
        + box(5, 5, WIDTH - 10, HEIGHT - 10, "back", 6)
        + tag("path", d=folds, class_="lace")
    )


LACE = range(8, WIDTH // 2, 11)
