"""What a page shows of a match, worked out of what its viewer may see: pure functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from babel.dates import format_timedelta
from msgspec.structs import replace

from engine.catalogue import version
from engine.contract import Game, Said, Seat, Viewer
from engine.entries import MatchFact
from engine.look import Choice, Look, News, Place, choices
from engine.match import Holder, Match, encode
from engine.sentences import aborted, facts_of, say
from services.web.readmes import titles
from services.web.tongues import _, _n, spoken, tongue

ROBOTS = {
    "greedy": "Greedy robot",
    "random": "Random robot",
    "search": "Robot that thinks ahead",
}
LONGEST = 2000  # letters of a move in the making
MANY = 8  # choices that need no groups
SPACES = re.compile(r"\S {2,}\S")
PARTS = re.compile(r"([^@ =]+)[@ =]+(.+)")
Names = Mapping[str, str]  # of players, by id


class Sitter(NamedTuple):
    """A seat, for the list of seats."""

    name: str
    kind: str  # you, person, robot, open
    acts: bool
    gone: str | None
    deadline: int | None
    away: int | None  # until when
    missed: int  # how often in a row its time was up, where that shortens it
    place: int | None
    score: int | None


class Pick(NamedTuple):
    """A piece that a move can begin or go on with: `move` is the move with it."""

    move: str
    piece: str  # the piece alone
    rest: str  # of the piece, what its group does not say


class Group(NamedTuple):
    title: str
    picks: list[Pick]


class Making(NamedTuple):
    """A move in the making: `trail` holds it as it grew, the move as it stands at its end."""

    trail: tuple[str, ...]
    ready: bool
    begun: Any  # the move as it stands; None before the first piece
    ways: dict[str, Any]  # written → move: what may be begun, or has one piece more

    @property
    def text(self) -> str:
        return self.trail[-1] if self.trail else ""

    def groups(self, placed: Collection[str] = ()) -> list[Group]:
        """What is picked by a button: all but what is picked on the board."""
        return _groups([move for move in self.ways if move not in placed], self.text)


class Line(NamedTuple):
    """An entry in the log."""

    seq: int
    at: int
    says: list[str]


# Seats


def called(holders: Sequence[Holder | Place], names: Names) -> list[str]:
    """What each seat is called; those of one name are numbered."""
    plain = [_name(holder, names) for holder in holders]
    often, met = Counter(plain), Counter[str]()
    for i, name in enumerate(plain):
        met[name] += 1
        if often[name] > 1:
            plain[i] = f"{name} {met[name]}"
    return plain


def _name(holder: Holder | Place, names: Names) -> str:
    if holder.player is not None:
        return names.get(holder.player) or _("Somebody")
    return _(ROBOTS[holder.robot]) if holder.robot else _("Open seat")


def sitters(match: Match, look: Look, seats: Sequence[str]) -> list[Sitter]:
    return [
        Sitter(
            name,
            _kind(holder, look.viewer == seat),
            seat in look.to_act,
            holder.gone,
            look.deadline[seat],
            look.seats[seat].away or None,
            look.seats[seat].missed or 0,
            look.outcome.places[seat] if look.outcome else None,
            look.outcome.scores[seat] if look.outcome else None,
        )
        for seat, (name, holder) in enumerate(zip(seats, match.holders, strict=True))
    ]


def _kind(holder: Holder, own: bool) -> str:
    if own:
        return "you"
    return "open" if holder.open else "robot" if holder.robot else "person"


def status(look: Look, seats: Sequence[str]) -> str:
    """How things stand, in a few words."""
    if look.aborted is not None:
        return aborted(look.aborted).sentence((), tongue())[:-1]
    if look.outcome is not None:
        return _won(look, seats)
    if look.status == "open":
        free = sum(place.player is None and place.robot is None for place in look.seats)
        return _n("Waiting for one more to join", "Waiting for {count} more to join", free)
    if look.viewer in look.to_act:
        others = len(look.to_act) - 1
        if not others:
            return _("Your turn")
        return _n("Your turn, and that of one more", "Your turn, and that of {count} more", others)
    return _("Waiting for {names}", names=_listed([seats[seat] for seat in look.to_act]))


def warning(look: Look) -> str:
    """What comes of one's absence; nothing if one was there or nothing comes of it."""
    absent = look.policy.absent
    missed = look.seats[look.viewer].missed if isinstance(look.viewer, int) else 0
    if not (absent and missed) or look.status != "running":
        return ""
    less = format_timedelta(timedelta(seconds=absent.seconds), threshold=2, locale=spoken())
    if missed >= absent.after:
        return _(
            "You were away too often: you have {less} for a move until you make one.", less=less
        )
    says = _n("Your time was up.", "Your time was up {count} times in a row.", missed)
    more = _("After {n} times you have only {less} for a move.", n=absent.after, less=less)
    return f"{says} {more}"


def _won(look: Look, seats: Sequence[str]) -> str:
    assert look.outcome is not None
    first = [seat for seat, place in enumerate(look.outcome.places) if place == 1]
    if first == [look.viewer]:
        return _("You have won")
    if not first:
        return _("Nobody has won")
    names = _listed([seats[seat] for seat in first])
    return _n("{names} has won", "{names} have won", len(first), names=names)


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return _("{names} and {last}", names=", ".join(most), last=last) if most else last


def listing(
    places: Sequence[Place], to_act: Sequence[Seat], status: str, names: Names
) -> tuple[str, str]:
    """Who sits at a match in a list, and how it stands."""
    seats = called(places, names)
    free = sum(place.player is None and place.robot is None for place in places)
    who = [name for name, place in zip(seats, places, strict=True) if place.player or place.robot]
    says = _("{free} of {seats} seats open", free=free, seats=len(places)) if free else _("over")
    if status == "running":
        says = _("{names} to move", names=_listed([seats[seat] for seat in to_act]))
    return _listed(who) if who else _("nobody yet"), says if status != "over" else _("over")


# The table


class Block(NamedTuple):
    """Lines of a table: of its grid, where each letter has its place, or of plain prose."""

    grid: bool
    lines: list[str]


def board(look: Look, seats: Sequence[str]) -> list[Block]:
    """The table as its game's words show it; nothing before the deal."""
    if look.view is None:
        return []
    return blocks(table(look, seats).split("\n"))


def table(look: Look, seats: Sequence[str]) -> str:
    """The table as its game's words show it, by the rules of the match."""
    game = version(look.game, look.rules)
    return "" if game is None or look.view is None else game.words.show(look.view, seats)


def blocks(lines: Sequence[str]) -> list[Block]:
    """Told apart by the runs of spaces that a grid has; what lies within a grid belongs to it."""
    grid = [bool(SPACES.search(line)) or " " not in line.strip() for line in lines]
    for i in range(1, len(grid) - 1):
        grid[i] = grid[i] or (grid[i - 1] and grid[i + 1])
    found: list[Block] = []
    for line, of_grid in zip(lines, grid, strict=True):
        if not found or found[-1].grid != of_grid:
            found.append(Block(of_grid, []))
        found[-1].lines.append(line)
    return found


# The log


def line(match: Match, news: News, names: Names, seats: Sequence[str]) -> Line:
    game = match.game
    return Line(news.seq, news.at, sentences(game, facts(game, news), names, seats))


def facts(game: Game, news: News) -> list[Any]:
    """What was heard of an entry, as facts of its game or of the fold's own."""
    return [facts_of(game).decode(encode(fact)) for fact in news.facts]


def sentences(game: Game, facts: Iterable[Any], names: Names, seats: Sequence[str]) -> list[str]:
    """What was heard, with people and games called by their names."""
    return [_named(say(game, fact), fact, names).sentence(seats, tongue()) for fact in facts]


def _named(said: Said, fact: Any, names: Names) -> Said:
    if not isinstance(fact, MatchFact):
        return said

    def called(arg: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(called(arg, one) for one in value)
        if isinstance(value, Said):
            return _named(value, fact, names)
        if arg.startswith("player"):
            return names.get(value) or _("Somebody")
        return titles()[value] if arg == "game" else value

    return replace(said, args={arg: called(arg, value) for arg, value in said.args.items()})


# Moves


def making(match: Match, viewer: Viewer, trail: Sequence[str]) -> Making:
    """A move in the making, as far as it can still be made; a new one if it cannot."""
    game = match.game
    for n in range(len(trail), 0, -1):
        begun = _read(match, trail[n - 1])
        if begun is None or not isinstance(viewer, int):
            continue
        ready = game.allows(match.state, viewer, begun) is None
        more = choices(match, viewer, begun)
        if ready or more:
            text = game.words.write(begun)
            return Making((*trail[: n - 1], text), ready, begun, _ways(match, more))
    return Making((), False, None, _ways(match, choices(match, viewer)))


def _ways(match: Match, more: Iterable[Choice]) -> dict[str, Any]:
    return {match.game.words.write(way.move): way.move for way in more}


def _read(match: Match, text: str) -> Any:
    try:
        return match.game.words.read(text[:LONGEST])
    except ValueError:
        return None


def _groups(moves: Sequence[str], made: str) -> list[Group]:
    """Few choices in one group without a title; many by what they begin with."""
    pieces = [(move, added(move, made)) for move in moves]
    whole = [Group("", [Pick(move, piece, piece) for move, piece in pieces])]
    if len(moves) <= MANY:
        return whole if moves else []
    found: dict[str, list[Pick]] = {}
    for move, piece in pieces:
        parts = PARTS.fullmatch(piece)
        title, rest = parts.groups() if parts else ("", piece)
        found.setdefault(title, []).append(Pick(move, piece, rest))
    groups = [Group(title, picks) for title, picks in found.items()]
    return groups if 1 < len(groups) < len(moves) else whole


def added(move: str, made: str) -> str:
    """The piece that `move` has beyond `made`, as far as the two can be told apart."""
    if made and move.startswith(made):
        return move[len(made) :].strip()
    rest = Counter(move.split()) - Counter(made.split())
    return " ".join(rest.elements()) or move
