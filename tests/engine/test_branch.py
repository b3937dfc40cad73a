"""Branches: a match that goes on from the entries of another."""

import pytest
from msgspec import json

from engine import audit
from engine import entries as e
from engine.look import look
from engine.match import Refused, encode
from engine.snapshot import load, save
from tests.engine.logs import after, dealt, joined, lines, offered, played, player, told

PARENT, ASKER = "0-" + "p" * 16, player(9)
WHOLE = [*dealt(3, clock={"type": "move", "seconds": 60}), e.Invited(0, player(8))]
WHOLE += [played(0, "trade"), played(1, "keep")]


def branched(seq: int, seat: int = 1) -> e.Branched:
    return e.Branched(PARENT, seq, seat, ASKER, "greedy")


def test_digests_are_the_parents_as_far_as_they_go():
    parent, branch = told(*WHOLE), told(*WHOLE[:6], branched(6))
    assert [match.digest for match, _ in branch[:6]] == [match.digest for match, _ in parent[:6]]
    assert branch[-1][0].digest != parent[-1][0].digest


def test_the_table_is_the_parents_and_nobody_else_is():
    before, match = after(*WHOLE[:6]), after(*WHOLE[:6], branched(6))
    assert (match.state, match.rolls, match.seed) == (before.state, before.rolls, before.seed)
    assert [(h.player, h.robot) for h in match.holders] == [
        (None, "greedy"),
        (ASKER, None),
        (None, "greedy"),
    ]
    assert match.guests == ()
    assert match.branched == 7
    assert match.holders[1].since == 7
    assert match.deadline(1) is None
    assert not match.listed


def test_chance_is_the_parents_for_the_same_moves():
    trade = played(1, "trade")
    one, two = after(*WHOLE[:6], trade), after(*WHOLE[:6], branched(6), trade)
    assert one.state == two.state


def test_it_names_no_player():
    match, verdict = told(*WHOLE[:6], branched(6))[-1]
    seen = encode([look(match, viewer) for viewer in (0, 1, None)]) + encode(verdict)
    for n in range(10):
        assert player(n).encode() not in seen
    assert verdict.told[0].fact == e.MatchBranched(PARENT, 6, 1, "greedy")
    assert load(save(match)) == match


REFUSALS = [
    ([offered(), joined(0), branched(2)], "NOT_DEALT"),
    ([*dealt(), branched(3, 2)], "NO_SUCH_SEAT"),
    ([*dealt(), branched(2)], "ELSEWHERE"),
    ([*dealt(), played(0, "keep"), played(1, "keep"), branched(5)], "OVER"),
]


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_where_nothing_branches(log, why):
    verdict = told(*log)[-1][1]
    assert isinstance(verdict, Refused)
    assert verdict.code == why


def test_the_audit_takes_it_as_any_entry():
    log = lines(*WHOLE[:6], branched(6), played(1, "keep"), played(2, "trade"))
    steps = zip(log, told(*map(e.decode, (line.raw for line in log))), strict=True)
    made = audit.bundle("0-" + "q" * 16, ((line, m, json.encode(v)) for line, (m, v) in steps))
    assert audit.audit(audit.opened(made)).ok
