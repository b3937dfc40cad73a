"""All routes of the page."""

from services.web import audit, pages, replay, seating, table

ROUTERS = (pages.routes, table.routes, seating.routes, replay.routes, audit.routes)
