"""The api process: uvicorn with our application, on an address or on a socket it was given."""

from __future__ import annotations

import argparse
import socket
from typing import TYPE_CHECKING

import uvicorn

from services import logs, settings, traces
from services.guests import invite
from services.settings import Settings

if TYPE_CHECKING:
    from services.front import Front

DOORS = 16  # connections that are taken at a turn of the loop
DEAF = 20  # seconds after which a peer that acknowledges nothing is gone, with its feeds


class Api(uvicorn.Server):
    """Feeds would hold up its end: they are told first."""

    def __init__(self, config: uvicorn.Config, front: Front) -> None:
        super().__init__(config)
        self.front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.front.close_feeds()
        await super().shutdown(sockets)
        traces.end()


def listen(url: str, shards: int, listener: socket.socket, how: Settings) -> None:
    """Serve until a signal comes."""
    from services.api import make_app  # a second's work, which whoever only binds can do without
    from services.protocol import Http

    app = make_app(url, shards, how)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=Http,
        ws="none",
        access_log=False,  # the front has one
        log_config=None,
        proxy_headers=bool(how.trusted_proxy),
        forwarded_allow_ips=how.trusted_proxy,
        timeout_graceful_shutdown=settings.GRACE,
    )
    Api(config, app).run(doors(listener))


def doors(listener: socket.socket) -> list[socket.socket]:
    """The same listening socket, several times: uvloop takes one connection from each at a turn of
    its loop, and a crowd that comes at once would have to wait for as many turns."""
    return [listener, *(listener.dup() for _ in range(DOORS - 1))]


def bound(host: str, port: int) -> socket.socket:
    """A listening socket, inheritable; OSError if the address is not to be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=2048)
    listener.set_inheritable(True)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # of every connection that it takes
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * DEAF)
    return listener


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m services.listen", description=__doc__)
    words.add_argument("--redis", required=True, help="unix:///path or redis://host:port/db")
    words.add_argument("--shards", type=int, default=1, help="how many shards there are")
    words.add_argument("--fd", type=int, required=True, help="the listening socket")
    asked = words.parse_args()
    invite()
    logs.begin("api")
    traces.begin("api")
    listen(asked.redis, asked.shards, socket.socket(fileno=asked.fd), settings.read())


if __name__ == "__main__":
    main()
