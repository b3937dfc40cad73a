"""The same deal for all tables of a round: what it is drawn from, and matches that begin with it.

A deal comes from a secret and from the entropies of who plays. Here the secret is one of the
tournament's, drawn and committed to before anybody joined; the entropy is one for all seats, made
of what each player drew on joining the tournament. The house seats the players, in one write, so
that nobody comes in between. Such a match is closed to all but its players until the last one of
its round is over: what is seen of one tells what lies in the decks of the others.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from hashlib import sha256

from msgspec import UNSET, json
from msgspec.structs import replace

from engine import entries as e
from engine.fold import fold, step
from engine.match import Line, Match
from services import door, ledger
from services.wire import Talk

UNFIT = (
    "policy: where all tables are dealt the same, matches have a clock, are not rated, and who runs"
    " out of time leaves or has a move made"
)
FORSAKEN = 7 * 86_400_000  # ms after which a match that is stuck holds its round up no longer


def drawn(rounds: int) -> tuple[str, ...]:
    """A secret for each round."""
    return tuple(secrets.token_hex(32) for _ in range(rounds))


def entropy_of(all: Iterable[str | None]) -> str:
    """The one entropy of all seats: of those of all players in the order of joining, None where
    one gave none."""
    return sha256(json.encode([*all])).hexdigest()


def closed(policy: e.Policy) -> e.Policy | None:
    """The policy of such matches; None if one would not end by itself, or a rating would tell."""
    if policy.clock is None or policy.rated or policy.expiry == "claim":
        return None
    return replace(policy, watchers="closed", late=None, listed=False, join=UNSET)


def begun(name: str, offered: e.Offered, players: Sequence[str], entropy: str) -> Talk[None]:
    """Begin a match with its players seated, unless it stands already."""
    joined = [e.Joined(chair, player, entropy) for chair, player in enumerate(players)]
    at = yield ledger.clock(int(name.partition("-")[0]))
    lines = [Line(at, e.encode(entry)) for entry in (offered, *joined)]
    match, verdict = step(fold(lines[:-1]), lines[-1])
    yield ledger.copy(lines, door.done(name, None, match, verdict))


def forsaken(name: str, match: Match, now: e.Millis) -> Talk[bool]:
    """Has it been stuck for so long that others wait for it no more?"""
    if now - match.at < FORSAKEN:
        return False
    stuck = yield ledger.stuck(name)
    return stuck is not None and stuck.seq > match.seq
