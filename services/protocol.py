"""HTTP/1.1 as uvicorn speaks it, with a limit on what a request may hold besides its body."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from services.problems import Problem

MOST = 32 * 1024  # bytes of the address and all headers, be they before or after the body


class Http(HttpToolsProtocol):
    """Refuses a request as soon as it goes beyond that, be it within a header without end."""

    held = 0  # bytes of the address and the headers so far
    unread = 0  # bytes that came since anything was read whole

    def data_received(self, data: bytes) -> None:
        self.unread += len(data)
        super().data_received(data)
        if self.unread > MOST:
            self._refuse()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.held = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._hold(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._hold(len(name) + len(value) + len(": \r\n"))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self.unread = 0

    def _hold(self, more: int) -> None:
        self.held += more
        self.unread = 0
        if self.held > MOST:
            raise ValueError("too much")  # the parser stops here

    def send_400_response(self, msg: str) -> None:
        """What the parser could not read."""
        if self.held > MOST:
            self._refuse()
        else:
            super().send_400_response(msg)

    def _refuse(self) -> None:
        problem = Problem("headers-too-large")
        body = problem.body()
        headers = problem.headers | {"content-length": str(len(body)), "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[problem.status] + lines.encode() + b"\r\n" + body)
        self.transport.close()
