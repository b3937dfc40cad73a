"""Screenshots of every page and every game: start, middle, end; phone and desk; light and dark.

python -m tests.web.shots FOLDER [GAME …]
"""

from __future__ import annotations

import sys
import tempfile
import time
from base64 import b32encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from redis.client import Redis

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match
from engine.robots import greedy
from services import door, ledger, roll
from services.wire import BlockingWire
from tests.engine.logs import offered, player
from tests.games.matches import command, drawn
from tests.http.stage import Stage
from tests.web.conftest import chromium

NAMES = "Ann", "Benjamin of the Long Name", "Cleo", "Dirk", "Eve", "Fay"
SIZES = {"phone": (360, 740), "desk": (1280, 900)}
MOST = 900  # entries of a match, which may then stop where it is
PAGES = {"front": "/", "lobby": "/lobby?state=running", "me": "/me", "rules": "/rules/qwirkle"}
PICKS = "#board a.pick[id]", "#board a.hold[id]", ".choices button"
PAGES |= {
    "ratings": "/ratings",
    "contests": "/contests",
    "wall": "/wall",
    "offer": "/offer?game=qwirkle",
    "audit": "/audit",
}


def played(game: str, seats: int = 3) -> list[Line]:
    """The log of a match between greedy players, always the same."""
    rules = GAMES[game]
    allowed = rules.seats(rules.Options())
    seats = min(max(seats, allowed[0]), allowed[-1])
    offer = offered(*(None,) * seats, game=game)
    joined = [e.Joined(n, player(n), drawn("entropy", n)) for n in range(seats)]
    lines, match, dice = [], None, Dice(bytes(32), 1)
    now = time.time_ns() // 1_000_000 - 3_600_000

    def put(entry: e.Entry) -> Match:
        lines.append(Line(now + 2000 * len(lines), e.encode(entry)))
        return step(match, lines[-1])[0]

    for entry in (offer, *joined):
        match = put(entry)
    while not match.over and len(lines) < MOST:
        seat = match.to_act[0]
        match = put(command(seat, greedy(rules, match.state, seat, dice)))
    return lines


def write(server: Redis, wire: BlockingWire, name: str, lines: list[Line]) -> Match:
    """Have the ledger hold this match, folded."""
    match = None
    for seq, line in enumerate(lines, 1):
        server.xadd(f"{{0}}:match:{name}:log", {"at": line.at, "=": line.raw}, f"{seq}-0")
        before = match
        match, verdict = step(before, line)
        wire.ask(ledger.commit(0, [door.done(name, before, match, verdict)]))
    return match


def moments(game: str) -> dict[str, list[Line]]:
    """A match when it is dealt, in its middle, late, and over."""
    lines = played(game)
    dealt = 1 + sum(b'"joined"' in line.raw for line in lines)
    more = len(lines) - dealt
    ends = {"start": 0, "middle": more // 2, "late": more - 2, "end": more}
    return {name: lines[: dealt + n] for name, n in ends.items()}


def name_of(game: str, moment: str) -> str:
    return "0-" + b32encode(sha256(f"{game} {moment}".encode()).digest()).decode().lower()[:16]


def looks() -> Iterator[tuple[str, dict[str, Any]]]:
    """What browsers there are."""
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            view = {"width": width, "height": height}
            how = {"viewport": view, "color_scheme": theme, "has_touch": size == "phone"}
            yield f"{size}-{theme}", how


def shoot(page: Page, folder: Path, name: str, whole: bool = True) -> None:
    """The whole page, or what is in view of it."""
    page.wait_for_load_state("load")
    page.screenshot(path=folder / f"{name}.png", full_page=whole, animations="disabled")


def shoot_game(page: Page, folder: Path, game: str, look: str, seats: dict[str, int]) -> None:
    for moment, seat in seats.items():
        match = name_of(game, moment)
        sit(page, seat)
        page.goto(f"/table/{match}")
        shoot(page, folder, f"{game}-{moment}-{look}")
        if moment == "middle":
            pick(page)
            shoot(page, folder, f"{game}-making-{look}", whole=False)
    page.goto(f"/table/{match}/replay?seq=9")
    shoot(page, folder, f"{game}-replay-{look}")
    image = f'<img width="100%" src="/table/{match}/board.svg?as=open">'
    page.evaluate("image => { document.body.innerHTML = image }", image)
    page.locator("img").evaluate("image => image.decode()")
    shoot(page, folder, f"{game}-file-{look}")


def pick(page: Page) -> None:
    """Two things that can be picked, if there are; something taken up is put to use."""
    for _ in range(2):
        ways = [page.locator(where) for where in PICKS]
        for way in [way for way in ways if way.count()][:1]:
            with page.expect_response("**/live?**making=1**"):
                way.first.click()
            page.wait_for_timeout(200)


def sit(page: Page, seat: int) -> None:
    url = page.context.base
    page.context.add_cookies([{"name": "turnfold", "value": f"token-{seat}", "url": url}])


def main(folder: Path, games: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, Stage(Path(place)) as stage:
        seats = {game: filled(stage, game) for game in games}
        base = stage.api(TURNFOLD_PLAIN="1").ready().base
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for look, how in looks():
                context = browser.new_context(base_url=base, **how)
                context.base = base
                page = context.new_page()
                for game in games:
                    shoot_game(page, folder, game, look, seats[game])
                for name, path in PAGES.items():
                    page.goto(path)
                    shoot(page, folder, f"{name}-{look}")
            browser.close()


def filled(stage: Stage, game: str) -> dict[str, int]:
    """Write this game's matches; who looks at each moment: the one whose turn it is."""
    wire, server = stage.wire(), Redis.from_url(stage.server.url)
    for n, name in enumerate(NAMES):
        wire.ask(roll.add_token(f"token-{n}", player(n)))
        wire.ask(roll.add_player(player(n), name, 0))
    seats = {}
    for moment, lines in moments(game).items():
        match = write(server, wire, name_of(game, moment), lines)
        seats[moment] = match.to_act[0] if match.to_act else 0
    return seats


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or [*GAMES])
