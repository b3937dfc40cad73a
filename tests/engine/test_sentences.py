"""What the fold itself tells, as people read it."""

import pytest
from msgspec import Raw

from engine import entries as e
from engine.contract import Outcome
from engine.sentences import say_ours

ANN, BEN = "a" * 16, "b" * 16
SITTERS = (e.Sitter(ANN, None), e.Sitter(None, "greedy"))
TOLD = [
    (e.MatchJoined(0, ANN), f"{ANN} takes a seat."),
    (e.MatchLeft(0), "A seat is open again."),
    (e.MatchDealt(SITTERS), f"The match begins: {ANN}, a greedy robot."),
    (e.MatchResigned(1), "Ben resigns."),
    (e.MatchExpired(0), "Ann has run out of time."),
    (e.MatchExpired(0, "played"), "Ann has run out of time: a move is made for it."),
    (e.MatchExpired(0, "claim"), "Ann has run out of time: the others may claim."),
    (e.MatchClaimed(0, 1), "Ben claims: Ann is out, by time."),
    (e.MatchAborted("withdrawn"), "The offer is withdrawn."),
    (e.MatchAborted("agreed"), "All have agreed to end the match, without a result."),
    (e.MatchProposed(0, e.End()), "Ann proposes to end the match, without a result."),
    (e.MatchProposed(1, e.Pause()), "Ben proposes to pause the match."),
    (
        e.MatchProposed(1, e.Replace(0, robot="random")),
        "Ben proposes that a robot takes the seat of Ann.",
    ),
    (
        e.MatchProposed(1, e.Replace(0, player="c" * 16)),
        "Ben proposes that cccccccccccccccc may take the seat of Ann.",
    ),
    (e.MatchProposed(0, e.Back(7)), "Ann proposes to go back to before entry 7."),
    (e.MatchTakenBack(7), "All agree: the match stands as it did before entry 7."),
    (e.MatchAnswered(0, True), "Ann agrees."),
    (e.MatchAnswered(1, False), "Ben says no."),
    (e.MatchLapsed(4), "The proposal is none any more."),
    (e.MatchPaused(), "The match is paused: the clocks stand still."),
    (e.MatchResumed(1), "Ben lets the clocks run again."),
    (e.MatchReplaced(1, None, "greedy"), "A robot takes the seat of Ben."),
    (e.MatchReplaced(1, "c" * 16, None), "cccccccccccccccc may take the seat of Ben."),
    (e.MatchSeated(1, BEN), f"{BEN} takes a seat."),
    (e.MatchInvited(None, BEN), f"{BEN} is invited."),
    (e.MatchUninvited(0, BEN), f"{BEN} is not invited any more."),
    (e.MatchAdmitted(0, BEN), f"Ann lets {BEN} see all faces."),
    (
        e.MatchStopped(1_700_000_010_000, 1_700_000_070_000, "downtime"),
        "The clocks stood still from 2023-11-14 22:13:30 UTC to 2023-11-14 22:14:30 UTC:"
        " the service was away.",
    ),
    (
        e.MatchOver(Outcome((1, 2), (7, 3), "points")),
        "The match is over (points): Ann wins, 7 : 3.",
    ),
    (e.MatchOver(Outcome((2, 1), (0, 0), "resigned")), "The match is over (resigned): Ben wins."),
    (
        e.MatchOver(Outcome((1, 1), (2, 2), "points")),
        "The match is over (points): Ann, Ben share the win, 2 : 2.",
    ),
    (e.MatchOver(Outcome((2, 2), (0, 0), "lost")), "Nobody wins (lost)."),
]


@pytest.mark.parametrize(("fact", "sentence"), TOLD)
def test_the_fold_tells_in_sentences(fact, sentence):
    assert say_ours(fact).sentence(["Ann", "Ben"]) == sentence


@pytest.mark.parametrize(("chairs", "says"), [(1, "1 seat"), (3, "3 seats")])
def test_an_offer_says_how_many_can_play(chairs, says):
    fact = e.MatchOffered(None, "high-card", 1, Raw(b"{}"), (None,) * chairs, e.Policy(), "0" * 64)
    assert say_ours(fact).sentence([]) == f"A match of high-card is offered, with {says}."
