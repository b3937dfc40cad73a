"""Requests that are sent again until they are answered, as far as that can do no harm."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import httpx
from msgspec import json

from services.client.problems import Away, problem

LATER = (429, 503)  # statuses that say: the same again in a moment
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
encode = json.Encoder().encode


class Tries:
    """How long to wait between two tries, and when to give up."""

    def __init__(self, patience: float, pause: float) -> None:
        self.patience, self.pause = patience, pause
        self.begin()

    def begin(self) -> None:
        """There was an answer: patience begins anew."""
        self._until = time.monotonic() + self.patience

    def wait(self, why: httpx.Response | httpx.TransportError) -> None:
        """Before the next try. Raises what was wrong with this one if that would be too late."""
        response = why if isinstance(why, httpx.Response) else None
        said = "" if response is None else response.headers.get("retry-after", "")
        pause = int(said) if said.isdigit() else self.pause
        if time.monotonic() + pause <= self._until:
            time.sleep(pause)
        elif response is not None and response.is_error:
            raise problem(response)
        else:
            raise Away(repr(why))


class Asking:
    """Sends requests. It gives up after `patience` seconds without an answer; between two tries
    it waits for as long as the server says, else for `pause` seconds."""

    def __init__(self, http: httpx.Client, patience: float, pause: float) -> None:
        self.http, self.patience, self.pause = http, patience, pause

    def tries(self) -> Tries:
        return Tries(self.patience, self.pause)

    def get(self, path: str, query: Mapping[str, str] | None = None) -> httpx.Response:
        return self._answered(self.http.build_request("GET", path, params=query), True)

    def post(
        self,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
    ) -> httpx.Response:
        """`again`: a repeat gets the first answer, so it may be sent whatever became of the first
        try. Otherwise it is sent again only if it did not arrive, or was turned away."""
        return self._answered(
            self._made("POST", path, {} if body is None else body, headers), again
        )

    def put(self, path: str, body: Any) -> httpx.Response:
        return self._answered(self._made("PUT", path, body), True)

    def delete(self, path: str) -> httpx.Response:
        return self._answered(self.http.build_request("DELETE", path), False)

    def _made(
        self, method: str, path: str, body: Any, headers: Mapping[str, str] | None = None
    ) -> httpx.Request:
        sent = {"content-type": "application/json", **(headers or {})}
        return self.http.build_request(method, path, content=encode(body), headers=sent)

    def _answered(self, request: httpx.Request, again: bool) -> httpx.Response:
        tries = self.tries()
        while True:
            try:
                response = self.http.send(request)
            except httpx.TransportError as error:
                if not again and not isinstance(error, NOT_SENT):
                    raise Away(repr(error)) from error
                tries.wait(error)
                continue
            if response.is_success:
                return response
            if response.status_code not in LATER:
                raise problem(response)
            tries.wait(response)
