"""Flipology, drawn: rows round the table as their viewer knows them, each with what it meets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.contract import Seat
from engine.games.flipology.board import SEATS, Cell, Cells
from engine.games.flipology.facts import Flipped, Removed, Stayed, Swapped
from engine.games.flipology.moves import Flip, Move, Peek, PeekFlip, Pick, Target, Targets
from engine.games.flipology.pieces import LayRow, Seen, Slot, TurnUpOneOrNone, View
from engine.games.flipology.scores import interim, points
from services.web.boards.flipology_art import mark
from services.web.boards.flipology_cards import HEIGHT, SMALL, WIDTH, called, card, small
from services.web.boards.flipology_hand import hand, laying
from services.web.boards.flipology_middle import middle
from services.web.boards.ink import at, box, hold, pick, tag, text, title
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.tongues import _

STEP, EDGE = 51, 18  # from card to card; beside them, where the row meets the next
HEAD, RANK = 32, HEIGHT + 21  # heights: who it is; a row with the names of its places
OWN, OTHERS, ALL = 1.35, 1.08, 0.9  # pixels of a unit; of who has no seat here
Ways = Mapping[str, Mapping[str, Move]]  # by what is held


class Marks(NamedTuple):
    """What is to be marked, by cell."""

    last: frozenset[Cell]  # what the last entry changed
    moved: Mapping[Cell, Cell]  # where what it moved came from
    made: Cells  # what the move in the making names
    source: Cell | None  # whose effect waits
    peeked: Cells


def draw(scene: Scene) -> Drawing:
    """One's own row comes last, below what happens; the others before, clockwise from there."""
    view: View = scene.view
    ways = _ways(scene)
    scene = scene._replace(held=scene.held if scene.held in _holdable(ways) else "")
    first = 0 if scene.own is None else scene.own + 1
    order = [seat % view.seats for seat in range(first, first + view.seats)]
    sheets = [_seat(scene, seat, ways, _marks(scene)) for seat in order]
    sheets.insert(view.seats if scene.own is None else -1, middle(scene, _scale(scene)))
    return Drawing(sheets, {held: tuple(there) for held, there in ways.items()})


def _scale(scene: Scene) -> float:
    return ALL if scene.own is None else OTHERS


# What can be picked


def _ways(scene: Scene) -> Ways:
    """Of two cells, the first is taken up for the second."""
    ways: dict[str, dict[str, Move]] = {}
    for written, move in scene.picks.items():
        held = min(move.cells) if isinstance(move, Targets) else ""
        ways.setdefault(held, {})[written] = move
    return {"": {}, **ways} if ways else {}


def _holdable(ways: Ways) -> set[Cell]:
    """Either of two may be taken up first."""
    moves = [move for there in ways.values() for move in there.values()]
    return {cell for move in moves if isinstance(move, Targets) for cell in move.cells}


def _goal(scene: Scene, move: Move) -> Cell | None:
    """The card that is picked, if it is a card on the table."""
    match move:
        case Flip(cell) | Target(cell) | Pick(cell) | PeekFlip(cell):
            return cell
        case Peek(cells):
            had = scene.made.cells if isinstance(scene.made, Peek) else ()
            return next(cell for cell in cells if cell not in had)
        case Targets(cells) if scene.held in cells:
            return next(cell for cell in cells if cell != scene.held)
    return None


def _marks(scene: Scene) -> Marks:
    view: View = scene.view
    last, moved = set[Cell](), dict[Cell, Cell]()
    for fact in scene.news:
        match fact:
            case Flipped(cell) | Stayed(cell) | Removed(cell):
                last.add(cell)
            case Swapped(cell, other):
                last |= {cell, other}
                moved |= {cell: other, other: cell}
    question = view.owed[0] if view.owed else None
    peeked = question.cells if isinstance(question, TurnUpOneOrNone) else ()
    known = peeked if scene.own == view.turn or scene.viewer == "open" else ()
    return Marks(frozenset(last), moved, _named(scene.made), getattr(question, "at", None), known)


def _named(move: Move | None) -> Cells:
    match move:
        case Flip(cell) | Target(cell) | Pick(cell) | PeekFlip(str(cell)):
            return (cell,)
        case Peek(cells) | Targets(cells):
            return cells
    return ()


# A seat


def _seat(scene: Scene, seat: Seat, ways: Ways, marks: Marks) -> Sheet:
    """The rows of a seat, the topmost first; while hands are laid, the row to be above them."""
    view: View = scene.view
    width = view.options.width
    wide = 2 * EDGE + (width - 1) * STEP + WIDTH
    body, y = [*_head(scene, seat, wide)], float(HEAD)
    if view.owed and (view.held[seat] or isinstance(view.owed[0], LayRow)):
        body.append(at(EDGE, y, laying(scene, seat, STEP)))
        y += RANK
    for cells, row in _rows(view, seat):
        body.append(at(0, y, *_row(scene, cells, row, ways, marks)))
        y += RANK
    cards, high = hand(scene, seat, ways.get("", {}), STEP)
    body.append(at(EDGE, y, cards))
    y += high
    scale = OWN if seat == scene.own else _scale(scene)
    area = box(0.5, 0.5, wide - 1, y + 3, _area(scene, seat), 10)
    return Sheet(_says(scene, seat), wide, y + 4, area + "".join(body), scale)


def _rows(view: View, seat: Seat) -> Iterator[tuple[Cells, Sequence[Seen]]]:
    """From the top level down: where each lies, and its cards; of the game before, if none lie."""
    rows = view.rows or view.past
    cells = view.board.rows if view.rows else ((),) * len(rows)
    return zip(cells[seat :: view.seats][::-1], rows[seat :: view.seats][::-1], strict=True)


def _area(scene: Scene, seat: Seat) -> str:
    if seat in scene.to_act:
        return "area acts"
    won = scene.outcome is not None and scene.outcome.places[seat] == 1
    return "area won" if won else "area"


def _says(scene: Scene, seat: Seat) -> str:
    view: View = scene.view
    name = scene.names[seat]
    says = _("Your rows") if seat == scene.own else _("The rows of {name}", name=name)
    says += _(", to move") if seat in scene.to_act else ""
    rows = [
        ", ".join(f"{cell} {called(seen)}".strip() for cell, seen in zip(cells, row, strict=False))
        for cells, row in _rows(view, seat)
        if cells
    ]
    score = _("open score {n}", n=_sums(view, seat)[0])
    return ". ".join([says, *rows, score])


def _sums(view: View, seat: Seat) -> tuple[int, int]:
    """What is open scores so much; with what the viewer knows besides, so much."""
    rows = view.rows or view.past
    slots = [Slot(s.card, s.up) for row in rows[seat :: view.seats] for s in row if s.card]
    return interim(slots), points((*slots, *view.found[seat]))


def _head(scene: Scene, seat: Seat, wide: float) -> Iterator[str]:
    """The letter of a seat, its name, who starts, what it scavenged, and its score."""
    view: View = scene.view
    yield text(11, 22, SEATS[seat], 16, class_="count")
    left = wide - 10
    for says in _scores(view, seat):
        yield text(left, 21, says, 12.5, class_="sum", text_anchor="end")
        left -= 7.2 * len(says) + 10
    for slot in view.found[seat]:
        left -= SMALL
        yield at(left, 4, small(slot.card, slot.up))
        left -= 4
    if view.owed and seat == view.start:
        left -= 14
        yield at(left, 10, title(_("starts")), mark("first"))
        left -= 4
    yield text(28, 21, scene.names[seat], 13, (left - 30) * 0.9, class_="name")


def _scores(view: View, seat: Seat) -> Iterator[str]:
    """From the right: the total of a match, what is known, what is open."""
    if view.options.match == "to100":
        yield _("{n} of 100", n=view.totals[seat])
    if view.result is not None:
        yield _("scores {n}", n=_minus(view.result.scores[seat]))
    elif view.rows:
        score, known = _sums(view, seat)
        if known != score:
            yield _("in all {n}", n=_minus(known))
        yield _("open {n}", n=_minus(score))


def _minus(n: int) -> str:
    return str(n).replace("-", "−")


# A row


def _row(
    scene: Scene, cells: Cells, row: Sequence[Seen], ways: Ways, marks: Marks
) -> Iterator[str]:
    view: View = scene.view
    for i, seen in enumerate(row):
        cell = cells[i] if cells else ""
        yield at(EDGE + STEP * i, 0, _card(scene, cell, seen, ways, marks))
    if not cells:
        yield text(EDGE, HEIGHT + 13, _("the game before"), 11, class_="quiet")
    else:
        middles = zip(range(len(row)), cells, strict=True)
        labels = [text(EDGE + STEP * i + WIDTH / 2, HEIGHT + 12, c, 10) for i, c in middles]
        yield tag("g", *labels, class_="places", text_anchor="middle")
        beside = view.board.beside
        yield at(EDGE - 4, HEIGHT / 2, _meets(beside[cells[0]][0], -1))
        yield at(EDGE + STEP * len(row) + 1, HEIGHT / 2, _meets(beside[cells[-1]][1], 1))


def _meets(cell: Cell, way: int) -> str:
    """What lies beside the end of a row, round the table: an arc leads there."""
    arc = tag("path", d=f"M{-way} -24q{8 * way} 24 0 48", class_="meets")
    turn = f"translate({9 * way} 0) rotate({90 * way})"
    word = tag("g", text(0, 3, cell, 9, text_anchor="middle"), transform=turn)
    return tag("g", title(_("beside it lies {cell}", cell=cell)), arc, word, class_="places")


def _card(scene: Scene, cell: Cell, seen: Seen, ways: Ways, marks: Marks) -> str:
    """A card of the table; what can be picked there is picked by it."""
    drawn = tag("g", card(seen, cell in marks.peeked), **_how(cell, marks))
    if cell and cell == marks.source:
        drawn = box(-3.5, -3.5, WIDTH + 7, HEIGHT + 7, "source", 10) + drawn
    for first, there in ways.items() if cell else ():
        for written, move in there.items():
            if _goal(scene, move) == cell:
                says = _choose(scene, move, cell, seen)
                return pick(scene, written, says, drawn, RIM, spare=first not in ("", scene.held))
    if cell in _holdable(ways):
        says = _("Choose {cell}, {card}", cell=cell, card=called(seen))
        return hold(scene, cell, says, tag("g", drawn), RIM, spare=cell not in ways)
    return drawn


RIM = box(-1.5, -1.5, WIDTH + 3, HEIGHT + 3, "lit rim", 8)


def _how(cell: Cell, marks: Marks) -> dict[str, str | None]:
    """Marked, and where it came from."""
    if cell in marks.made:
        return {"class_": "made"}
    if cell in marks.moved:
        return {"class_": "last moved", "data_at": cell, "data_from": marks.moved[cell]}
    return {"class_": "last turned" if cell in marks.last else None, "data_at": cell or None}


def _choose(scene: Scene, move: Move, cell: Cell, seen: Seen) -> str:
    if isinstance(move, Flip):
        return _("Turn over {cell}, {card}", cell=cell, card=called(seen))
    if isinstance(move, PeekFlip):
        return _("Turn up {cell}, {card}", cell=cell, card=called(seen))
    return _("Choose {cell}, {card}", cell=cell, card=called(seen))
