"""What an order can wait for: a kind of fact and what is known of one, by controls and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, get_args

from msgspec import inspect, json

from engine import entries as e
from engine.contract import Game
from services.problems import Problem
from services.web.forms import whole
from services.web.session import Form
from services.web.tongues import _

OURS = (
    *(e.MatchResigned, e.MatchExpired, e.MatchClaimed, e.MatchReplaced, e.MatchSeated),
    *(e.MatchPaused, e.MatchResumed),
)
NAMED = "heard-"  # how the names of the controls begin


class Part(NamedTuple):
    """A field of a fact, as a control: what it may be, by what is sent; none: one types it."""

    name: str
    label: str
    number: bool
    choices: Mapping[str, Any]
    seat: bool = False


@cache
def facts(game: Game) -> dict[str, type]:
    """The facts that an order can wait for, by their types."""
    own = game.Fact
    return {str(fact.__struct_config__.tag): fact for fact in (*(get_args(own) or (own,)), *OURS)}


def kinds(game: Game) -> dict[str, str]:
    """The same, by what each is called."""
    return {type: _(label(type)) for type in facts(game)}


def label(name: str) -> str:
    """What a type of fact is called, or a field of one; in English."""
    return name.removeprefix("match.").replace("-", " ").replace("_", " ")


@cache
def parts(game: Game, type: str) -> tuple[Part, ...]:
    """What can be said of a fact, besides its type; of the fold's own, whose seat it is."""
    fact = facts(game)[type]
    info = inspect.type_info(fact)
    assert isinstance(info, inspect.StructType)
    found = (_part(one.encode_name, one.type, _seated(fact, one.name)) for one in info.fields)
    return tuple(part for part in found if part and (fact not in OURS or part.name == "seat"))


def _seated(fact: type, field: str) -> bool:
    """Does it hold a seat? A seat is an int to all but the reader of its annotation."""
    return str(fact.__annotations__[field]).startswith("Seat")


def _part(name: str, kind: inspect.Type, seat: bool) -> Part | None:
    """Lists have none: nobody wants to type one."""
    match kind:
        case inspect.Metadata(plain):
            return _part(name, plain, seat)
        case inspect.UnionType(types):
            real = [one for one in types if not isinstance(one, inspect.NoneType)]
            return _part(name, real[0], seat) if len(real) == 1 else None
        case inspect.BoolType():
            return Part(name, label(name), False, {"yes": True, "no": False})
        case inspect.LiteralType(values):
            return Part(name, label(name), False, {str(value): value for value in values})
        case inspect.IntType():
            return Part(name, label(name), not seat, {}, seat)
        case inspect.StrType():
            return Part(name, label(name), False, {})
    return None


def asked(game: Game, form: Form) -> dict[str, Any] | None:
    """The condition that was filled in; None if there is none."""
    type = form.first("heard")
    if not type:
        return None
    if type not in facts(game):
        raise Problem("invalid", "Nobody ever hears that in this game.")
    given = ((part, form.first(NAMED + part.name).strip()) for part in parts(game, type))
    return {"type": type} | {part.name: _value(part, text) for part, text in given if text}


def _value(part: Part, text: str) -> Any:
    if part.seat or part.number:
        return whole(text)
    return part.choices.get(text, text)


def said(game: Game, when: Mapping[str, Any], seats: Sequence[str]) -> str:
    """A condition in words, whoever made it."""
    type = when.get("type")
    if type not in facts(game):
        return json.encode(when).decode()
    known = {part.name: part for part in parts(game, type)}
    told = {name: _told(known.get(name), one, seats) for name, one in when.items()}
    told |= {"type": _(label(type))}
    plain = ("type", "seat")  # what they say needs no name
    return ", ".join(
        text if name in plain else f"{_(label(name))} {text}" for name, text in told.items()
    )


def _told(part: Part | None, value: Any, seats: Sequence[str]) -> str:
    if part and part.seat and isinstance(value, int) and 0 <= value < len(seats):
        return seats[value]
    given = next((text for text, one in part.choices.items() if one == value), "") if part else ""
    return _(given) if given else value if isinstance(value, str) else json.encode(value).decode()
