"""The form of an offer: fields from a game's Options schema, an offer from what was filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import ValidationError, convert, json

from engine.catalogue import GAMES
from services.lobby import Offer
from services.problems import Problem
from services.web.session import Form
from services.web.tongues import _

CLOCKS = {
    "": "no clock",
    "600": "10 minutes a move",
    "3600": "an hour a move",
    "86400": "a day a move",
    "259200": "three days a move",
    "604800": "a week a move",
    "bank 600 30 600": "10 minutes in all, and 30 seconds for each move",
    "bank 259200 43200 604800": "three days in all, and 12 hours for each move",
}
ABSENCES = {
    "": "has the same time again",
    "2 3600": "has an hour a move until it moves again",
    "2 600": "has 10 minutes a move until it moves again",
}
ROBOTS = {"greedy": "greedily", "search": "thinking ahead", "random": "at random"}
WATCHERS = {
    "public": "everybody, and it is shown in the lobby",
    "unlisted": "whoever has the link",
    "invited": "whom the players invite",
    "closed": "nobody but the players",
}
LATE = {
    "": "at once",
    "entries 1": "one entry late",
    "entries 5": "five entries late",
    "seconds 600": "ten minutes late",
    "seconds 86400": "a day late",
}
CHATS = {
    "": "nobody",
    "seats": "who plays",
    "all": "who plays and, apart from them, who watches",
}
LEAVES = {
    "end": "ends the match",
    "greedy": "hands over to a greedy robot",
    "random": "hands over to a random robot",
}


RESTS = {"": "every day", "5 6": "not on Saturdays and Sundays", "6": "not on Sundays"}
VACATIONS = {
    "": "stop a player's clock",
    "7": "stop a player's clock for a week in all",
    "0": "stop no clock",
}
EXPIRIES = {
    "": "it has left",
    "default": "a move is made for it",
    "greedy": "a greedy robot makes a move for it",
    "claim": "the others may claim that it has left",
}


class Field(NamedTuple):
    """An option of a game, as a control."""

    name: str
    label: str
    help: str
    kind: str  # switch, number, choice, text
    value: Any
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


def fields(game: str, filled: Mapping[str, Any] | None = None) -> list[Field]:
    """The options of a game, with their usual values or those that were filled in."""
    schema = json.schema(GAMES[game].Options)
    options = schema["$defs"]["Options"]["properties"]
    return [_field(name, said, (filled or {}).get(name)) for name, said in options.items()]


def _field(name: str, said: Mapping[str, Any], filled: Any) -> Field:
    value = said["default"] if filled is None else filled
    label, help = name.replace("_", " ").capitalize(), said.get("description", "")
    if "enum" in said:
        return Field(name, label, help, "choice", value, tuple(map(str, said["enum"])))
    if said.get("type") == "boolean":
        return Field(name, label, help, "switch", value)
    if said.get("type") == "integer":
        low, high = said.get("minimum"), said.get("maximum")
        return Field(name, label, help, "number", value, (), low, high)
    return Field(name, label, help, "text", value)


def options(game: str, form: Form) -> dict[str, Any]:
    """What was filled in; whether that will do, the offer itself decides."""
    filled: dict[str, Any] = {}
    for field in fields(game):
        text = form.first(f"option-{field.name}").strip()
        if field.kind == "switch":
            filled[field.name] = bool(text)
        elif text:
            filled[field.name] = _value(field, text)
    return filled


def _value(field: Field, text: str) -> Any:
    number = text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10
    return int(text) if number and field.kind != "choice" else text


def offer(form: Form, entropy: str) -> Offer:
    """The offer that was filled in, or a Problem."""
    game = form.first("game")
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    me = [None] if form.first("me") else []
    opened, robots = _count(form, "open"), _count(form, "robots")
    seats = [*me, *[None] * opened, *[form.first("robot", "greedy")] * robots]
    asked = {
        "game": game,
        "seats": seats,
        "options": options(game, form),
        "policy": _policy(form),
        "join": {"entropy": entropy, "seat": 0} if me else None,
    }
    try:
        return convert(asked, Offer)
    except ValidationError as error:
        raise Problem("invalid", errors=[str(error)]) from error


SEATS = re.compile("seats: .* is for (?:([0-9]+) to )?([0-9]+), not ([0-9]+)")


def wrong(error: str) -> str:
    """What the api finds wrong with an offer, to a person: without the names of fields."""
    if found := SEATS.fullmatch(error):
        least, most, given = found.groups()
        args = {"least": least or most, "most": most, "given": given}
        return _("With these options it is for {least} to {most}, not {given}.", **args)
    return _(error.removeprefix("options: ").partition(" - at ")[0])


def _policy(form: Form) -> dict[str, Any]:
    watchers = form.first("watchers", "public")
    kind, n = (*form.first("late").split(" "), "")[:2]
    policy = {
        "clock": _clock(form.first("clock")),
        "leave": form.first("leave", "end"),
        "order": "shuffled" if form.first("shuffled") else "joined",
        "watchers": "public" if watchers == "unlisted" else watchers,
        "listed": watchers == "public",
        "rated": bool(form.first("rated")),
        "late": {"type": kind, "n": whole(n)} if kind else None,
    }
    absent, days = [whole(n) for n in form.first("absent").split()][:2], form.first("vacation")
    more = {
        "chat": form.first("chat"),
        "expiry": form.first("expiry"),
        "rest": [whole(day) for day in form.first("rest").split()],
        "vacation": whole(days) if days else None,
        "absent": dict(zip(("after", "seconds"), absent, strict=False)),
    }
    return policy | {name: said for name, said in more.items() if said not in ("", [], {}, None)}


def _clock(text: str) -> dict[str, Any] | None:
    """So many seconds a move; or `bank`, what it has, gets for a move, and has at the most."""
    if not text.startswith("bank "):
        return {"type": "move", "seconds": whole(text)} if text else None
    seconds, increment, cap = (whole(n) for n in (*text.split()[1:], "0", "0", "0")[:3])
    return {"type": "bank", "seconds": seconds, "increment": increment, "cap": cap}


def _count(form: Form, name: str) -> int:
    return min(whole(form.first(name, "0")), 64)


def whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem("invalid", errors=[f"{text!r} is no whole number"])
    return int(text)
