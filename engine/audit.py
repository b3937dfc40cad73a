"""The audit: a finished match as one file, folded again, entry by entry, without a server.

Alone it proves that the file fits itself; with a kept head, that the entries up to it are those
that were shown then; with a kept entropy and commitment, that the deal came from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeVar

from msgspec import DecodeError, Meta, Raw, Struct, json

from engine import RELEASE
from engine import entries as e
from engine.contract import Outcome, Seat
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match, Verdict, commitment, encode, seed_of

T = TypeVar("T")
MEDIA_TYPE = "application/vnd.turnfold+json"
LARGEST = 64 * 2**20  # bytes of a bundle
ENTRY = 2**17  # characters of an entry in one: twice what a request can bring
MOST = 2 * e.LONGEST  # entries in one, with those that are refused since all is over
NAMES = 1000  # of an object
LOOSE = 8  # times as long as we write it may a verdict be: with spaces, and all characters escaped
Kind = Literal["ok", "unreadable", "gap", "time", "unknown", "head", "verdict"]


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry in a bundle; `entry` is its stored bytes as text."""

    seq: int
    at: e.Instant  # hashed as eight bytes
    entry: Annotated[str, Meta(max_length=ENTRY)]
    verdict: Raw
    head: str


class Bundle(Struct, frozen=True, forbid_unknown_fields=True):
    turnfold: Literal[1]
    match: str  # whatever it says: nothing proves it
    release: str
    game: str
    rules: int
    commitment: str
    seed: str | None
    outcome: Outcome | None
    entries: Annotated[tuple[Sealed, ...], Meta(max_length=MOST)]


class Judged(Struct, frozen=True):
    seq: int
    verdict: Kind
    draws: tuple[tuple[int, int], ...]  # each draw below n and its result, in order


class Fault(Struct, frozen=True):
    seq: int | None
    kind: str
    says: str


class Sat(Struct, frozen=True):
    seat: Seat
    player: str | None
    robot: str | None
    place: int


class Report(Struct, frozen=True):
    ok: bool
    entries: tuple[Judged, ...]
    faults: tuple[Fault, ...]
    head: str | None
    outcome: Outcome | None
    aborted: str | None  # why it ended without an outcome
    places: tuple[Sat, ...]


class Kept(Struct, frozen=True):
    """What somebody kept from the match, to hold against the bundle."""

    heads: Mapping[int, str] = {}
    entropies: tuple[str, ...] = ()
    commitment: str | None = None


class NoBundle(ValueError):
    """These bytes are no bundle, or one by rules that this release lacks."""


def bundle(name: str, folded: Iterable[tuple[Line, Match, bytes]]) -> bytes:
    """The file of a finished match: of each entry its line, the match then, and its verdict."""
    sealed, match = [], None
    for line, match, verdict in folded:
        text = line.raw.decode()
        sealed.append(Sealed(match.seq, line.at, text, Raw(verdict), match.head))
    if match is None or not match.over:
        raise ValueError("the match is not over")
    offered, seed = match.offered, match.seed
    return encode(
        Bundle(
            1,
            name,
            RELEASE,
            offered.game,
            offered.rules,
            commitment(offered),
            None if seed is None else seed.hex(),
            match.outcome,
            tuple(sealed),
        )
    )


def opened(raw: bytes) -> Bundle:
    """The bundle that these bytes hold, or NoBundle."""
    if len(raw) > LARGEST:
        raise NoBundle(f"a bundle has at most {LARGEST} bytes")
    try:
        file = _bundle.decode(raw)
        _once_named(raw)
    except NoBundle:
        raise
    except (ValueError, RecursionError) as error:
        raise NoBundle(f"this is not a bundle: {error}") from error
    return file


def _once_named(raw: bytes) -> None:
    """Of two values under one name a reader may take either: then nothing would be proved.

    Only the names are read: whole, in Python, a hostile file would take gigabytes and minutes.
    """
    names: list[set[str]] = []  # of each object that is open
    for found in _NAME.finditer(raw):
        if found[0] == b"{":
            names.append(set())
        elif found[0] == b"}":
            names.pop()
        elif found[2]:
            name = _text.decode(found[1])
            if name in names[-1]:
                raise NoBundle(f"this is not a bundle: it names {name!r} twice")
            names[-1].add(name)
            if len(names[-1]) > NAMES:
                raise NoBundle(f"this is not a bundle: it has an object of over {NAMES} names")


def audit(file: Bundle, kept: Kept = Kept()) -> Report:  # noqa: B008 (frozen)
    """Fold a bundle again and name whatever does not fit; NoBundle if its rules are lacking."""
    entries: list[Judged] = []
    faults: list[Fault] = []
    match: Match | None = None
    for sealed, before, after, judged, fault in _again(file):
        match = after or before
        entries.append(judged)
        if fault is not None:
            faults.append(fault)
        wanted = kept.heads.get(sealed.seq)
        if wanted is not None and (after is None or after.head != wanted):
            says = f"Entry {sealed.seq} or one before it is not what was shown when it was kept."
            faults.append(Fault(sealed.seq, "kept-head", says))
    known = {sealed.seq for sealed in file.entries}
    faults += [
        Fault(seq, "kept-head", f"The bundle has no entry {seq}.")
        for seq in kept.heads
        if seq not in known
    ]
    faults += _of_the_file(file, match, kept)
    return Report(
        not faults,
        tuple(entries),
        tuple(faults),
        None if match is None else match.head,
        None if match is None else match.outcome,
        None if match is None else match.aborted,
        () if match is None else _places(match),
    )


Step = tuple[Sealed, Match | None, Match | None, Judged, Fault | None]


def _again(file: Bundle) -> Iterator[Step]:
    """Each entry folded, with the first fault that applies to it. Ends where it cannot be read."""
    match: Match | None = None
    broken = False  # after the first fault of a head the later ones say nothing new
    for place, sealed in enumerate(file.entries, 1):
        line, draws = Line(sealed.at, sealed.entry.encode()), Draws()
        try:
            after, verdict = step(match, line, draws.roll)
        except e.Unknown as unknown:
            kind: Kind = "unknown" if _is_an_entry(line.raw) else "unreadable"
            if match is None and kind == "unknown":
                raise NoBundle(f"this release cannot fold it: {unknown}") from unknown
            says = f"Entry {sealed.seq} cannot be folded: {unknown}."
            judged = Judged(sealed.seq, kind, ())
            yield sealed, match, None, judged, Fault(sealed.seq, kind, says)
            return
        kind, says = _kind(place, match, sealed, after, verdict, broken)
        broken = broken or after.head != sealed.head
        fault = None if kind == "ok" else Fault(sealed.seq, kind, says)
        yield sealed, match, after, Judged(sealed.seq, kind, tuple(draws)), fault
        match = after


def _kind(
    place: int, before: Match | None, sealed: Sealed, after: Match, verdict: Verdict, broken: bool
) -> tuple[Kind, str]:
    """The first that applies to this entry, and a sentence."""
    if sealed.seq != place:
        return "gap", f"Entry {sealed.seq} stands where {place} should."
    if before is not None and sealed.at < before.at:
        return "time", f"Entry {place} is older than the one before it."
    if not broken and after.head != sealed.head:
        return "head", f"Entry {place}, its time or its head was changed."
    if not same(encode(verdict), sealed.verdict):
        return "verdict", f"Entry {place} folds to another verdict than is written."
    return "ok", ""


def same(one: bytes, two: bytes | Raw) -> bool:
    """Are these the same JSON value? In Python 1 and true are equal, so bytes are compared."""
    if len(memoryview(two)) > LOOSE * len(one):
        return False
    try:
        return _sorted(json.decode(one)) == _sorted(json.decode(two))
    except (DecodeError, RecursionError):
        return False


def _of_the_file(file: Bundle, match: Match | None, kept: Kept) -> Iterator[Fault]:
    """What does not fit about the file as a whole."""
    if match is None:
        yield Fault(None, "outcome", "The bundle has no entry that can be folded.")
        return
    offered, outcome = match.offered, match.outcome
    if (offered.game, offered.rules) != (file.game, file.rules):
        yield Fault(None, "game", "The bundle names another game or rules than its offer.")
    if commitment(offered) != file.commitment:
        yield Fault(None, "commitment", "The commitment is not that of the secret in the offer.")
    seed = None if match.seed is None else seed_of(match).hex()
    if seed != file.seed:
        yield Fault(None, "seed", "The seed does not come from the secret and the entropies.")
    if outcome != file.outcome or not match.over:
        yield Fault(None, "outcome", "The entries do not lead to the outcome that is written.")
    entropies = [holder.entropy for holder in match.holders]
    for entropy in kept.entropies:
        if entropy not in entropies:
            yield Fault(
                None, "kept-entropy", f"No seat of the match holds the entropy {entropy[:8]}…."
            )
    if kept.commitment not in (None, commitment(offered)):
        yield Fault(None, "kept-commitment", "The commitment is not the one that was kept.")


def _places(match: Match) -> tuple[Sat, ...]:
    if match.outcome is None:
        return ()
    return tuple(
        Sat(seat, holder.player, holder.robot, place)
        for (seat, holder), place in zip(
            enumerate(match.holders), match.outcome.places, strict=True
        )
    )


def _is_an_entry(raw: bytes) -> bool:
    try:
        return isinstance(json.decode(raw), dict)
    except (DecodeError, RecursionError):
        return False


class Draws(list[tuple[int, int]]):
    """The draws of one entry: below which number, and what came."""

    def roll(self, seed: bytes, k: int) -> Dice:
        return Recorded(seed, k, self)


class Recorded(Dice):
    """Dice that write down each draw; `shuffled` draws by `below`, so that it is written too."""

    def __init__(self, seed: bytes, k: int, draws: list[tuple[int, int]]) -> None:
        super().__init__(seed, k)
        self.draws = draws

    def below(self, n: int) -> int:
        x = super().below(n)
        if n > 1:
            self.draws.append((n, x))
        return x

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)


_NAME = re.compile(  # a string, with a colon if it is a name; or where an object begins or ends
    rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")[ \t\r\n]*+(:?)|[{}]', re.DOTALL
)
_text = json.Decoder(str)
_bundle = json.Decoder(Bundle)
_sorted = json.Encoder(order="sorted").encode
