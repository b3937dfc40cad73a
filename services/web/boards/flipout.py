"""FlipOut, drawn: racks as their viewer sees them, sets that can be taken, piles and the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from engine.contract import Seat, because
from engine.games.flipout.cards import CELLS, COLOUR, GAP, NAMED, Cell, Seen
from engine.games.flipout.pieces import Draw, Flip, Move, Place, Swap, SwapPairs, Switch, View
from services.web.boards.flipout_cards import (
    EDGE,
    HEIGHT,
    PEEP,
    WIDE,
    WIDTH,
    card,
    chip,
    left_of,
)
from services.web.boards.flipout_foot import ROW, Picks, cells_of, foot
from services.web.boards.ink import at, box, hold, pick, tag, text, title
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.tongues import _, _n, tongue

HEAD, RAIL = 32, 20  # heights: of a rack's head, of the rail with its numbers
MIDDLE = 30  # where the deck begins, below what looks out of it
SCALE = 1.1
Ways = Mapping[str, Picks]  # by what is held


def draw(scene: Scene) -> Drawing:
    """One's own rack comes last; the others in the order of turns, as from there."""
    view: View = scene.view
    ways, seats = _ways(scene), len(view.holders)
    scene = scene._replace(held=scene.held if scene.held in ways else "")
    first = 0 if scene.own is None else scene.own + 1
    sheets = [_rack(scene, seat % seats, ways) for seat in range(first, first + seats)]
    sheets.insert(seats if scene.own is None else -1, _middle(scene, ways))
    return Drawing(sheets, {held: tuple(there) for held, there in ways.items()})


# What can be picked


def _ways(scene: Scene) -> Ways:
    """A card is taken up to flip it or to begin with it, for nothing else."""
    ways: dict[str, dict[str, Move]] = {"": {}}
    for written, move in scene.picks.items():
        match move:
            case Flip(cell) | Switch((cell,)) | Swap((cell,)) | SwapPairs((cell,)):
                ways.setdefault(cell, {})[written] = move
            case _:
                ways[""][written] = move
    return ways


def _goal(scene: Scene, move: Move) -> Cell | None:
    """The card that is picked, if it is a card."""
    view: View = scene.view
    match move:
        case Place(slot):
            return CELLS[view.turn][slot - 1]
        case Switch((one, two)):
            return two if scene.made.cells == (one,) else one
        case Swap((_, cell)):
            return cell
    return None


# Racks


def _rack(scene: Scene, seat: Seat, ways: Ways) -> Sheet:
    """While the viewer chooses, a row stays free below the cards, for what can be done."""
    view: View = scene.view
    top = HEAD + (PEEP if view.order is not None else 0)
    rail, below = top + HEIGHT - 7, [*foot(scene, seat, ways[scene.held])]
    rows = max(len(below), 1 if scene.picks else 0)
    height = rail + RAIL + (10 + ROW * rows if rows else 8)
    plank, board = _wood(seat, rail, "front" if scene.own in (seat, None) else "behind")
    body = [
        box(0.5, 0.5, WIDE - 1, height - 1, _area(scene, seat), 8),
        *_head(scene, seat),
        plank,
        *(at(left_of(i), top, one) for i, one in enumerate(_cards(scene, seat, ways))),
        board,
        *(at(0, rail + RAIL + 7 + ROW * n, row) for n, row in enumerate(below)),
    ]
    return Sheet(_says(scene, seat), WIDE, height, "".join(body), SCALE)


@cache
def _wood(seat: Seat, rail: int, side: str) -> tuple[str, str]:
    """What the cards lean on, and what holds them."""
    cells = enumerate(CELLS[seat])
    labels = "".join(text(left_of(i) + WIDTH / 2, rail + 15, cell, 12) for i, cell in cells)
    return (
        box(3, rail - 12, WIDE - 6, RAIL + 12, f"plank {side}", 5),
        box(3, rail, WIDE - 6, RAIL, f"rail {side}", 5)
        + tag("g", labels, class_=f"slots {side}", text_anchor="middle"),
    )


def _area(scene: Scene, seat: Seat) -> str:
    if seat in scene.to_act:
        return "area acts"
    won = scene.outcome is not None and scene.outcome.places[seat] == 1
    return "area won" if won else "area"


def _says(scene: Scene, seat: Seat) -> str:
    view: View = scene.view
    own, name = seat == scene.own, scene.names[seat]
    rack = _("Your rack") if own else _("The rack of {name}", name=name)
    rack += _(", to move") if seat in scene.to_act else ""
    held = zip(CELLS[seat], view.holders[seat], strict=True)
    cards = ", ".join(f"{cell} {_called(seen)}" for cell, seen in held)
    return _n(
        "{rack}: {cards}; {count} card taken",
        "{rack}: {cards}; {count} cards taken",
        len(view.piles[seat]),
        rack=rack,
        cards=cards,
    )


def _called(seen: Seen) -> str:
    """A card in words, as in `red`, or `red inside, green outside` of one seen from both sides."""
    if seen == GAP:
        return _("empty")
    names = [_(NAMED[COLOUR[side]]) for side in seen if side in COLOUR]
    if len(names) == 2:
        return _("{inside} inside, {outside} outside", inside=names[0], outside=names[1])
    return "".join(names) or _("unseen")


def _head(scene: Scene, seat: Seat) -> Iterator[str]:
    """Whose rack it is, tokens, and what was taken."""
    view: View = scene.view
    pile, left = view.piles[seat], WIDE - 9
    yield text(left, 23, len(pile), 18, class_="count", text_anchor="end")
    left -= 14 if len(pile) < 10 else 26
    for colour, n in sorted(Counter(pile).items(), reverse=True):
        drawn, width = chip(colour, n)
        left -= width + 2
        yield at(left, 8, drawn)
    for _token in range(view.tokens[seat]):
        left -= 14
        yield tag("circle", cx=left + 6, cy=16.5, r=5.5, class_="token")
    yield text(10, 22, CELLS[seat][0][0], 16, class_="count")
    yield text(28, 21, scene.names[seat], 13, (left - 28) * 0.85, class_="name")


def _cards(scene: Scene, seat: Seat, ways: Ways) -> Iterator[str]:
    """The cards, each of them a control if it can be picked or taken up."""
    view: View = scene.view
    goals = {_goal(scene, move): written for written, move in ways[scene.held].items()}
    marks, origins = _marks(scene), _origins(view)
    for cell, seen in zip(CELLS[seat], view.holders[seat], strict=True):
        how = {"class_": marks.get(cell), "data_at": cell}
        if "last" in marks.get(cell, ""):
            how["data_from"] = origins.get(cell)
        says, body = f"{cell}, {_called(seen)}", tag("g", card(seen), **how)
        if cell in goals:
            yield pick(scene, goals[cell], says, body, RIM)
        elif cell in ways:
            yield hold(scene, cell, says, body, RIM)
        else:
            yield title(says) + body


def _marks(scene: Scene) -> dict[Cell, str]:
    """What stands out, by its cell: what was collected, the last move, the one being made."""
    view: View = scene.view
    marks = dict.fromkeys(view.collected, "collected")
    if view.last:
        how = "moved" if _origins(view) else "turned" if _flips(view) else "fresh"
        marks |= dict.fromkeys(cells_of(view.last.seat, view.last.move), f"last {how}")
    return marks | dict.fromkeys(cells_of(view.turn, scene.made), "made")


def _flips(view: View) -> bool:
    return view.last is not None and isinstance(view.last.move, Flip)


def _origins(view: View) -> dict[Cell, str]:
    """Where the cards of the last move came from: each from the other's place, or off the deck."""
    if view.last is None:
        return {}
    cells = cells_of(view.last.seat, view.last.move)
    match view.last.move:
        case Switch() | Swap() | SwapPairs():
            half = len(cells) // 2
            return dict(zip(cells, cells[half:] + cells[:half], strict=True))
        case Place():
            return dict.fromkeys(cells, "deck")
    return {}


RIM = box(-1.5, -1.5, WIDTH + 3, HEIGHT + 3, "lit rim", 8)


# The deck, the drawn card, and the turn


def _middle(scene: Scene, ways: Ways) -> Sheet:
    """On the deck lies the side that all see; of a drawn card there is what the viewer sees."""
    view: View = scene.view
    body, left = (
        at(EDGE + 4, MIDDLE, _deck(scene, ways[scene.held]), data_at="deck"),
        EDGE + WIDTH + 30,
    )
    if view.drawn is not None:
        drawn = title(_("Drawn: {card}", card=_called(view.drawn))) + card(view.drawn)
        body += at(left, MIDDLE, tag("g", drawn, class_="last moved", data_from="deck"))
        left += WIDTH + 18
    lines = _lines(scene)
    for n, line in enumerate(lines):
        class_ = "name" if n else None
        body += text(left, MIDDLE + 15 + 20 * n, line, 13.5, (WIDE - left) * 0.9, class_=class_)
    return Sheet(". ".join(lines), WIDE, MIDDLE + HEIGHT + 32, body, SCALE)


def _deck(scene: Scene, now: Picks) -> str:
    view: View = scene.view
    if view.top is None:
        return title(_("The deck is empty")) + card(GAP)
    edges = (at(3 * n, 3 * n, EDGED) for n in range(min(3, view.deck - 1), 0, -1))
    deck = "".join(edges) + card(f"?{view.top}")
    for written, move in now.items():
        if isinstance(move, Draw):
            says = _("Draw a card; {colour} is on top", colour=_(NAMED[view.top]))
            does = text(WIDTH / 2, HEIGHT + 25, _("Draw"), 13, class_="does", text_anchor="middle")
            return pick(scene, written, says, deck, RIM, does)
    return title(_("The deck: {colour} on top", colour=_(NAMED[view.top]))) + deck


EDGED = box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "below", 7)


def _lines(scene: Scene) -> list[str]:
    """How many cards the deck has, and how the turn stands."""
    view: View = scene.view
    deck = _("{n} in the deck", n=view.deck)
    if not view.owed:
        return [deck, _("The end: {why}", why=because(view.over).sentence((), tongue()))]
    left = view.owed.count("act")
    due = {"place": _("a card to be placed"), "third": _("a third action?")}
    acts = _n("1 action left", "{count} actions left", left)
    return [deck, _("Turn of {name}", name=scene.names[view.turn]), due.get(view.owed[0], acts)]
