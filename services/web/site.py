"""All routes of the page."""

from services.web import audit, pages, replay, seating, table, watchers

ROUTERS = (
    pages.routes,
    table.routes,
    seating.routes,
    watchers.routes,
    replay.routes,
    audit.routes,
)
