"""Whatever stands in headers, in paths and in queries, no answer is a bug.

The requests are drawn from a seed; many more with TURNFOLD_LONG.
"""

from __future__ import annotations

import os
from random import Random

from httpx import Client

MANY = 20_000 if "TURNFOLD_LONG" in os.environ else 250
HEADERS = (
    *("if-match", "idempotency-key", "last-event-id", "authorization", "accept-language", "cookie"),
    *("accept", "origin", "sec-fetch-site", "x-request-id", "x-forwarded-proto", "prefer", "range"),
    *("if-none-match", "hx-request", "forwarded", "x-forwarded-for", "content-type"),
)
QUERIES = ("seq", "as", "after", "before", "limit", "state", "game", "player", "key", "n", "made")
PATHS = (
    *("/matches/{id}", "/matches/{id}/look", "/matches/{id}/moves", "/matches/{id}/replay"),
    *("/matches/{id}/bundle", "/matches/{id}/notation", "/matches/{id}/talk", "/matches/{id}/join"),
    *("/matches", "/players/{id}", "/players/{id}/ratings", "/players/me", "/players/me/channels"),
    *("/games/{id}/ratings", "/tournaments/{id}", "/players/me/tokens/{id}", "/problems/{id}"),
    *("/players/me/turns.atom", "/table/{id}", "/table/{id}/film.gif", "/table/{id}/board.svg"),
    *("/table/{id}/embed", "/table/{id}/invite", "/static/{id}", "/lobby", "/me", "/next", "/{id}"),
    *("/unsubscribe", "/rules/{id}", "/contest/{id}", "/tongue", "/offer", "/me/notices", "/"),
)
WORDS = (
    *("0", "1", "-1", '"1"', 'W/"2"', "9" * 400, "1e3", "0x1", "٣", "%00", "%ff%fe", "..%2f..", ""),
    *("nan", "Bearer ", "Bearer tf_x", "Basic eA==", "turnfold=x", "turnfold", ";;=;", "http://["),
    *(
        "null",
        "same-origin",
        "de;q=x,*",
        "nl-" * 99,
        "a" * 300,
        "\x80\xff",
        "é",
        "text/html",
        "*/*",
    ),
    *("__Host-turnfold=%s" % ("x" * 99), "bytes=0-1", "ws", "wss", "application/json", "watcher"),
    *("0-aaaaaaaaaaaaaaaa", "9999-aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "qwirkle", "over"),
)


def test_no_header_path_or_query_is_too_odd(base):
    draw, wrong = Random(8), []
    with Client(base_url=base, timeout=20) as visitor:
        token = visitor.post("/players", json={"name": "Ann"}).json()["token"]
        sent = {"authorization": f"Bearer {token}"}
        offer = {"game": "high-card", "seats": ["greedy", "greedy"]}
        made = visitor.post("/matches", json=offer, headers=sent)
        match = made.headers["location"].split("/")[2]
        words = (*WORDS, match, match, f"Bearer {token}", f"turnfold={token}")
        for _ in range(MANY):
            method, path, headers = _request(draw, words)
            body = draw.choice([b"", b"{"])
            answer = visitor.request(method, path, headers=headers, content=body)
            if answer.status_code >= 500:
                wrong.append((method, path, headers, answer.status_code))
    assert wrong == []


def _request(draw: Random, words: tuple[str, ...]) -> tuple[str, str, list[tuple[bytes, bytes]]]:
    def word() -> str:
        return "".join(draw.choices(words, k=draw.choice([1, 1, 1, 2, 3])))

    names = draw.choices(HEADERS, k=draw.randrange(5))
    headers = [(name.encode(), word().strip().encode("latin-1", "ignore")) for name in names]
    query = "&".join(f"{draw.choice(QUERIES)}={word()}" for _ in range(draw.randrange(3)))
    path = draw.choice(PATHS).replace("{id}", word().replace("/", "%2f") or "x")
    return draw.choice(["GET", "GET", "POST", "DELETE", "PUT"]), f"{path}?{query}", headers
