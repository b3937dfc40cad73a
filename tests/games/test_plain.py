"""What can be taken back has shown nobody anything: in every world that fits what a viewer knew
before, such a move leads to the same look."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.look import look
from tests.games.matches import every_seat, hook, places, random_match
from tests.games.test_secrecy import After, Leaked, played, same, shown

PLAIN = sorted(name for name, game in GAMES.items() if getattr(game, "PLAIN", ()))
SEEDS = range(4)


def taken_back(name: str, seed: int):
    """Places in a match at which a move was made that can be taken back."""
    for before, then in places(GAMES[name], seed, some=60):
        entry = then and e.decode(then.raw)
        if isinstance(entry, e.Played):
            after: After = played(before, entry)
            if after[0].past and after[0].past[-1][0] == after[0].seq:
                yield before, entry, after[0]


def other_worlds(name: str, before, seed: int):
    dice = Dice(bytes(32), seed)
    for viewer in (None, *every_seat(before)):
        state = hook(GAMES[name], "redeal").redeal(before.state, viewer, dice)
        yield viewer, replace(before, state=state)


def nothing_learnt(name: str, seed: int) -> int:
    """How many such moves there were; Leaked if one showed somebody more than it knew."""
    moves = 0
    for before, entry, after in taken_back(name, seed):
        moves += 1
        for viewer, other in other_worlds(name, before, seed):
            there = played(other, entry)[0]
            same(
                shown(after, viewer), shown(there, viewer), f"what can be taken back, to {viewer},"
            )
    return moves


@pytest.mark.parametrize("name", PLAIN)
def test_in_no_world_has_anybody_learnt_something(name):
    assert sum(nothing_learnt(name, seed) for seed in SEEDS) >= 4


@pytest.mark.parametrize("name", PLAIN)
def test_all_looks_are_those_of_then(name):
    for seed in SEEDS:
        for before, entry, after in taken_back(name, seed):
            back = replace(after, state=after.past[-1][1])
            for viewer in (None, *every_seat(before)):
                seen = [look(match, viewer).view for match in (before, back)]
                assert seen[0] == seen[1]
            assert (back.rolls, entry.seat) == (before.rolls, entry.seat)


def test_a_fact_that_shows_a_face_is_not_plain(monkeypatch):
    """Were a draw of Captain Flip among them, these tests would say so."""
    game = GAMES["captain-flip"]
    monkeypatch.setattr(game, "PLAIN", (*game.Fact.__args__,))
    with pytest.raises(Leaked):
        sum(nothing_learnt("captain-flip", seed) for seed in SEEDS)


def test_games_that_name_none_have_no_way_back():
    for name in sorted(set(GAMES) - set(PLAIN)):
        steps = random_match(GAMES[name], 1)
        assert all(step.match.past == () for step in steps[:60])
