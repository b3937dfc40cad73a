"""Routes for operators: is it alive, is it ready, and what does it count?"""

from __future__ import annotations

import ipaddress
from hmac import compare_digest

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from engine import RELEASE
from services import metrics, vitals
from services.moves import bearer
from services.openapi import takes
from services.problems import Problem
from services.requests import house_of, replied
from services.settings import Settings

routes = APIRouter()
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # somebody else asks through it


class Health(Struct, frozen=True):
    ok: bool
    release: str


class Ready(Struct, frozen=True):
    ready: bool
    why_not: tuple[str, ...]
    release: str
    notices_failed: int | None  # that were given up: no reason not to be ready, nor are these
    jobs_failed: int | None  # within a day


@routes.get("/healthz", openapi_extra=takes(gives={200: Health}))
async def health() -> Response:
    """This process answers."""
    return replied(Health(True, RELEASE))


@routes.get("/readyz", openapi_extra=takes(gives={200: Ready, 503: Ready}))
async def readiness(request: Request) -> Response:
    """May requests be sent here? The server for the data answers, keeps what it is told on disk,
    and entries are folded soon after they are written."""
    house = house_of(request)
    faults = await vitals.faults(house)
    notices = None if faults else await vitals.notices_failed(house)
    jobs = None if faults else await vitals.jobs_failed(house)
    ready = Ready(not faults, tuple(faults), RELEASE, notices, jobs)
    return replied(ready, 503 if faults else 200, {"cache-control": "no-store"})


@routes.get(
    "/metrics",
    openapi_extra=takes(gives={200: "text/plain"}, problems=["who-are-you", "not-yours"]),
)
async def counted(request: Request) -> Response:
    """What this process counts, for Prometheus; for whoever has the metrics token or, where none
    is set, for this machine alone."""
    settings: Settings = request.app.state.settings
    _operators_only(request, settings.metrics_token)
    return Response(await metrics.exposed(house_of(request)), 200, media_type=metrics.MEDIA_TYPE)


def _operators_only(request: Request, token: str) -> None:
    if token:
        given = bearer(request.headers.get("authorization", "").encode("latin-1"))
        if not compare_digest((given or "").encode(), token.encode()):
            raise Problem(
                "who-are-you", "Send the metrics token, as `Authorization: Bearer TOKEN`."
            )
    elif not _from_here(request):
        says = "Metrics are for this machine alone, as long as no metrics token is set."
        raise Problem("not-yours", says)


def _from_here(request: Request) -> bool:
    """Does a program of this machine ask, and for itself?"""
    if any(name in request.headers for name in FORWARDED):
        return False
    host = request.client.host if request.client else "127.0.0.1"  # a socket file has no address
    return ipaddress.ip_address(host).is_loopback
