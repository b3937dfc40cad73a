"""What a game is. Games import this and `dice`; this imports nothing of ours but `dice`."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from engine.dice import Dice

Seat = int
OPEN: Final = "open"  # the viewer who sees all faces, once a match is over
Viewer = Seat | None | Literal["open"]  # None is a watcher: anyone at no seat
S = TypeVar("S")
M = TypeVar("M")
T = TypeVar("T")


class Told(Struct, frozen=True):
    """A fact and who hears it: each seat in `to` its own version, all others `fact`.

    None is nothing: who would hear it does not hear that anything happened.
    """

    fact: Any
    to: tuple[tuple[Seat, Any], ...] = ()

    def heard_by(self, viewer: Viewer) -> tuple[Any, ...]:
        """What this viewer hears of it: nothing or one fact; for OPEN every different version."""
        if viewer == OPEN:
            versions = [fact for _, fact in self.to if fact is not None]
            if self.fact is not None:
                versions.append(self.fact)
            return tuple(fact for i, fact in enumerate(versions) if fact not in versions[:i])
        for seat, fact in self.to:
            if seat == viewer:
                return () if fact is None else (fact,)
        return () if self.fact is None else (self.fact,)


Play = Generator[Told, None, S]  # facts are yielded as they happen; the next state is returned


class Refusal(Enum):
    """Why a move may not be played: the name is the code, the value a rule and a sentence.

    A game lists its own in one subclass, `No`. They are constants, for a text that quoted the
    position could give it away.
    """

    def __init__(self, rule: str, says: str) -> None:
        self.rule, self.says = rule, says


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    places: tuple[int, ...]  # of each seat; 1 is best, equals share; all 2 where nobody wins
    scores: tuple[int, ...]
    why: str


class Tongue(Protocol):
    """A language, as gettext knows one: it says English templates in its own way."""

    def gettext(self, message: str, /) -> str: ...
    def ngettext(self, one: str, many: str, n: int, /) -> str: ...


class English:
    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return one if n == 1 else many


ENGLISH: Final = English()


class Said(Struct, frozen=True):
    """A sentence to be: an English template and what fills it, so that it can be said elsewhere.

    A placeholder whose name begins with `seat` holds a seat or a tuple of seats; it is filled with
    their names. A value that is a Said itself, a word or half a sentence, is said in the same
    language; any other stays as it is. The values of a tuple are listed with commas. With `many`,
    `template` is for a `count` of one, and `many` for all others.
    """

    template: str
    args: Mapping[str, Any] = {}
    many: str | None = None

    def sentence(self, names: Sequence[str], tongue: Tongue = ENGLISH) -> str:
        """The sentence, in English or another tongue. `names` are those of the seats, in order."""

        def filled(name: str, value: Any) -> Any:
            if isinstance(value, tuple):
                return ", ".join(str(filled(name, one)) for one in value)
            if isinstance(value, Said):
                return value.sentence(names, tongue)
            return names[value] if name.startswith("seat") else value

        args = {name: filled(name, value) for name, value in self.args.items()}
        if self.many is None:
            return tongue.gettext(self.template).format_map(args)
        return tongue.ngettext(self.template, self.many, self.args["count"]).format_map(args)


def because(why: str) -> Said:
    """Why a match is over, to be said: a number in it is a `{count}`."""
    found = re.search("[0-9]+", why)
    return Said(why.replace(found[0], "{count}"), {"count": int(found[0])}) if found else Said(why)


class Game(Protocol):
    """A game is a package that offers these names. Every function is pure.

    A *move* is all that a seat decides before it learns something new, so it may have many pieces
    (the tiles of a line, the colour named with a card). Three functions speak of moves and agree:

    `allows` judges any move that decodes, at any time, and never raises. It alone decides:
        "not your turn" first, what is merely unfinished last.
    `legal` lists the beginnings: the moves of one piece that are allowed or can be grown to be.
    `grow` lists what has one piece more than `move`, likewise; it takes any move that decodes.
        There are no dead ends, and from `legal` every allowed move is reached, up to how it is
        written: two moves that `words.write` writes alike are the same and do the same. No answer
        names a move twice; the order is the game's and always the same; under 1,000 moves.

    A seat that may do nothing has no beginnings. One that `to_act` names has at least one.

    Options, State, moves, facts and views are frozen Structs that forbid unknown fields; Move and
    Fact are unions of such Structs, tagged by `type`. A game that wants a good robot also offers
    `hint(view, seat, move) -> int`: how well this beginning or whole move looks to the seat that
    sees `view`; higher is better. One whose moves can be taken back offers `PLAIN`, some types of
    its facts: a move that uses no chance and tells facts of these types alone, to all alike, shows
    nobody what did not follow from what it saw before and from the move itself.
    One whose rules have changed offers `EARLIER`, the modules that it was: each a Game of the same
    NAME with its own RULES, by which matches that began so are folded for ever.
    One that wants a robot that searches offers two more:
    `imagine(view, seat, dice) -> State`: a whole state, dealt at random, that looks like `view` to
        this seat, for a match that is not over.
    `prospects(state) -> tuple[int, ...]`: how well each seat stands, higher is better, at the end
        too; what search compares.
    and, where weighing its moves one by one takes long, a third:
    `swift(view, seat) -> Move`: what a greedy robot would play, found fast; worlds are played on
        with it.
    """

    NAME: str  # as in `high-card`
    RULES: int  # the version of the rules; any change to a folded match raises it
    Options: Any  # limits stand on its fields; what crosses fields in __post_init__
    State: Any
    Move: Any  # named by imperative verbs
    Fact: Any  # named by past participles
    No: Any  # its subclass of Refusal
    words: Words

    def seats(self, options: Any) -> range: ...  # how many seats these options allow
    def setup(self, options: Any, seats: int, dice: Dice) -> Play[Any]: ...
    def to_act(self, state: Any) -> tuple[Seat, ...]: ...  # whom the match waits for
    def legal(self, state: Any, seat: Seat) -> Iterable[Any]: ...
    def grow(self, state: Any, seat: Seat, move: Any) -> Iterable[Any]: ...
    def allows(self, state: Any, seat: Seat, move: Any) -> Refusal | None: ...
    def apply(self, state: Any, seat: Seat, move: Any, dice: Dice) -> Play[Any]: ...
    def view(self, state: Any, viewer: Viewer) -> Struct: ...  # built up, never stripped down
    def outcome(self, state: Any) -> Outcome | None: ...
    def default(
        self, state: Any, seat: Seat
    ) -> Any: ...  # the move that stands in for an absent seat
    def __hash__(self) -> int: ...  # a module is itself: what reads it is made once


class Words(Protocol):
    """A game as text. None of these needs a state: whoever holds a log or a look can read it.

    `show` may be given more `names` than there are seats.
    A game that is to be translated lists in WHYS what `because` makes of the whys of its outcomes.
    """

    def write(self, move: Any) -> str: ...  # one line, the same however the pieces were ordered
    def read(self, text: str) -> Any: ...  # ValueError when it is no move
    def say(self, fact: Any) -> Said: ...
    def show(self, view: Any, names: Sequence[str]) -> str: ...  # the table, in a few lines


def whole(state: Any, seat: Seat, move: Any) -> Iterable[Any]:
    """`grow` for a game whose moves have one piece: `from engine.contract import whole as grow`."""
    return ()


def hear(play: Play[S]) -> tuple[S, tuple[Told, ...]]:
    """Run a play to its end: the state it returns and the facts on the way."""
    told: list[Told] = []
    while True:
        try:
            told.append(next(play))
        except StopIteration as end:
            return end.value, tuple(told)


def ranked(scores: Sequence[int], why: str, best: Sequence[Any] | None = None) -> Outcome:
    """Highest first, or by `best` where scores alone do not decide; equals share a place."""
    keys = scores if best is None else best
    return Outcome(tuple(1 + sum(k > mine for k in keys) for mine in keys), tuple(scores), why)


class once(Generic[T]):
    """A property that is worked out once per value. functools' takes a lock for that (till 3.12).

    For Structs with `dict=True`.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work, self._name = work, work.__name__

    def __get__(self, value: Any, kind: type) -> T:
        made = value.__dict__[self._name] = self._work(value)
        return made


def paired(
    wanted: Sequence[T], pool: Sequence[S], fits: Callable[[T, S], bool]
) -> list[int] | None:
    """For each thing wanted the place in the pool of one of its own that fits it, if that goes.

    The first free one; where none is left, others make way.
    """
    owner: dict[int, int] = {}

    def settle(i: int, tried: set[int]) -> bool:
        can = [j for j, one in enumerate(pool) if j not in tried and fits(wanted[i], one)]
        for j in sorted(can, key=owner.__contains__):
            if j in tried:
                continue
            tried.add(j)
            if j not in owner or settle(owner[j], tried):
                owner[j] = i
                return True
        return False

    if not all(settle(i, set()) for i in range(len(wanted))):
        return None
    places = {i: j for j, i in owner.items()}
    return [places[i] for i in range(len(wanted))]


def put(row: tuple[T, ...], i: int, x: T) -> tuple[T, ...]:
    """`row` with `x` at `i`."""
    return (*row[:i], x, *row[i + 1 :])
