"""Who stays away again and again has less time, until it moves by itself."""

from __future__ import annotations

import pytest
from msgspec import UNSET, Raw, ValidationError, convert

from engine import entries as e
from engine.look import look
from engine.match import Accepted, Match, encode
from engine.snapshot import load, save
from tests.engine.logs import after, dealt, offered, player, then

LESS = {"absent": {"after": 2, "seconds": 60}, "expiry": "default"}
MOVE = {"clock": {"type": "move", "seconds": 3600}}


def late(match: Match) -> Match:
    """Nobody comes until the time of whoever is waited for is up."""
    [seat] = match.to_act
    move = Raw(encode(match.game.default(match.state, seat)))
    match, verdict = then(match, e.Expired(seat, move), match.deadline(seat))
    assert isinstance(verdict, Accepted)
    return match


def waits(match: Match) -> int:
    """For how many seconds a match waits, as it stands."""
    [seat] = match.to_act
    return (match.deadline(seat) - match.holders[seat].since_at) // 1000


def missed(match: Match) -> list[int]:
    return [0 if seat.missed is UNSET else seat.missed for seat in look(match, None).seats]


def test_the_wait_is_shorter_after_so_many_absences_in_a_row():
    match, [seat] = (begun := after(*dealt(game="qwirkle", **LESS, **MOVE))), begun.to_act
    told = []
    for _ in range(6):
        told.append((waits(match), sum(missed(match))))
        match = late(match)
    assert told == [(3600, 0), (3600, 1), (3600, 2), (3600, 3), (60, 4), (60, 5)]
    assert load(save(match)) == match
    move = Raw(encode(match.game.default(match.state, seat)))
    match, _ = then(match, e.Played(seat, move, None))
    assert missed(match)[seat] == 0, "it is back"
    assert waits(match) == 60, "the other is not"
    assert waits(late(match)) == 3600


def test_a_new_player_and_one_who_comes_back_have_whole_time():
    match = after(*dealt(game="qwirkle", leave="random", **LESS, **MOVE))
    for _ in range(4):
        match = late(match)
    [seat] = match.to_act
    for what in (e.Replace(seat, player(5), None), e.Replace(seat, None, "random")):
        again = match
        for entry in (e.Proposed(1 - seat, what), e.Answered(seat, again.seq + 1, True)):
            again, verdict = then(again, entry)
            assert isinstance(verdict, Accepted), verdict
        again, _ = then(again, e.Seated(seat, what.player or again.holders[seat].player))
        assert (missed(again)[seat], waits(again)) == (0, 3600)


def test_without_such_a_policy_nothing_is_shown_or_shorter():
    match = after(*dealt(game="qwirkle", expiry="default", **MOVE))
    for _ in range(6):
        match = late(match)
    assert (missed(match), waits(match)) == ([0, 0], 3600)
    assert b"missed" not in encode(look(match, None))
    assert b"absent" not in e.encode(offered())


@pytest.mark.parametrize(
    "how",
    [
        {**LESS},
        {**LESS, "clock": {"type": "move", "seconds": 60}},
        {**LESS, "clock": {"type": "bank", "seconds": 3600, "increment": 0, "cap": 3600}},
        {"absent": LESS["absent"], **MOVE},
        {**LESS, "expiry": "claim", **MOVE},
        {"absent": {"after": 1, "seconds": 60}, "expiry": "default", **MOVE},
    ],
)
def test_what_shortens_nothing_is_no_policy(how):
    with pytest.raises(ValidationError):
        convert(how, e.Policy)
