"""The table as text: rows as players write them, the turn so far, and what is owed by whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.contract import Seat

from .board import SEATS
from .cards import Card
from .notation import notation
from .pieces import (
    LEVELS,
    Aim,
    FlipTwo,
    ImitateOne,
    LayRow,
    MayRegrow,
    MayScavenge,
    PeekAtThree,
    Question,
    RainOn,
    Row,
    Seen,
    Slot,
    TurnOne,
    TurnUpOneOrNone,
    UseOneOf,
    View,
)
from .scores import interim, points

WIDE = 100
CHOICES = {  # what an effect that names one card may choose
    "dog": "flip a card beside it",
    "frog": "flip a card two places away",
    "hawk": "flip a card in another row",
    "snake": "flip another card of its row",
    "mole": "trade places with any card",
    "wolves": "remove any card",
}


def show(view: View, names: Sequence[str]) -> str:
    """The rows, one's own cards, the turn so far, the state of the game, and who is waited for."""
    lines = [_header(view), *_rows(view, names), *_hands(view, names)]
    if view.trail:
        lines.append(f"last: {notation(view.trail)}")
    lines += _ended(view, names)
    if view.options.match == "to100":
        lines.append(f"totals: {_each(names, view.totals)}")
    lines += [_counts(view), _due(view, names)]
    return "\n".join(piece for line in lines for piece in _wrapped(line))


def _wrapped(line: str) -> Iterator[str]:
    """A line in pieces of a terminal's width, broken at spaces."""
    while len(line) > WIDE and (cut := line.rfind(" ", 4, WIDE + 1)) > 0:
        yield line[:cut]
        line = f"    {line[cut + 1 :]}"
    yield line


def _header(view: View) -> str:
    options = view.options
    variant = "Great Tree" if options.tree else "Nature"
    parts = [variant, f"moon {_in(options.moon)}", f"wolves {_in(options.wolves)}"]
    if options.match == "to100":
        parts.append(f"match to 100, game {view.game}")
    return ", ".join(parts)


def _in(there: bool) -> str:
    return "in" if there else "out"


def _rows(view: View, names: Sequence[str]) -> Iterator[str]:
    """From the top level down; the first of a seat's rows tells its open score."""
    wide = max(len(name) for name in names[: view.seats])
    rows = view.rows or view.past
    if view.past:
        yield "the game before:"
    if rows:
        places = "".join(f"{place:^6}" for place in range(1, len(rows[0]) + 1))
        yield f"{'':{wide + 5}}{places}".rstrip()
    for seat in range(view.seats):
        own = list(enumerate(rows[seat :: view.seats], 1))[::-1]
        for level, row in own:
            label = SEATS[seat] + (str(level) if view.options.tree else "")
            head = f"{names[seat]:{wide}}  {label:2} {''.join(map(_card, row))}"
            yield f"{head} {_open(view, rows, seat)}" if level == len(own) else head.rstrip()


def _open(view: View, rows: Sequence[Sequence[Seen]], seat: Seat) -> str:
    """What is open scores so much; with what this viewer knows besides, so much."""
    slots = [Slot(s.card, s.up) for row in rows[seat :: view.seats] for s in row if s.card]
    sums = [("open", interim(slots)), ("in all", points(slots))]
    plain = f"{sums[0][0]} {sums[0][1]}"
    return plain if sums[0][1] == sums[1][1] else f"{plain}, {sums[1][0]} {sums[1][1]}"


def _card(seen: Seen) -> str:
    """Six wide, so that places stand below each other."""
    return f"{cards([seen]):^6}"


def cards(row: Iterable[Seen]) -> str:
    """`Do5 (Fr4) (??)`: in brackets what lies face down."""
    return " ".join((s.card or "??") if s.up else f"({s.card or '??'})" for s in row)


def _hands(view: View, names: Sequence[str]) -> Iterator[str]:
    for seat in range(view.seats):
        hand, plan, away = view.hands[seat], view.plans[seat], (*view.away, *[None] * 8)[seat]
        if hand:
            yield f"{names[seat]} holds {_numbered(hand)}"
        if hand and plan:
            yield f"{names[seat]} arranged {' '.join(hand[i - 1] for i in plan)}"
        if away:
            yield f"{names[seat]} discarded {' '.join(away)}"
        if any(view.found) and view.found[seat]:
            yield f"{names[seat]} scavenged {_found(view.found[seat])}"
    if view.pile:
        all_ = len(view.pile) == view.piled
        yield f"discard pile{'' if all_ else ', seen going'}: {' '.join(view.pile)}"


def _numbered(hand: Sequence[Card]) -> str:
    return " ".join(f"{i}:{card}" for i, card in enumerate(hand, 1))


def _found(found: Row) -> str:
    return " ".join(slot.card if slot.up else f"({slot.card})" for slot in found)


def _ended(view: View, names: Sequence[str]) -> Iterator[str]:
    ended = view.result
    if ended is None:
        return
    won = ", ".join(names[seat] for seat in ended.winners)
    moon = "the moon is up, lowest wins; " if ended.moon else ""
    yield f"game over: {moon}{_each(names, ended.scores)}"
    yield f"different animals up: {_each(names, ended.animals)}; won by {won}"


def _each(names: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in zip(names, numbers, strict=False))


def _counts(view: View) -> str:
    """As the dossier writes positions."""
    words = [f"deck={view.deck}", f"discard={view.piled}", f"clearings={view.clearings}"]
    if not view.owed:
        return " ".join(words)
    words += [f"start={SEATS[view.start]}", f"turn={SEATS[view.turn]}", f"round={_round(view)}"]
    if source := _pending(view.owed[0]):
        words.append(f"pending={source}")
    return " ".join(words)


def _round(view: View) -> str:
    """Nature: which of its three turns; Great Tree: which row, and which turn of it."""
    lap = min(view.turns // view.seats + 1, view.options.turns)
    if not view.options.tree:
        return f"{lap}/{view.options.turns}"
    dealt = len(view.rows) // view.seats + any(view.held)
    return f"{dealt}/{LEVELS} lap={lap}/{view.options.turns}"


def _pending(question: Question) -> str:
    match question:
        case Aim(kind, at):
            return f"{kind}@{at}"
        case FlipTwo(at):
            return f"monkey@{at}"
        case ImitateOne(at):
            return f"parrot@{at}"
        case RainOn(at):
            return f"rain@{at}"
        case PeekAtThree(at):
            return f"sun@{at}"
        case UseOneOf():
            return "monkey-pick"
        case TurnUpOneOrNone():
            return "sun-flip"
    return ""


def _due(view: View, names: Sequence[str]) -> str:
    """Who is waited for, and for what."""
    if not view.owed:
        return "The match is over."
    seats = [view.turn]
    match view.owed[0]:
        case LayRow():
            seats = [seat for seat, ready in enumerate(view.ready) if not ready]
        case MayRegrow(seat) | MayScavenge(seat):
            seats = [seat]
    return f"{', '.join(names[seat] for seat in seats)}: {_prompt(view, view.owed[0])}"


def _prompt(view: View, question: Question) -> str:
    match question:
        case LayRow():
            if view.options.tree:
                return "lay all five cards from left to right, as in `arrange 31524`"
            return "lay seven cards, as in `arrange 3152746`; the other two are discarded"
        case MayRegrow():
            return "five new cards instead of these? Only once"
        case TurnOne():
            return "turn over a card of your row"
        case Aim(kind, at):
            return f"{kind} at {at}: {CHOICES[kind]}"
        case FlipTwo(at):
            return f"monkey at {at}: flip two cards beside it"
        case UseOneOf(cells):
            return f"pick which acts, {' or '.join(cells)}"
        case ImitateOne(at):
            return f"parrot at {at}: act as an animal that is up"
        case PeekAtThree(at):
            return f"sun at {at}: look at three backs of others, or all"
        case TurnUpOneOrNone(cells):
            return f"turn up one of {', '.join(cells)}, or none"
        case RainOn(at, wet):
            done = f"; done: {' '.join(SEATS[seat] for seat in wet)}" if wet else ""
            return f"rain at {at}: flip one card in every row{done}"
        case MayScavenge():
            return "scavenge an animal from the discard pile, or none"
