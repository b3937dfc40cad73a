"""An api process for the bench: the house's own and, beside its app, a route that does nothing.

`python -m tests.bench.app URL PORT`
"""

from __future__ import annotations

import sys

from services import api
from services.limits import OFF
from services.listen import bound, listen
from services.moves import Receive, Scope, Send
from services.settings import Settings

LENGTH = [(b"content-length", b"2")]


class Beside(api.Front):
    """The app, and `/empty`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/empty":
            await send({"type": "http.response.start", "status": 200, "headers": LENGTH})
            await send({"type": "http.response.body", "body": b"ok"})
        else:
            await super().__call__(scope, receive, send)


if __name__ == "__main__":
    api.Front = Beside
    listen(sys.argv[1], 1, bound("127.0.0.1", int(sys.argv[2])), Settings(limits=OFF))
