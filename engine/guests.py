"""Whom a table lets in: invited to watch and to join, admitted to see all faces."""

from __future__ import annotations

from msgspec.structs import replace

from engine import entries as e
from engine.contract import Seat, Told, put
from engine.match import Change, Guest, Match, No


def invited(match: Match, entry: e.Invited, *_: object) -> Change | No:
    if no := _no_host(match, entry.seat) or _no_guest(match, entry.player):
        return no
    if match.guest(entry.player) is not None:
        return No.INVITED
    if len(match.guests) == e.GUESTS:
        return No.TOO_MANY
    guests = (*match.guests, Guest(entry.player, match.seq + 1))
    return replace(match, guests=guests), (Told(e.MatchInvited(entry.seat, entry.player)),)


def uninvited(match: Match, entry: e.Uninvited, *_: object) -> Change | No:
    if no := _no_host(match, entry.seat) or _no_guest(match, entry.player):
        return no
    guest = match.guest(entry.player)
    if guest is None or guest.admitted:
        return No.NO_GUEST if guest is None else No.LET_IN
    guests = tuple(one for one in match.guests if one != guest)
    return replace(match, guests=guests), (Told(e.MatchUninvited(entry.seat, entry.player)),)


def admitted(match: Match, entry: e.Admitted, *_: object) -> Change | No:
    if match.state is None:
        return No.NOT_DEALT
    if no := _no_host(match, entry.seat) or _no_guest(match, entry.player):
        return no
    guest = match.guest(entry.player)
    if guest is None:
        return No.NOT_INVITED
    if entry.seat in dict(guest.admitted):
        return No.ADMITTED
    guest_now = replace(guest, admitted=(*guest.admitted, (entry.seat, match.seq + 1)))
    guests = put(match.guests, match.guests.index(guest), guest_now)
    return replace(match, guests=guests), (Told(e.MatchAdmitted(entry.seat, entry.player)),)


def may_join(match: Match, player: str) -> bool:
    return player == match.offered.by or match.guest(player) is not None


def _no_host(match: Match, seat: Seat | None) -> No | None:
    """Only players have guests and, until the deal, whoever offered: that is None."""
    if seat is None:
        return No.DEALT if match.state is not None else None
    if not 0 <= seat < len(match.holders):
        return No.NO_SUCH_SEAT
    holder = match.holders[seat]
    return No.NOT_SEATED if holder.player is None or holder.gone is not None else None


def _no_guest(match: Match, player: str) -> No | None:
    if match.state is not None and match.offered.policy.watchers == "closed":
        return No.CLOSED
    held = any(h.player == player and h.gone is None for h in match.holders)
    return No.A_PLAYER if held else None
