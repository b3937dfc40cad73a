"""What a notice says to a person, in the language in which they asked for it."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_datetime

from engine.entries import Millis
from services.notices.said import Notice
from services.web.readmes import title
from services.web.tongues import _, spoken

HEADS = {
    "turn": "{game}: it is your turn",
    "reminder": "{game}: your time is nearly up",
    "over": "{game}: the match is over",
    "invited": "{game}: you are invited",
}
BODIES = {
    "turn": "A match waits for your move.",
    "reminder": "A match still waits for your move.",
    "over": "See how it ended.",
    "invited": "Somebody would like you to come to this table.",
}


def head(notice: Notice) -> str:
    """One line."""
    return _(HEADS[notice.kind], game=title(notice.game))


def body(notice: Notice) -> str:
    """What else there is to say, without where."""
    says = [_(BODIES[notice.kind])]
    if notice.deadline is not None:
        says.append(_("You have until {time}.", time=moment(notice.deadline)))
    return " ".join(says)


def moment(at: Millis) -> str:
    """A time in UTC, as it is written here."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    return f"{format_datetime(when, 'd MMM yyyy HH:mm', locale=spoken())} UTC"
