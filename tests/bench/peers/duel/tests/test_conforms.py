"""The duel is a game like ours: a few matches of the suites that every game passes.

Its cards are drawn anew and so the same in two worlds; their digits are looked for instead.
"""

import pytest
from msgspec import json

from engine.catalogue import GAMES
from tests.bench.peers import duel
from tests.bench.peers.duel.tests.leaks import LEAKS
from tests.games import test_conformance as conformance
from tests.games import test_secrecy as secrecy
from tests.games.matches import random_match, refused
from tests.games.sabotage import plant


@pytest.fixture(autouse=True)
def with_the_duel(monkeypatch):
    monkeypatch.setitem(GAMES, duel.NAME, duel)


@pytest.mark.parametrize("seed", range(3))
def test_random_matches_fold_and_their_moves_are_reached(seed):
    conformance.test_a_random_match(duel, seed)
    conformance.test_what_is_allowed_is_reached(duel, seed)


@pytest.mark.parametrize("check", secrecy.CHECKS, ids=lambda check: check.__name__)
def test_no_leak(check):
    check(duel, 1)


def test_no_card_in_hand_reaches_another():
    assert overheard(1) == 0


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.says)
def test_a_planted_leak_is_caught(leak):
    with plant(duel, leak):
        assert overheard(1) > 0


def overheard(seed: int) -> int:
    """How often a card reaches somebody while it is in a hand that is not theirs."""
    found = 0
    for _, match, verdict in random_match.__wrapped__(duel, seed):
        if match.state is None or refused(verdict):
            continue
        for viewer in (None, 0, 1):
            heard = [fact for told in verdict.told for fact in told.heard_by(viewer)]
            came = json.encode([heard, duel.view(match.state, viewer)]).decode()
            others = (hand for seat, hand in enumerate(match.state.hands) if seat != viewer)
            found += sum(str(card) in came for hand in others for card in hand)
    return found
