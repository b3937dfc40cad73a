"""A game without redeal is taken for one without secrets, and held to that.

High card, dealt and traded face up bit by bit, shows what is said on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from engine.contract import OPEN
from engine.games import high_card
from engine.games.high_card.rules import Dealt, Traded
from tests.games import test_secrecy
from tests.games.matches import random_match
from tests.games.sabotage import Leak, plant, to_all, with_eyes_of

SEEN = Leak("all see all hands", "rules.view", with_eyes_of(lambda viewer: OPEN))
HEARD = (
    Leak("the deal is told to all", "rules.setup", to_all(Dealt)),
    Leak("a trade is told to all", "rules.apply", to_all(Traded)),
)
NOTHING = Leak("the deck is seen, too", "rules.view", lambda view: lambda state, viewer: state)


@pytest.fixture
def leaking() -> Iterator[ExitStack]:
    """High card with what is planted here, and no match of it kept from before or for later."""
    random_match.cache_clear()
    with ExitStack() as stack:
        yield stack
    random_match.cache_clear()


@pytest.mark.parametrize(
    ("leaks", "says"),
    [
        ([], "not all see the same"),
        ([SEEN], "not all hear the same"),
        ([SEEN, *HEARD], "it shows not all"),
        ([NOTHING, *HEARD], None),
    ],
)
def test_what_is_hidden_without_a_redeal_is_named(leaking, leaks, says):
    for leak in leaks:
        leaking.enter_context(plant(high_card, leak))
    assert said_of(high_card) == says


def said_of(game) -> str | None:
    try:
        for seed in range(3):
            test_secrecy.test_a_game_without_redeal_hides_nothing(game, seed)
        test_secrecy.test_a_game_without_redeal_has_no_secret_of_its_own(game)
    except AssertionError as error:
        return str(error).partition(f": {test_secrecy.SECRET}")[0].removeprefix("`view`: ")
    return None
