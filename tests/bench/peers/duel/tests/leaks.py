"""Leaks of the duel, planted on purpose."""

from engine.contract import OPEN
from tests.bench.peers.duel.rules import Dealt, Drew
from tests.games.sabotage import Leak, to_all, with_eyes_of

LEAKS = [
    Leak("the deal is told to all", "rules.setup", to_all(Dealt)),
    Leak("a drawn card is told to all", "rules.apply", to_all(Drew)),
    Leak("all see all hands", "rules.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a hand", "rules.view", with_eyes_of(lambda v: 0 if v is None else v)),
]
