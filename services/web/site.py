"""All routes of the page."""

from services.web import pages, replay, seating, table

ROUTERS = (pages.routes, table.routes, seating.routes, replay.routes)
