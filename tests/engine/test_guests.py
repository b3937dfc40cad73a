"""Whom a table lets in: invitations and admissions as entries of the log."""

import pytest

from engine import entries as e
from engine.match import Refused
from tests.engine.logs import after, dealt, joined, offered, played, player, told

GUEST = player(9)


def invited(seat: int | None, who: str = GUEST) -> e.Invited:
    return e.Invited(seat, who)


def admitted(seat: int, who: str = GUEST) -> e.Admitted:
    return e.Admitted(seat, who)


def uninvited(seat: int | None, who: str = GUEST) -> e.Uninvited:
    return e.Uninvited(seat, who)


def code(*entries: e.Entry) -> str | None:
    """What the last of these is refused for."""
    verdict = told(*entries)[-1][1]
    return verdict.code if isinstance(verdict, Refused) else None


def test_who_offered_and_every_player_may_invite_before_the_deal():
    match = after(offered(by=player(7)), invited(None), joined(0), invited(0, player(8)))
    assert [(guest.player, guest.seq) for guest in match.guests] == [(GUEST, 2), (player(8), 4)]


def test_everybody_is_told():
    steps = told(*dealt(), invited(1), admitted(1))
    facts = [one for _, verdict in steps[3:] for one in verdict.told]
    assert [one.fact for one in facts] == [e.MatchInvited(1, GUEST), e.MatchAdmitted(1, GUEST)]
    assert all(one.to == () for one in facts)


def test_all_faces_are_shown_once_all_seats_that_players_hold_have_admitted():
    log = [*dealt(3), invited(0), admitted(2), admitted(0), admitted(1)]
    assert [match.admits(GUEST) for match, _ in told(*log)] == [False] * 7 + [True]
    assert not after(*log).admits(player(8))
    assert not after(*log).admits(None)


def test_robots_need_not_admit_and_cannot():
    log = [offered(None, "greedy"), joined(0), invited(0)]
    assert after(*log, admitted(0)).admits(GUEST)
    assert code(*log, admitted(1)) == "NOT_SEATED"
    left = [*dealt(leave="random"), e.Resigned(1), invited(0), admitted(0)]
    assert after(*left).admits(GUEST)


FULL = [*dealt(), *(invited(0, player(10 + n)) for n in range(e.GUESTS))]
REFUSALS = [
    ([*dealt(), invited(None)], "DEALT"),
    ([*dealt(), invited(2)], "NO_SUCH_SEAT"),
    ([*dealt(), invited(-1)], "NO_SUCH_SEAT"),
    ([offered(), invited(0)], "NOT_SEATED"),
    ([*dealt(leave="random"), e.Resigned(1), invited(1)], "NOT_SEATED"),
    ([*dealt(watchers="closed"), invited(0)], "CLOSED"),
    ([*dealt(), invited(0, player(1))], "A_PLAYER"),
    ([*dealt(), invited(0), invited(1)], "INVITED"),
    ([*dealt(), invited(0), uninvited(None)], "DEALT"),
    ([offered(), invited(None), uninvited(0)], "NOT_SEATED"),
    (
        [
            offered(None, None, None),
            invited(None, player(0)),
            joined(0),
            uninvited(None, player(0)),
        ],
        "A_PLAYER",
    ),
    ([*dealt(), uninvited(0)], "NO_GUEST"),
    ([*dealt(), invited(0), uninvited(1), uninvited(0)], "NO_GUEST"),
    ([*dealt(), invited(0), admitted(1), uninvited(0)], "LET_IN"),
    ([offered(), joined(0), invited(0), admitted(0)], "NOT_DEALT"),
    ([*dealt(), admitted(0)], "NOT_INVITED"),
    ([*dealt(), invited(0), admitted(0), admitted(0)], "ADMITTED"),
    ([*dealt(), played(0, "keep"), played(1, "keep"), invited(0)], "OVER"),
    ([*FULL, invited(0)], "TOO_MANY"),
]


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_whom_nobody_can_let_in(log, why):
    assert code(*log) == why


def test_an_invitation_is_taken_back_as_if_it_had_never_been():
    log = [offered(by=player(0), join="invited"), invited(None, player(1))]
    assert code(*log, joined(1)) is None
    log.append(uninvited(None, player(1)))
    assert after(*log).guests == ()
    assert code(*log, joined(1)) == "NOT_INVITED"
    assert code(*log, invited(None, player(1)), joined(1)) is None
    assert told(*log)[-1][1].told[0].fact == e.MatchUninvited(None, player(1))


def test_a_table_has_so_many_guests():
    assert code(*FULL) is None


def test_a_closed_match_invites_to_join():
    assert code(offered(watchers="closed"), invited(None)) is None


def test_an_offer_to_the_invited_is_joined_by_them_and_by_who_offered():
    log = [offered(by=player(0), join="invited"), joined(0)]
    assert code(*log) is None
    assert code(*log, joined(1)) == "NOT_INVITED"
    assert after(*log, invited(0, player(1)), joined(1)).status == "running"


def test_guests_change_nothing_at_the_table():
    log = [*dealt(), played(0, "trade")]
    one, two = after(*log), after(*log, invited(0), admitted(0))
    assert (one.state, one.rolls, one.to_act) == (two.state, two.rolls, two.to_act)
    assert one.holders == two.holders


def test_a_match_knows_which_entry_dealt():
    assert [match.dealt for match, _ in told(*dealt(), played(0, "keep"))] == [0, 0, 3, 3]
    assert after(offered("random", "random")).dealt == 1
