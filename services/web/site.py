"""All routes of the page."""

from services.web import (
    agreeing,
    audit,
    contests,
    embed,
    films,
    notices,
    noting,
    ordering,
    pages,
    replay,
    seating,
    speaking,
    standings,
    table,
    talking,
    vacations,
    watchers,
)

MODULES = (
    *(pages, table, seating, agreeing, watchers, replay, noting, audit, embed, films, speaking),
    *(notices, standings, talking, contests, ordering, vacations),
)
ROUTERS = tuple(module.routes for module in MODULES)
