"""A client for programs: `from services.client import Client`. See docs/api.md."""

from engine.look import Choice, Look, News
from services.client.client import Client
from services.client.feeds import Event
from services.client.problems import Away, Problem, Refused, Stale
from services.said import (
    Account,
    Answer,
    End,
    GivenToken,
    Here,
    Invitation,
    Jotted,
    Matches,
    Moved,
    Reset,
    Step,
    Summary,
    Token,
)

__all__ = [
    "Account",
    "Answer",
    "Away",
    "Choice",
    "Client",
    "End",
    "Event",
    "GivenToken",
    "Here",
    "Invitation",
    "Jotted",
    "Look",
    "Matches",
    "Moved",
    "News",
    "Problem",
    "Refused",
    "Reset",
    "Stale",
    "Step",
    "Summary",
    "Token",
]
