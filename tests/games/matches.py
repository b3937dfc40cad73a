"""Random matches of any game, and places in them: what the suites of this folder look at.

`python -m tests.games.matches GAME SEED` prints what such a match comes to, byte for byte.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from importlib import import_module
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import DecodeError, Raw, ValidationError, convert, json
from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import OPEN, Game
from engine.dice import Dice
from engine.fold import step
from engine.look import heard, look
from engine.match import Accepted, Line, Match, Refused, Verdict, reader
from engine.robots import ROBOTS, greedy, stroll
from services.guests import invite

START, SECOND = 1_700_000_000_000, 1000
LIMIT = 20_000  # entries within which a random match ends
JUNK = (
    b"null",
    b"{}",
    b"[]",
    b"7",
    b'"fly"',
    b'{"type":"fly"}',
    b'{"type":[]}',
    b'{"type":"play"}',
)

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
seeds = pytest.mark.parametrize("seed", range(6))


class Step(NamedTuple):
    """An entry of a match, with the match and the verdict after it."""

    line: Line
    match: Match
    verdict: Verdict


def home(game: Game) -> str:
    """The package of its tests: one of this folder or, of a guest, `tests` in its own."""
    _, ours, name = game.__name__.rpartition("engine.games.")
    return f"tests.games.{name}" if ours else f"{game.__name__}.tests"


def folder(game: Game) -> Path:
    here, guest = Path(__file__).parent, Path(game.__file__).parent
    return guest / "tests" if home(game).startswith(game.__name__) else here / guest.name


def hook(game: Game, name: str) -> Any:
    """What the tests know of this game: a module of that folder, or None."""
    there = (folder(game) / f"{name}.py").exists()
    return import_module(f"{home(game)}.{name}") if there else None


def drawn(*words: Any) -> str:
    return sha256(" ".join(map(str, words)).encode()).hexdigest()


# A match


@lru_cache(maxsize=64)
def random_match(game: Game, seed: int) -> tuple[Step, ...]:
    """Random seats, options, policy and moves; some of the entries are refused.

    Where chance alone hardly gets a game on, its `short.py` says what share of the moves of nine
    in ten matches is greedy. A seat that is not waited for acts now and then, if it may.
    """
    chance, dice = random.Random(f"{game.NAME} {seed}"), Dice(bytes(32), seed)
    sense = getattr(hook(game, "short"), "SENSE", 0) if seed % 10 else 0
    steps: list[Step] = []

    def put(entry: e.Entry) -> Match:
        match = steps[-1].match if steps else None
        at = START if match is None else match.at + chance.randrange(3 * SECOND)
        line = Line(at, e.encode(entry))
        steps.append(Step(line, *step(match, line)))
        return steps[-1].match

    match = put(random_offer(game, seed, chance))
    while match.state is None:
        match = put(wrong(match, chance) if chance.random() < 0.2 else joining(match, chance))
    while not match.over and len(steps) < LIMIT:
        luck = chance.random()
        if luck < 0.1:
            match = put(wrong(match, chance))
            continue
        able = active(match) if luck < 0.2 else match.to_act
        assert able, "`to_act`, `legal`: nobody is waited for, and the match is not over"
        seat = chance.choice(able)
        move = (greedy if chance.random() < sense else stroll)(game, match.state, seat, dice)
        match = put(command(seat, move))
    return tuple(steps)


def robot_match(game: Game, offered: e.Offered, robot: str, seed: str) -> Iterator[Step]:
    """What was offered, with robots of one kind at every seat, entry by entry to its end.

    Or as far as a house would let it go on.
    """
    chance, dice = random.Random(seed), Dice(bytes.fromhex(drawn(seed)), 0)
    line = Line(1, e.encode(replace(offered, seats=(robot,) * len(offered.seats))))
    match, verdict = step(None, line)
    yield Step(line, match, verdict)
    while not match.over and match.seq < e.LONGEST - 1:
        seat = chance.choice(match.to_act)
        move = ROBOTS[robot](game, match.state, seat, dice)
        line = Line(match.at + 1, e.encode(command(seat, move)))
        match, verdict = step(match, line)
        assert isinstance(verdict, Accepted), verdict
        yield Step(line, match, verdict)


def joining(match: Match, chance: random.Random) -> e.Joined:
    chair = chance.choice([h.chair for h in match.holders if h.open])
    seated = {holder.player for holder in match.holders}
    who = next(n for n in range(64) if player(n) not in seated)
    return e.Joined(chair, player(who), drawn("entropy", chance.random()))


def player(n: int) -> str:
    return chr(ord("a") + n // 8) * 15 + chr(ord("a") + n % 8)


def active(match: Match) -> list[int]:
    """The seats that may do something."""
    every = range(len(match.holders))
    return [seat for seat in every if any(True for _ in match.game.legal(match.state, seat))]


def command(seat: int, move: Any) -> e.Played:
    return e.Played(seat, Raw(e.encode(move)), None)


def random_offer(game: Game, seed: int, chance: random.Random) -> e.Offered:
    options = random_options(game, chance) if seed % 3 else game.Options()
    if brief := getattr(hook(game, "short"), "short", None):
        options = brief(options)  # a game whose random matches would hardly end says how
    n = chance.choice(game.seats(options))
    chairs = tuple(chance.choice([None, None, None, "random", "greedy"]) for _ in range(n))
    policy = e.Policy(
        clock=chance.choice([None, e.PerMove(60)]),
        leave=chance.choice(["random", "greedy"]),  # so that who resigns does not end it
        order=chance.choice(["shuffled", "joined"]),
    )
    raw, secret = Raw(e.encode(options)), drawn("secret", seed)
    return e.Offered(e.FORMAT, game.NAME, game.RULES, raw, None, chairs, policy, secret)


def wrong(match: Match, chance: random.Random) -> e.Entry:
    """An entry that is most likely refused."""
    n = len(match.holders)
    seat = chance.randrange(-1, n + 1)
    entries = [
        e.Played(seat, Raw(chance.choice(JUNK)), None),
        e.Joined(seat, player(chance.randrange(n)), drawn("late")),
        e.Left(seat),
        e.Expired(seat),
        e.Aborted(chance.choice(["unfilled", "too-long"])),
        match.offered,
    ]
    if match.state is not None:
        mine = list(match.game.legal(match.state, chance.choice(active(match))))
        entries += [command(seat, chance.choice(mine)), e.Aborted("withdrawn")]
        entries += [e.Resigned(seat)] * (chance.random() < 0.3)
    return chance.choice(entries)


# Options


def random_options(game: Game, chance: random.Random) -> Any:
    """Drawn from the schema alone; what crosses fields may send us back."""
    schema = json.schema(game.Options)
    fields = schema["$defs"]["Options"]["properties"]
    for _ in range(1000):
        values = {name: random_value(field, schema, chance) for name, field in fields.items()}
        try:
            return convert(values, game.Options)
        except ValidationError:
            continue
    raise AssertionError("no random options are allowed")


def random_value(field: Any, schema: Any, chance: random.Random) -> Any:
    match field:
        case {"$ref": ref}:
            return random_value(schema["$defs"][ref.rsplit("/", 1)[-1]], schema, chance)
        case {"anyOf": ways}:
            return random_value(chance.choice(ways), schema, chance)
        case {"enum": values}:
            return chance.choice(values)
        case {"type": "boolean"}:
            return chance.random() < 0.5
        case {"type": "null"}:
            return None
        case {"type": "integer", "minimum": low, "maximum": high}:
            return chance.choice([low, field.get("default", low), high, chance.randint(low, high)])
        case {"type": "array", "items": item, "minItems": low, "maxItems": high}:
            return [random_value(item, schema, chance) for _ in range(chance.randint(low, high))]
    raise AssertionError(f"an option without limits: {field}")


# Places in a match


class Place(NamedTuple):
    """A match that is dealt, and the entry that follows; none after the last."""

    match: Match
    then: Line | None


def places(game: Game, seed: int, some: int = 12) -> list[Place]:
    """About so many places of one match: before each kind of thing that happens, rare ones too."""
    steps = random_match(game, seed)
    dealt = next(i for i, step in enumerate(steps) if step.match.state is not None)
    happens = [happened(step.verdict) for step in steps]
    often = Counter(chain.from_iterable(happens))
    chance, kinds, every = random.Random(seed), {}, range(dealt, len(steps) - 1)
    for i in every:
        kinds.setdefault(min(happens[i + 1], key=often.__getitem__), []).append(i)
    share = max(1, some // max(1, len(kinds)))
    keep = {i for each in kinds.values() for i in chance.sample(each, min(share, len(each)))}
    others = [i for i in every if i not in keep]
    keep.update(chance.sample(others, min(max(0, some - len(keep)), len(others))))
    places = [Place(step.match, then.line) for step, then in pairwise(steps)]
    places.append(Place(steps[-1].match, None))
    return [places[i] for i in sorted({dealt, *keep, len(steps) - 1})]


def happened(verdict: Verdict) -> list[str]:
    """The kinds of facts that were told of an entry, or that it was refused."""
    if isinstance(verdict, Refused):
        return ["Refused"]
    return [type(fact).__name__ for fact in heard(verdict, OPEN)]


@cache
def pool(game: Game, seed: int, most: int = 60) -> tuple[Any, ...]:
    """Moves from all over a match, and what becomes of them when their pieces are mixed."""
    chance = random.Random(seed)
    raws = [step.line.raw for step in random_match(game, seed)]
    trees = [tree["move"] for raw in raws if (tree := json.decode(raw))["type"] == "played"]
    trees = [tree for tree in trees if readable(game, tree) is not None]
    trees = chance.sample(trees, min(most, len(trees)))
    bent = [bend(chance.choice(trees), trees, chance) for _ in trees]
    moves = {game.words.write(m): m for tree in trees + bent if (m := readable(game, tree))}
    return tuple(moves.values())


def readable(game: Game, tree: Any) -> Any:
    try:
        return reader(game.Move).decode(json.encode(tree))
    except DecodeError:
        return None


def bend(tree: dict[str, Any], trees: list[Any], chance: random.Random) -> dict[str, Any]:
    """`tree` with a list shuffled, cut or mended from another move, or a field of another."""
    tree, other = dict(tree), chance.choice(trees)
    name = chance.choice([*tree])
    if isinstance(tree[name], list) and isinstance(other.get(name), list):
        pieces = chance.choice([tree[name], tree[name] + other[name], tree[name][:-1]])
        tree[name] = chance.sample(pieces, len(pieces))
    elif name in other:
        tree[name] = other[name]
    return tree


def every_seat(match: Match) -> range:
    return range(len(match.holders))


def refused(verdict: Verdict) -> bool:
    return isinstance(verdict, Refused)


def bytes_of(game: Game, seed: int) -> Iterator[str]:
    """All that a match comes to, some of it as hashes."""
    for line, match, verdict in random_match(game, seed):
        looks = [look(match, viewer) for viewer in (None, *every_seat(match))]
        yield f"{sha256(line.raw + e.encode(verdict)).hexdigest()} {drawn(e.encode(looks))}"
    yield e.encode(match).decode()


if __name__ == "__main__":
    invite()
    print("\n".join(bytes_of(GAMES[sys.argv[1]], int(sys.argv[2]))))
