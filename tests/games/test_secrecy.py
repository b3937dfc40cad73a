"""No viewer learns what it may not know: two worlds, news that fits looks, disguises, two deals.

The other worlds are dealt by `tests/games/<package>/redeal.py`, written from the rules and not
from the game's `view`. Planted leaks show that these tests see leaks. TURNFOLD_SEEDS says in how
many matches each game's secrets are looked for: here 6, 21 with `turnfold check`, 200 with
TURNFOLD_LONG=1.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import Game, Viewer, hear
from engine.dice import Dice
from engine.fold import step
from engine.look import choices, heard, look, news, note
from engine.match import Accepted, Line, Match, Refused, Verdict, reader
from tests.games.matches import (
    START,
    command,
    drawn,
    every_seat,
    games,
    hook,
    places,
    pool,
    random_match,
    random_options,
    refused,
    seeds,
)
from tests.games.sabotage import Leak, names, plant

After = tuple[Match, Verdict]
SEEDS, FURTHER, SWAPS = range(6), range(6, 21), 100
MATCHES = int(os.environ.get("TURNFOLD_SEEDS") or (200 if os.environ.get("TURNFOLD_LONG") else 6))
BLANK = "0" * 64
SECRET = "so the game has secrets: write redeal.py and leaks.py, as docs/games.md shows"


class Leaked(AssertionError):
    """A viewer could tell apart what it may not."""


def same(one: Any, two: Any, what: str) -> None:
    if one != two:
        raise Leaked(f"a leak: {what} says which of two worlds is true: {apart(one, two)}")


def who(viewer: Viewer) -> str:
    return "a watcher" if viewer is None else f"seat {viewer}"


def apart(one: Any, two: Any) -> str:
    """Where two answers begin to differ."""
    texts = [each.decode() if isinstance(each, bytes) else str(each) for each in (one, two)]
    alike = next((i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
    i = max(alike - 30, 0)
    return " or ".join(f"…{text[i : i + 60]}…" for text in texts)


# What a viewer receives, byte for byte, with heads blanked: they are keyed


def shown(match: Match, viewer: Viewer) -> bytes:
    return json.encode(replace(look(match, viewer, "0-match"), head=BLANK))


def told(after: After, viewer: Viewer) -> bytes:
    return json.encode(replace(news(note(after[0]), after[1], viewer), head=BLANK))


def played(match: Match, entry: e.Entry) -> After:
    return step(match, Line(match.at + 1, e.encode(entry)))


Got = tuple[bytes, bytes]  # what is heard of an entry, and seen after it


def got(after: After, viewer: Viewer) -> Got:
    return told(after, viewer), shown(after[0], viewer)


def news_fits_looks(viewer: Viewer, one: After, two: After, known: Got | None = None) -> None:
    """Who hears the same of both sees the same after both, and the other way round; `known` is
    what is got of `one`, if somebody knows."""
    if isinstance(one[1], Accepted) and isinstance(two[1], Accepted):
        hears, sees = zip(known or got(one, viewer), got(two, viewer), strict=True)
        if hears[0] == hears[1] and sees[0] != sees[1]:
            raise Leaked(
                f"the look of {who(viewer)} shows what no fact told: it is {apart(*sees)}, and "
                f"heard was {listed(facts(one, viewer))}. Tell it in `apply`, or show less"
            )
        if sees[0] == sees[1] and hears[0] != hears[1]:
            raise Leaked(
                f"a fact told {who(viewer)} what no look shows: heard was "
                f"{unlike(facts(one, viewer), facts(two, viewer))}, and both look: "
                f"{brief(one[0].game.view(one[0].state, viewer))}. Show it in `view`, or tell less"
            )


def facts(after: After, viewer: Viewer) -> tuple[Any, ...]:
    """What the game tells a viewer, without the offer, the seats taken and who was dealt in."""
    opening = e.MatchOffered, e.MatchJoined, e.MatchDealt
    return tuple(fact for fact in heard(after[1], viewer) if not isinstance(fact, opening))


def listed(some: Iterable[Any]) -> str:
    return brief(", ".join(map(str, some)) or "nothing")


def unlike(one: tuple[Any, ...], two: tuple[Any, ...]) -> str:
    """The facts of either world that the other has not, in their places."""
    pairs = [pair for pair in zip_longest(one, two) if pair[0] != pair[1]]
    ways = [listed(fact for fact in side if fact is not None) for side in zip(*pairs, strict=True)]
    return " or ".join(ways) or "the same, but for whose turn it is or how it ended"


def brief(what: Any, most: int = 300) -> str:
    text = str(what)
    return text if len(text) <= most else f"{text[:most]}…"


# The four checks; each raises Leaked


def two_worlds(game: Game, seed: int) -> None:
    """What a viewer cannot know, dealt anew: not a byte that it receives changes."""
    for match, then, viewer, other in worlds(game, seed):
        same(shown(match, viewer), shown(other, viewer), f"`view`, the look of {who(viewer)},")
        if viewer is not None:  # a watcher sees what every seat may see
            same(shown(match, None), shown(other, None), "`view`, the look of a watcher,")
        if then is not None and not refused((one := step(match, then))[1]):
            news_fits_looks(viewer, one, step(other, then))


def two_judgements(game: Game, seed: int) -> None:
    """In both of these worlds a seat is offered the same, and refused the same, for whatever move
    it begins or sends."""
    for match, _, viewer, other in worlds(game, seed):
        if viewer is not None:
            judged_alike(viewer, pool(game, seed), match, other)


def judged_alike(seat: int, moves: Iterable[Any], match: Match, other: Match) -> None:
    """Moves, be they allowed or not, in the making and as sent."""
    refusals = set()  # one look after each: a refusal leaves the state what it was
    for move in moves:
        ways = [json.encode(choices(world, seat, move)) for world in (match, other)]
        same(*ways, f"`legal` or `grow` of seat {seat}")
        one, two = (played(world, command(seat, move)) for world in (match, other))
        if refused(one[1]) or refused(two[1]):
            same(one[1], two[1], f"`allows` for seat {seat}")
            assert (one[0].state, two[0].state) == (match.state, other.state)
            if one[1] not in refusals:
                looks = [shown(after, seat) for after, _ in (one, two)]
                same(*looks, f"the look of {seat} after a refusal")
            refusals.add(one[1])
        news_fits_looks(seat, one, two)


World = tuple[Match, Line | None, Viewer, Match]


@lru_cache(maxsize=64)
def worlds(game: Game, seed: int, some: int = 14) -> tuple[World, ...]:
    """Places in a match, and for some viewers another world that fits what they may know."""
    chance, dice = random.Random(seed), Dice(bytes(32), seed)
    return tuple(
        (match, then, viewer, replace(match, state=redealt(match, viewer, dice)))
        for match, then in places(game, seed, some)
        for viewer in (None, *two_seats(match, chance))
    )


def redealt(match: Match, viewer: Viewer, dice: Dice) -> Any:
    return hook(match.game, "redeal").redeal(match.state, viewer, dice)


def two_seats(match: Match, chance: random.Random) -> list[int]:
    """One that must act, for it is shown most, and one of the others."""
    seats = [*every_seat(match)]
    one = chance.choice(match.to_act or seats)
    seats.remove(one)
    return [one, *chance.sample(seats, min(1, len(seats)))]


def disguise(game: Game, seed: int) -> None:
    """The same public move with other hidden contents is heard and seen alike by all others."""
    dice = Dice(bytes(32), seed)
    for match, then in places(game, seed, some=40):
        entry = then and e.decode(then.raw)
        if not isinstance(entry, e.Played) or refused(step(match, then)[1]):
            continue
        move = reader(game.Move).decode(entry.move)
        secret = hook(game, "redeal").disguise(match.state, entry.seat, move, dice)
        one, two = (played(match, command(entry.seat, way)) for way in (move, secret))
        assert not refused(two[1]), f"`disguise`: it gives a move that is refused: {secret}"
        for viewer in (None, *every_seat(match)):
            if viewer != entry.seat:
                hears = [told(way, viewer) for way in (one, two)]
                sees = [shown(way[0], viewer) for way in (one, two)]
                same(*hears, f"`apply`, what {who(viewer)} hears of the move,")
                same(*sees, f"`view`, what {who(viewer)} sees of the move,")


class Rigged(Dice):
    """Dice that swap two places of every shuffle."""

    def __init__(self, seed: bytes, k: int, one: int, two: int) -> None:
        super().__init__(seed, k)
        self.swap = one, two

    def shuffled(self, items):
        deck = list(super().shuffled(items))
        i, j = (place % len(deck) for place in self.swap)
        deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)


def two_deals(game: Game, seed: int) -> None:
    """Before setup there is no state to deal anew; so two places of its shuffles are swapped."""
    chance = random.Random(seed)
    options = random_options(game, chance)
    chairs, raw = ("random",) * chance.choice(game.seats(options)), Raw(e.encode(options))
    secret, policy = drawn("deal", seed), e.Policy(order="joined")
    offer = e.Offered(e.FORMAT, game.NAME, game.RULES, raw, None, chairs, policy, secret)

    def dealt(*swap: int) -> After:
        line = Line(START, e.encode(offer))
        return step(None, line, lambda seed, k: Rigged(seed, k, *swap))

    plain = dealt(0, 0)
    known = {viewer: got(plain, viewer) for viewer in (None, 0, len(chairs) - 1)}
    for _ in range(SWAPS):
        other = dealt(chance.randrange(200), chance.randrange(200))
        for viewer, of_plain in known.items():
            news_fits_looks(viewer, plain, other, of_plain)


def face_up(game: Game) -> bool:
    """Whether nothing is hidden from anybody: a game says so by having no redeal."""
    return hook(game, "redeal") is None


def named(games: Iterable[Game]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", list(games), ids=lambda game: game.NAME)


CHECKS: tuple[Callable[[Game, int], None], ...] = (  # the dearest at the end
    two_worlds,
    disguise,
    two_deals,
    two_judgements,
)


secretive = named(game for game in GAMES.values() if not face_up(game))
open_games = named(game for game in GAMES.values() if face_up(game))


@secretive
@pytest.mark.parametrize("seed", range(MATCHES))
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_no_leak(game, check, seed):
    check(game, seed)


# Games without secrets


@open_games
@seeds
def test_a_game_without_redeal_hides_nothing(game, seed):
    for _, match, verdict in random_match(game, seed):
        if match.state is not None and not refused(verdict):
            seen = {json.encode(game.view(match.state, v)) for v in (None, *every_seat(match))}
            assert len(seen) == 1, f"`view`: not all see the same: {SECRET}"
            assert not any(told.to for told in verdict.told), f"not all hear the same: {SECRET}"


@open_games
def test_a_game_without_redeal_has_no_secret_of_its_own(game):
    """Deals that look alike are alike: there is no deck of which nobody knows the order."""
    dealt = {}
    for seed in range(50):
        options = game.Options()
        state, _ = hear(game.setup(options, game.seats(options)[0], Dice(bytes(32), seed)))
        seen, whole = json.encode(game.view(state, None)), json.encode(state)
        assert dealt.setdefault(seen, whole) == whole, f"`view`: it shows not all: {SECRET}"


# The tests see leaks


def leaks_of(game: Game) -> list[Leak]:
    return getattr(hook(game, "leaks"), "LEAKS", [])


SEARCH = [(check, seed) for seed in SEEDS for check in CHECKS]
SEARCH += [(check, seed) for check in CHECKS for seed in FURTHER]
PLANTED = [(game, leak) for game in GAMES.values() for leak in leaks_of(game)]


@pytest.mark.parametrize(
    ("game", "leak"), PLANTED, ids=[f"{game.NAME}: {leak.says}" for game, leak in PLANTED]
)
def test_a_planted_leak_is_caught(game, leak):
    honest = names(game)
    caught = any(seen_to_leak(game, leak, check, seed) for check, seed in SEARCH)
    assert caught, f"`redeal`: nothing tells that {leak.says}. {missed(game, leak)}"
    assert not [at for at, value in names(game).items() if value is not honest[at]]  # it is gone


def seen_to_leak(game: Game, leak: Leak, check: Callable[[Game, int], None], seed: int) -> bool:
    worlds(game, seed)  # honest ones, before anything leaks
    with plant(game, leak):
        return leaks(check, game, seed)


def missed(game: Game, leak: Leak) -> str:
    """How near the first of the four checks came to what none of them saw."""
    found = [(m, then, other) for seed in SEEDS for m, then, _, other in worlds(game, seed) if then]
    before = [step(m, then)[1] for m, then, _ in found]
    with plant(game, leak):
        after = [step(m, then)[1] for m, then, _ in found]
        told = [at for at, was, now in zip(found, before, after, strict=True) if was != now]
        kept = sum(not refused(step(other, then)[1]) for _, then, other in told)
    if not told:
        return f"In {len(found)} places no fact was another: is it in what these matches come to?"
    return (
        f"In {len(told)} of {len(found)} places such a fact was told; in {kept} of these redeal "
        "kept the move possible. It must now and then leave the mover what it is about to play"
    )


def leaks(check: Callable[[Game, int], None], game: Game, seed: int) -> bool:
    try:
        check(game, seed)
    except Leaked:
        return True
    return False


@secretive
def test_every_game_has_leaks_of_its_own(game):
    listed = leaks_of(game)
    assert len(listed) >= 8, "leaks.py: plant eight leaks or more, to see that they are caught"
    assert len({leak.says for leak in listed}) == len(listed), "leaks.py: two say the same"


@secretive
@seeds
def test_the_other_world_is_another(game, seed):
    found = list(worlds(game, seed))
    others = [(viewer, m, other) for m, _, viewer, other in found if other.state != m.state]
    few = len(others) < len(found) // 3
    assert not few, "`redeal`: it gives the same state nearly always; let it deal anew"
    for viewer, match, other in others:  # and what is hidden is in no look, whole as it lies there
        for name in match.state.__struct_fields__:
            hidden = json.encode(getattr(match.state, name))
            if hidden != json.encode(getattr(other.state, name)) and len(hidden) > 30:
                assert hidden not in shown(match, viewer), f"a look shows the whole of {name}"


# Secrets of the log


@games
@seeds
def test_no_secret_of_the_log_is_heard_or_seen_before_the_end(game, seed):
    for _, match, verdict in random_match(game, seed):
        if match.over:
            break
        heard = json.encode([news(note(match), verdict, v) for v in (None, *every_seat(match))])
        sees = json.encode([look(match, v) for v in (None, *every_seat(match))])
        entropies = [holder.entropy for holder in match.holders if holder.entropy]
        seed_ = match.seed.hex() if match.seed else match.offered.secret
        for secret in (match.offered.secret, seed_, match.digest.hex(), *entropies):
            assert len(secret) == 64
            assert secret[:16].encode() not in heard + sees


@games
def test_heads_are_keyed(game):
    """They differ between worlds, for the log is another; without the secret they say nothing."""
    match = random_match(game, 0)[-1].match
    others = [sha256(match.digest).hexdigest(), match.digest.hex()]
    for secret in (drawn("another"), drawn("a third")):
        offered = replace(match.offered, secret=secret)
        other = replace(match, offered=offered)
        assert other.digest == match.digest  # the same log, under another secret
        others.append(other.head)
    assert len({match.head, *others}) == 5
    assert match.head == replace(match, state=None, holders=()).head  # of the log alone


@games
def test_a_refused_entry_is_heard_by_nobody(game):
    for _, match, verdict in random_match(game, 1):
        if isinstance(verdict, Refused):
            for viewer in (None, *every_seat(match)):
                assert news(note(match), verdict, viewer).facts == ()
