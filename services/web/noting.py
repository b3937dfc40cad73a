"""A player's own notes on a match, from a browser: by the entry that each was written at."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from services.house import House
from services.notes import jot, notes_of
from services.requests import house_of, number
from services.said import NOTE, Jotted
from services.web.render import page
from services.web.session import Form, Session, player_in, posted

routes = APIRouter(include_in_schema=False)
Notes = list[Jotted]


@routes.post("/table/{match}/notes")
async def note(match: str, request: Request) -> Response:
    """From a replay, what is noted of its moment; from a table, something more about now."""
    house = house_of(request)
    form = await posted(house, request)
    player, fields = player_in(form), dict(form.fields)
    text = form.first("note").replace("\r\n", "\n").strip()
    if "after" in fields:  # of a table that lives
        fields["seq"] = fields["after"]
    seq = number(fields, "seq", 1, 10**9)
    if form.first("more"):
        text = _more(await notes_of(house, match, player), seq, text)
    await jot(house, match, player, Jotted(max(1, seq), text[:NOTE]))
    return await _noted(request, house, match, form, seq)


def _more(notes: Notes, seq: int, text: str) -> str:
    """This, after what was noted at the same moment."""
    before = next((one.text for one in notes if one.seq == seq), "")
    return "\n".join(filter(None, (before, text)))


async def _noted(request: Request, house: House, match: str, form: Form, seq: int) -> Response:
    if "hx-request" in request.headers:
        shown: dict[str, Any] = {"match": match, "seq": seq, "more": True}
        shown["notes"] = await noted_of(house, match, form.session)
        return page(request, "notes.html", form.session, **shown)
    back = "" if form.first("more") else f"/replay?seq={seq}"
    return RedirectResponse(f"/table/{match}{back}", 303)


async def noted_of(house: House, match: str, session: Session | None) -> Notes:
    """The notes of whoever looks at a page."""
    return await notes_of(house, match, session.player) if session else []
