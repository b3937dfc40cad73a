"""Banks, and what a table has agreed on for a seat whose time is up."""

from __future__ import annotations

import pytest
from msgspec import Raw, ValidationError, convert, json

from engine import entries as e
from engine.catalogue import GAMES
from engine.fold import fold, restamped, step
from engine.look import look
from engine.match import Accepted, Line, Match, Refused, encode
from engine.snapshot import load, save
from tests.engine.logs import SECOND, START, after, dealt, joined, lines, offered, played, then
from tests.engine.test_branch import branched
from tests.engine.test_clocks import CLOCK as MOVE
from tests.engine.test_clocks import HOUR, code, left, stopped

BANK = {"clock": {"type": "bank", "seconds": 100, "increment": 10, "cap": 120}}
TRADE, KEEP = (Raw(b'{"type":"%s"}' % move) for move in (b"trade", b"keep"))


def at(match: Match, entry: e.Entry, second: float) -> Match:
    """The match after this, so many seconds after the offer."""
    match, verdict = then(match, entry, START + int(second * SECOND))
    assert isinstance(verdict, Accepted), verdict
    return match


def banks(match: Match) -> list[float]:
    assert match.banks is not None
    return [ms / SECOND for ms in match.banks]


# Banks


def test_a_wait_is_taken_off_a_bank_and_a_move_adds_to_it(bells):
    match = after(*dealt(2, game="bells", **BANK))  # both are waited for since second 2
    assert (banks(match), left(match)) == ([100, 100], [102, 102])
    match = at(match, played(0, "tap"), 32)  # 30 s
    assert (banks(match), left(match)) == ([80, 100], [112, 102])
    match = at(match, played(0, "rest"), 40)
    assert (banks(match), left(match)) == ([82, 100], [None, 102])
    match = at(match, played(1, "wake"), 42)
    assert (banks(match), left(match)) == ([82, 70], [124, 112])


def test_a_bank_has_a_cap_and_is_never_below_nothing(bells):
    match = after(*dealt(2, game="bells", **BANK))
    for _ in range(4):
        match = at(match, played(0, "tap"), (match.at - START) / SECOND)
    assert banks(match) == [120, 100]
    match = at(match, played(1, "tap"), 500)  # late, and yet in time
    assert (banks(match), left(match)) == ([120, 10], [122, 510])


def test_whose_wait_others_end_is_charged_and_gets_nothing(bells, monkeypatch):
    match = after(*dealt(2, game="bells", **BANK))
    monkeypatch.setattr(bells, "to_act", lambda s: (0,))
    assert banks(at(match, played(0, "tap"), 12)) == [100, 90]


def test_what_stood_still_is_not_taken_off_whenever_it_is_said():
    match = after(*dealt(**BANK))
    early = at(at(match, stopped(10, 20), 30), played(0, "trade"), 42)
    late = at(at(match, played(0, "trade"), 42), stopped(10, 20), 43)
    assert banks(early) == banks(late) == [80, 100]
    assert code(late, stopped(10, 20)) == "NO_CLOCK"
    both = at(at(match, played(0, "trade"), 42), stopped(32, 52), 60)
    assert (banks(both), left(both)) == ([80, 100], [None, 152])


def test_robots_and_branches_have_no_bank_to_spend():
    match = after(offered(None, "greedy", **BANK), joined(0))
    match = at(at(match, played(0, "trade"), 11), played(1, "keep"), 500)
    assert (banks(match), match.over) == ([100, 100], True)
    match = after(*dealt(**BANK), branched(3))
    assert left(at(match, played(0, "trade"), 50)) == [None, None]


def test_a_cap_below_the_start_is_no_bank():
    with pytest.raises(ValidationError, match="cap"):
        convert(BANK["clock"] | {"cap": 99}, e.Bank)


def test_a_bank_survives_a_snapshot_and_another_guess_of_the_time(bells):
    log = lines(
        *dealt(2, game="bells", **BANK), played(0, "tap"), stopped(2.5, 3), played(1, "tap")
    )
    match = fold(log)
    assert load(save(match)) == match
    for cut in (3, 4):
        before, tap = load(save(fold(log[:cut]))), e.encode(played(0, "tap"))
        guess, true = (Line(before.at + ms, tap) for ms in (1000, 7777))
        assert restamped(before, step(before, guess)[0], true) == step(before, true)[0]


def test_a_look_says_what_all_have():
    match = at(after(*dealt(**BANK)), played(0, "trade"), 12)
    for viewer in (0, 1, None):
        seen = look(match, viewer)
        assert (seen.bank, seen.deadline) == ((100_000, 100_000), (None, START + 112_000))
    assert look(after(offered(**BANK)), None).bank is None
    assert look(after(*dealt(**MOVE)), None).bank is None


def test_whose_bank_is_empty_is_out():
    match = after(*dealt(**BANK))
    assert code(match, e.Expired(0), START + 102_000 - 1) == "TOO_EARLY"
    assert at(match, e.Expired(0), 102).outcome.why == "expired"


# A move for the absent


@pytest.mark.parametrize("expiry", ["default", "greedy"])
def test_a_move_is_made_for_a_seat_that_stays_whose_it_is(expiry):
    match = after(*dealt(expiry=expiry, **MOVE))
    move = Raw(encode(GAMES["high-card"].default(match.state, 0)))
    moved, verdict = then(match, e.Expired(0, move), START + 62_000)
    assert verdict.told[0].fact == e.MatchExpired(0, "played")
    really, played_verdict = then(match, e.Played(0, move, None), START + 62_000)
    assert verdict.told[1:] == played_verdict.told
    assert (moved.state, moved.rolls, moved.to_act) == (really.state, really.rolls, (1,))
    assert (moved.holders[0].gone, moved.holders[0].robot) == (None, None)
    assert moved.deadline(1) == START + 122_000


def test_it_uses_the_dice_of_its_entry_and_the_next_wait_is_a_fresh_one(bells):
    match = after(*dealt(2, game="bells", expiry="greedy", **MOVE))
    ring = Raw(b'{"type":"ring"}')
    rung = at(match, e.Expired(0, ring), 62)
    assert (rung.state, rung.rolls) == (at(match, e.Played(0, ring, None), 62).state, 1)
    assert (rung.holders[0].since, left(rung)) == (4, [122, 62])
    match = after(*dealt(2, game="bells", expiry="greedy", **BANK))
    assert banks(at(match, e.Expired(0, ring), 102)) == [10, 100]


def test_only_what_the_table_wants_is_played():
    table = {expiry: after(*dealt(expiry=expiry, **MOVE)) for expiry in ("default", "greedy")}
    usual = GAMES["high-card"].default(table["default"].state, 0)
    other = next(move for move in (KEEP, TRADE) if bytes(move) != encode(usual))
    assert code(table["default"], e.Expired(0, other)) == "STAND_IN"
    assert code(table["greedy"], e.Expired(0, other)) is None
    for match in table.values():
        assert code(match, e.Expired(0)) == "STAND_IN"
        assert code(match, e.Expired(0, KEEP), START + 62_000 - 1) == "TOO_EARLY"
        assert code(match, e.Expired(1, KEEP)) == "TOO_EARLY"
    assert code(table["greedy"], e.Expired(0, Raw(b"7"))) == "UNREADABLE"
    for policy in ({}, {"expiry": "claim"}):
        assert code(after(*dealt(**policy, **MOVE)), e.Expired(0, KEEP)) == "STAND_IN"


# Claims

CLAIM = [*dealt(3, expiry="claim", **MOVE)]


def test_an_expiry_alone_does_nothing_visibly():
    match = after(*CLAIM)
    late, verdict = then(match, e.Expired(0), HOUR)
    assert [told.fact for told in verdict.told] == [e.MatchExpired(0, "claim")]
    assert (late.over, late.to_act, late.holders[0].gone) == (False, (0,), None)
    assert look(late, 1).claimable == (0,)
    assert look(late, 1).deadline == look(match, 1).deadline
    assert (match.due, late.due) == (match.deadline(0), None), "nobody has to look after it"
    assert code(late, e.Expired(0)) == "SAID"


def test_who_claims_has_the_absent_leave():
    late = at(after(*CLAIM), e.Expired(0), 3600)
    over, verdict = then(late, e.Claimed(0, 2))
    assert verdict.told[0].fact == e.MatchClaimed(0, 2)
    assert (over.outcome.places, over.outcome.why) == ((3, 1, 1), "expired")
    late = at(after(*dealt(3, expiry="claim", leave="greedy", **MOVE)), e.Expired(0), 3600)
    handed, _ = then(late, e.Claimed(0, 1))
    assert (handed.over, handed.holders[0].robot, handed.holders[0].gone) == (
        False,
        "greedy",
        "expired",
    )
    assert look(handed, 1).claimable == ()


def test_a_move_in_between_ends_the_right_to_claim():
    late = at(after(*CLAIM), e.Expired(0), 3600)
    moved = at(late, played(0, "keep"), 3601)
    assert code(moved, e.Claimed(0, 1)) == "NO_CLAIM"
    assert look(moved, 1).claimable == ()


REFUSALS = [
    ([*CLAIM, e.Claimed(0, 1)], "NO_CLAIM"),
    ([*dealt(3, **MOVE), e.Claimed(0, 1)], "NO_CLAIM"),
    ([*CLAIM, e.Claimed(0, 0)], "NOT_SEATED"),
    ([offered(None, "greedy"), joined(0), e.Claimed(0, 1)], "NOT_SEATED"),
    ([offered(), e.Claimed(0, 1)], "NOT_DEALT"),
    ([*CLAIM, e.Claimed(0, 3)], "NO_SUCH_SEAT"),
    ([*CLAIM, e.Claimed(-1, 1)], "NO_SUCH_SEAT"),
    ([*CLAIM, e.Resigned(0), e.Claimed(0, 1)], "OVER"),
    ([*dealt(expiry="default"), e.Expired(0, KEEP)], "TOO_EARLY"),
]
REFUSED_LATER = ("STAND_IN", "SAID")  # see above


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_what_cannot_be_claimed(log, why):
    verdict = then(after(*log[:-1]), log[-1])[1]
    assert isinstance(verdict, Refused)
    assert verdict.code == why


def test_older_entries_keep_their_bytes():
    assert e.encode(e.Expired(1)) == b'{"type":"expired","seat":1}'
    assert encode(e.MatchExpired(1)) == b'{"type":"match.expired","seat":1}'
    assert b"expiry" not in e.encode(offered(**MOVE))
    assert json.decode(e.encode(e.Expired(1, KEEP)))["move"] == {"type": "keep"}
