"""A game in the terminal, against robots: no server, but a real log, folded as it grows."""

from __future__ import annotations

import os
import secrets
from base64 import b32encode
from collections.abc import Callable, Iterable
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Final

from msgspec import DecodeError, Raw, json
from rich.console import Console

from engine import entries as e
from engine.audit import bundle
from engine.catalogue import GAMES
from engine.contract import Seat
from engine.dice import Dice
from engine.fold import step
from engine.look import choices, heard, look
from engine.match import Line, Match, Refused, Verdict, commitment, encode
from engine.robots import ROBOTS
from engine.sentences import say
from services import door, offers
from services.ledger import new_match

SHOWN = 24  # choices that are listed unasked, those of one verb counting once
MANY = 200  # and at the most
HELP: Final = """\
Type a move as it is listed; | parts those that begin alike. One that ends in … wants more:
`? MOVE` lists what can follow.
`?` alone lists all moves, and one that a robot likes; `q` resigns.
The rules as we play them: {rules}
For an audit, at the end, of how the cards were dealt:
  commitment    {commitment}
  your entropy  {entropy}
"""
OPENING = (e.MatchOffered, e.MatchJoined, e.MatchDealt)  # whoever sits here knows


class NotPlayable(Exception):
    """There is no such game, or not with these options; the message says why."""


class Table:
    """A match in memory: each entry's line, the match then, and the verdict, as JSON."""

    def __init__(self, offered: e.Offered) -> None:
        self.folded: list[tuple[Line, Match, bytes]] = []
        self.told: list[Verdict] = []
        self.match, verdict = step(None, Line(door.now(), encode(offered)))
        self._write(Line(self.match.at, encode(offered)), verdict)

    def add(self, entry: e.Entry) -> Refused | None:
        """Write an entry, if the fold takes it, as the door would."""
        line = Line(max(door.now(), self.match.at), encode(entry))
        after, verdict = step(self.match, line)
        if isinstance(verdict, Refused):
            return verdict
        self.match = after
        self._write(line, verdict)
        return None

    def _write(self, line: Line, verdict: Verdict) -> None:
        self.folded.append((line, self.match, encode(verdict)))
        self.told.append(verdict)


def play(
    game: str,
    seats: int,
    robot: e.ROBOTS,
    settings: list[str],
    save: Path | None,
    out: Console,
    ask: Callable[[str], str],
) -> None:
    """A match from the offer to its end; `ask` reads a line, or raises EOFError."""
    offered, entropy = _offered(game, seats, robot, settings), secrets.token_hex(32)
    if save is not None:
        _try(save)
    me = b32encode(secrets.token_bytes(10)).decode().lower()
    say_ = Says(out)
    table = Table(offered)
    if no := table.add(e.Joined(0, me, entropy)):
        raise NotPlayable(no.says)
    seat = next(s for s, holder in enumerate(table.match.holders) if holder.player == me)
    names = [f"seat {s}" + (" (you)" if s == seat else "") for s in range(seats)]
    others = f" of {seats}; the rest are {robot} robots" if seats > 1 else ", alone"
    say_(f"{game}: you are seat {seat}{others}.")
    rules = Path(str(files(GAMES[game].__name__))) / "README.md"  # type: ignore[attr-defined]
    say_(HELP.format(rules=rules, commitment=commitment(offered), entropy=entropy))
    Player(table, seat, names, say_, ask).play()
    _end(table, entropy, save, say_)


class Says:
    """Prints a line as it is, however long."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def __call__(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)


class Player:
    """Whoever sits at the terminal, and the robots around."""

    def __init__(
        self,
        table: Table,
        seat: Seat,
        names: list[str],
        say: Callable[[str], None],
        ask: Callable[[str], str],
    ) -> None:
        self.table, self.seat, self.names, self.say, self.ask = table, seat, names, say, ask
        self._heard = 0

    def play(self) -> None:
        while not self.table.match.over:
            self._tell()
            match = self.table.match
            robots = [s for s in match.to_act if match.holders[s].robot is not None]
            if self.seat in match.to_act:
                self._turn()
            elif not (choices(match, self.seat) and self._turn(may_pass=True)):
                self._robot(robots[0])
        self._tell()

    def _tell(self) -> None:
        """What has been heard since."""
        match = self.table.match
        for verdict in self.table.told[self._heard :]:
            for fact in heard(verdict, self.seat):
                if not isinstance(fact, OPENING):
                    self.say(say(match.game, fact).sentence(self.names))
        self._heard = len(self.table.told)

    def _turn(self, may_pass: bool = False) -> bool:
        """Show the table and take a line; False if it was left to the others."""
        match = self.table.match
        self.say("\n" + match.game.words.show(match.game.view(match.state, self.seat), self.names))
        wait = " (or just Enter, to let the others go on)" if may_pass else ""
        self.say("You may: " + self._list(choices(match, self.seat), SHOWN) + wait)
        while True:
            line = self._line()
            if may_pass and not line:
                return False
            if line == "q":
                self.table.add(e.Resigned(self.seat))
                return True
            if line.startswith("?"):
                self._help(line[1:].strip())
            elif line and self._played(line):
                return True

    def _line(self) -> str:
        try:
            return self.ask("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return "q"

    def _read(self, text: str) -> Any:
        """The move that this text is, or None, having said why."""
        try:
            return self.table.match.game.words.read(text)
        except ValueError as error:
            self.say(f"That is no move: {error}. `?` lists those you may make now.")
            return None

    def _played(self, text: str) -> bool:
        move = self._read(text)
        if move is None:
            return False
        no = self.table.add(e.Played(self.seat, Raw(encode(move)), None))
        if no is not None:
            self.say(f"{no.says} ({no.code}, {no.rule})")
        return no is None

    def _help(self, text: str) -> None:
        """All moves and a hint, or what can follow the beginning of one."""
        match = self.table.match
        begun = self._read(text) if text else None
        if text and begun is None:
            return
        ways = choices(match, self.seat, begun)
        if text and not ways and (no := match.game.allows(match.state, self.seat, begun)):
            self.say(f"{no.says} ({no.name}, {no.rule})")
            return
        self.say(("Then: " if text else "You may: ") + self._list(ways, MANY))
        if not text and self.seat in match.to_act:
            hint = ROBOTS["greedy"](match.game, match.state, self.seat, _dice())
            self.say(f"A greedy robot would play: {match.game.words.write(hint)}")

    def _list(self, ways: Iterable[Any], most: int) -> str:
        """`flip A1|A2, switch A1|A2 …`: verbs with what can follow, or moves of one word."""
        verbs: dict[tuple[str, str], list[str]] = {}
        for way in ways:
            verb, space, rest = self.table.match.game.words.write(way.move).partition(" ")
            verbs.setdefault((verb + space, "" if way.ready else " …"), []).append(rest)
        shown = [f"{verb}{'|'.join(rest)}{more}" for (verb, more), rest in verbs.items()]
        left = sum(map(len, islice(verbs.values(), most, None)))
        return ", ".join([*shown[:most], *[f"and {left} more"] * (left > 0)]) or "nothing more"

    def _robot(self, seat: Seat) -> None:
        match = self.table.match
        robot = match.holders[seat].robot
        assert robot is not None
        move = ROBOTS[robot](match.game, match.state, seat, _dice())
        no = self.table.add(e.Played(seat, Raw(encode(move)), None))
        assert no is None, f"a robot may not play {move}: {no}"


def _dice() -> Dice:
    return Dice(os.urandom(32), 0)


def _offered(game: str, seats: int, robot: e.ROBOTS, settings: list[str]) -> e.Offered:
    if game not in GAMES:
        raise NotPlayable(f"There is no game {game}. There are: {', '.join(GAMES)}.")
    options = encode(dict(map(_setting, settings)))
    chairs = (None, *(robot,) * (seats - 1))
    offered = offers.offered(game, options, None, chairs, e.Policy())
    if isinstance(offered, door.Invalid):
        raise NotPlayable(offered.says)
    try:
        step(None, Line(0, encode(offered)))
    except (e.Unknown, ValueError) as error:
        raise NotPlayable(str(error)) from error
    return offered


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise NotPlayable(f"{text!r} is no NAME=VALUE.")
    try:
        return name, json.decode(value)
    except DecodeError:
        return name, value


def _end(table: Table, entropy: str, save: Path | None, say: Callable[[str], None]) -> None:
    match = table.match
    say(f"\nThe table at the end, all faces shown:\n{look_at(match)}\n")
    say(f"The head of all {match.seq} entries is {match.head}")
    if save is None:
        say("With --save FILE the match is kept, to be replayed and audited.")
        return
    save.write_bytes(bundle(new_match(1), table.folded))
    kept = f"--head {match.seq}:{match.head} --entropy {entropy}"
    say(f"Audit it: turnfold audit {save} {kept} --commitment {commitment(match.offered)}")


def _try(save: Path) -> None:
    """Can the match be kept there? Said before it is played."""
    if save.exists():
        raise NotPlayable(f"{save} is there already; --save takes a new file.")
    try:
        save.touch(exist_ok=False)
        save.unlink()
    except OSError as error:
        raise NotPlayable(f"{save} cannot be written: {error.strerror}.") from error


def look_at(match: Match) -> str:
    """The table at the end, all faces shown."""
    view = look(match, "open", legal=False).view
    return match.game.words.show(view, [f"seat {s}" for s in range(len(match.holders))])
