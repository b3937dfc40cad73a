"""`pages`: what a table costs: until it is answered whole, without a cache, and to draw."""

from __future__ import annotations

import re
from time import process_time, time

import httpx
from redis.client import Redis

from engine.catalogue import GAMES
from engine.fold import fold
from engine.look import look
from services import roll
from services.web import boards
from services.web.boards.scene import scene
from services.web.boards.sheets import inline
from tests.bench.report import Row, just, show, under
from tests.bench.stage import Stage
from tests.engine.logs import player
from tests.web.shots import NAMES, name_of, played, write

ANSWER, WEIGHT, DRAWN = 50.0, 200.0, 10.0  # ms, kB, ms
ASSETS = re.compile(r'(?:href|src)="(/static/[^"]+)"')


def run(quick: bool) -> bool:
    times = 20 if quick else 100
    with Stage() as stage, httpx.Client(base_url=f"http://127.0.0.1:{stage.port}") as client:
        client.headers["accept"] = "text/html"
        server = Redis.from_url(stage.url)
        for game in GAMES:
            lines = played(game)
            name = name_of(game, f"bench {time()}")
            match = write(server, stage.wire, name, lines[:-1])
            seat = match.to_act[0] if match.to_act else 0
            stage.wire.ask(roll.add_token(f"token-{seat}", player(seat)))
            client.cookies.set("turnfold", f"token-{seat}", domain="127.0.0.1")
            show(f"pages: {game}, a table late in a match", [*_fetched(client, name, times)])
    show("pages: a Qwirkle board of 108 tiles", [_drawn(times)])
    return True


def _fetched(client: httpx.Client, name: str, times: int) -> list[Row]:
    whole = []
    for _ in range(times):
        answer = client.get(f"/table/{name}")
        whole.append(answer.elapsed.total_seconds() * 1000)
    assert answer.status_code == 200, answer.text
    parts = [answer.content, *(client.get(path).content for path in ASSETS.findall(answer.text))]
    return [
        under("whole page, from the asking", whole, "ms", ANSWER),
        just("  of which HTML", [len(parts[0]) / 1000], "kB"),
        under("  with all it needs, unpacked", [sum(map(len, parts)) / 1000], "kB", WEIGHT),
    ]


def _drawn(times: int) -> Row:
    seen = look(fold(played("qwirkle")), 0, legal=False)
    took = []
    for _ in range(times):
        begun = process_time()
        drawing = boards.draw(scene(seen, NAMES[:3]))
        assert drawing is not None
        inline(drawing)
        took.append((process_time() - begun) * 1000)
    return under("drawn, in CPU time", took, "ms", DRAWN)
