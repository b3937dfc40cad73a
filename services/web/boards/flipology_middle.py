"""The middle of a table of Flipology: what is asked, how the turn came so far, what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from engine.games.flipology.cards import SHY, VALUE, Kind
from engine.games.flipology.facts import Imitated, Woken
from engine.games.flipology.moves import Imitate, Move, Pass, PeekFlip, Regrow, Scavenge
from engine.games.flipology.pieces import (
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
    TurnOne,
    TurnUpOneOrNone,
    UseOneOf,
    View,
)
from services.web.boards.flipology_art import figure
from services.web.boards.flipology_cards import (
    DOES,
    HEIGHT,
    LOW,
    NAMES,
    SMALL,
    WIDTH,
    face,
    small,
    told,
)
from services.web.boards.ink import at, box, pick, tag, text, title
from services.web.boards.scene import Scene, Sheet
from services.web.tongues import _

WIDE = 388
LETTERS, LINE = 50, 19  # of a line: how many, and how high
BAR = 32  # the height of a row of controls
Picks = Mapping[str, Move]  # written → move


def middle(scene: Scene, scale: float) -> Sheet:
    body, y = "", 8.0
    for drawn, high in _parts(scene):
        body += at(12, y, drawn)
        y += high
    felt = box(0.5, 0.5, WIDE - 1, y + 3, "meadow", 12)
    return Sheet(_says(scene), WIDE, y + 4, felt + body, scale)


def _says(scene: Scene) -> str:
    view: View = scene.view
    acts = " ".join(_("{kind} at {cell}", kind=_(NAMES[k]), cell=c) for k, c in _chain(view))
    return " ".join(filter(None, [*_lines(scene), acts, _left(view)]))


def _parts(scene: Scene) -> Iterator[tuple[str, float]]:
    """From above: each part and how high it is."""
    stage, asked = _lines(scene)
    yield text(0, 14, stage, 11.5, WIDE - 24, class_="quiet"), LINE
    for part in wrap(asked, LETTERS):
        yield text(0, 15, part, 13, class_="name"), LINE
    if chain := _chain(scene.view):
        yield _crumbs(chain)
    yield from _picked(scene)
    yield _heap(scene)


def _left(view: View) -> str:
    args = {"deck": view.deck, "pile": view.piled, "clearings": view.clearings}
    return _("Deck {deck}, discard pile {pile}, Clearings {clearings}", **args)


# What is asked


def _lines(scene: Scene) -> tuple[str, str]:
    """How far the game is, and what it waits for."""
    view: View = scene.view
    if not view.owed:
        return _stage(view), _ended(scene)
    waits = ", ".join(scene.names[seat] for seat in scene.to_act)
    asked = _prompt(view.owed[0])
    return _stage(view), f"{waits}: {asked}" if waits else asked


def _stage(view: View) -> str:
    parts = [_("Great Tree") if view.options.tree else _("Nature")]
    if view.options.match == "to100":
        parts.append(_("game {n}", n=view.game))
    if view.options.tree:
        dealt = len(view.rows) // view.seats + any(view.held)
        parts.append(_("round {n} of {of}", n=dealt, of=LEVELS))
    if view.rows and view.owed and not any(view.held):
        lap = min(view.turns // view.seats + 1, view.options.turns)
        parts.append(_("turn {n} of {of}", n=lap, of=view.options.turns))
    parts.append(_("with moon") if view.options.moon else _("without moon"))
    parts.append(_("with wolves") if view.options.wolves else _("without wolves"))
    return " · ".join(parts)


def _ended(scene: Scene) -> str:
    view: View = scene.view
    if view.result is None:
        return _("The match is over")
    won = ", ".join(scene.names[seat] for seat in view.result.winners)
    if view.result.moon:
        return _("The moon is up, the lowest wins: {names}", names=won)
    return _("The highest wins: {names}", names=won)


def _prompt(question: Question) -> str:
    match question:
        case Aim(kind, at):
            return _acts(kind, at)
        case FlipTwo(at):
            return _acts("monkey", at)
        case ImitateOne(at):
            return _acts("parrot", at)
        case RainOn(at):
            return _acts("rain", at)
        case PeekAtThree(at):
            return _acts("sun", at)
        case UseOneOf(cells):
            return _("which of these acts, {cells}?", cells=", ".join(cells))
        case TurnUpOneOrNone(cells):
            return _("turn up one of {cells}, or none", cells=", ".join(cells))
        case LayRow():
            return _("lay a row")
        case MayRegrow():
            return _("new cards instead of these? Only once")
        case MayScavenge():
            return _("take an animal from the discard pile, or none")
        case TurnOne():
            return _("turn over a card of your row")


def _acts(kind: Kind, cell: str) -> str:
    effect = _(DOES[kind])
    return _("{kind} at {cell} {effect}", kind=_(NAMES[kind]), cell=cell, effect=effect)


# How the turn came so far


def _chain(view: View) -> list[tuple[Kind, str]]:
    """Whose effects it had, and where; a parrot is what it acts as."""
    found: list[tuple[Kind, str]] = []
    for step in view.trail:
        match step:
            case Woken(cell, kind):
                found.append((kind, cell))
            case Imitated(cell, kind):
                found[-1:] = [(kind, cell)]
    return found


def _crumbs(chain: list[tuple[Kind, str]]) -> tuple[str, float]:
    drawn, step = "", 62
    across = (WIDE - 20) // step
    for i, (kind, cell) in enumerate(chain):
        x, y = step * (i % across), 26 * (i // across)
        says = title(_acts(kind, cell))
        arrow = tag("path", d="M-9 5l5 4.5-5 4.5", class_="then-arrow") if i else ""
        crumb = says + figure(kind, 18) + text(21, 14, cell, 11.5)
        drawn += at(x, y + 3, arrow, tag("g", crumb, class_="crumb"))
    return drawn, 26.0 * -(-len(chain) // across)


# What is picked here


def _picked(scene: Scene) -> Iterator[tuple[str, float]]:
    """Animals to act as, cards of the pile, and what names no card."""
    cards, kinds, bars = list[str](), list[str](), dict[str, str]()
    for written, move in scene.picks.items():
        match move:
            case Scavenge(str(card), None):
                says = _("Take {card}", card=told(card))
                cards.append(pick(scene, written, says, face(card), CARD_RIM))
            case Imitate(kind):
                kinds.append(_kind(scene, written, kind))
            case _ if label := _label(scene, move):
                bars[written] = label
    yield from _spread(cards, WIDTH + 5, HEIGHT + 8)
    yield from _spread(kinds, 91, BAR + 4)
    if bars:
        yield _bars(scene, bars), BAR + 4


CARD_RIM = box(-1.5, -1.5, WIDTH + 3, HEIGHT + 3, "lit rim", 8)


def _kind(scene: Scene, written: str, kind: Kind) -> str:
    says = _("Act as {kind} ({effect})", kind=_(NAMES[kind]), effect=_(DOES[kind]))
    word = text(28, 20, _(NAMES[kind]), 11, class_="name")
    drawn = tag("g", at(5, 5, figure(kind, 20)), class_="crumb")
    return pick(scene, written, says, box(0, 0, 87, BAR - 2, "lit", 7), drawn, word)


def _label(scene: Scene, move: Move) -> str:
    """What a control says that names no card."""
    match move:
        case Regrow(yes):
            return _("Five new cards") if yes else _("Keep these")
        case PeekFlip(None):
            return _("Turn up none")
        case Scavenge(None):
            return _("Take none")
        case Scavenge(card, lies) if card in SHY:
            points = VALUE[card]
            return (
                _("face down: +{n}", n=points) if lies == "down" else _("face up: −{n}", n=points)
            )
        case Pass():
            return _("Pass")
    return ""


def _spread(drawn: list[str], step: int, high: int) -> Iterator[tuple[str, float]]:
    """In lines."""
    across = (WIDE - 24) // step
    for first in range(0, len(drawn), across):
        line = drawn[first : first + across]
        yield "".join(at(step * i, 2, one) for i, one in enumerate(line)), high


def _bars(scene: Scene, bars: Mapping[str, str]) -> str:
    width, drawn = (WIDE - 24) / max(2, len(bars)), ""
    for i, (written, label) in enumerate(bars.items()):
        word = text(width / 2 - 3, 20, label, 12.5, class_="does", text_anchor="middle")
        lit = box(0, 0, width - 6, BAR - 2, "lit", 7)
        drawn += at(width * i, 2, pick(scene, written, label, lit, word))
    return drawn


# What is left


def _heap(scene: Scene) -> tuple[str, float]:
    """How many cards lie where; of the discard pile, what one has seen go there."""
    view: View = scene.view
    drawn = text(0, 17, _left(view), 12, class_="quiet")
    if any(isinstance(move, Scavenge) for move in scene.picks.values()):
        return drawn, 26.0
    across = (WIDE - 24) // (SMALL + 4)
    for i, card in enumerate(view.pile):
        drawn += at((SMALL + 4) * (i % across), 24 + (LOW + 4) * (i // across), small(card))
    return drawn, 26.0 + (LOW + 4) * -(-len(view.pile) // across)
