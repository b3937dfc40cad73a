"""What a client's request can come to, instead of an answer."""

from __future__ import annotations

import httpx
from msgspec import DecodeError, Struct, json

from engine.look import News


class Wrong(Struct, frozen=True):
    """The body of a problem; what a type does not have is None."""

    type: str
    title: str
    status: int
    detail: str
    seq: int | None = None
    code: str | None = None
    rule: str | None = None
    says: str | None = None
    missed: tuple[News, ...] | None = None
    errors: tuple[str, ...] = ()
    free: tuple[int, ...] | None = None


class Problem(Exception):
    """The server says no, and why: `name` is stable, the message is for people."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(": ".join([wrong.title, *(wrong.errors or (wrong.detail,))]))
        self.wrong = wrong
        self.name = wrong.type.removeprefix("/problems/")


class Stale(Problem):
    """The move was decided on an older table. `missed` is what happened since, None if that is
    too much to tell; `seq` is the newest."""

    @property
    def seq(self) -> int:
        return self.wrong.seq or 0

    @property
    def missed(self) -> tuple[News, ...] | None:
        return self.wrong.missed


class Refused(Problem):
    """The rules refuse the move; `code` names the rule that does."""

    @property
    def code(self) -> str:
        return self.wrong.code or ""


class Away(Exception):
    """Nobody answers. What was asked for may have been done or not; look, or ask again."""


_wrong = json.Decoder(Wrong)
KINDS: dict[str, type[Problem]] = {"stale": Stale, "refused": Refused}


def problem(response: httpx.Response) -> Problem:
    """What a response with an error status says; `not-ours` if it is no problem of a Turnfold."""
    response.read()
    try:
        wrong = _wrong.decode(response.content)
    except DecodeError:
        status, says = response.status_code, response.text[:200]
        wrong = Wrong("not-ours", f"{response.url} was answered {status}", status, says)
    made = Problem(wrong)
    return KINDS[made.name](wrong) if made.name in KINDS else made
