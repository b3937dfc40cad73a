"""The worked examples of the dossier and its whole game, read from its own text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import json

from engine.contract import hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip import Options, State
from engine.games.captain_flip.facts import TurnBegan
from engine.games.captain_flip.notation import tile_text
from engine.games.captain_flip.scoring import scores

from .positions import begun, offered, over, phase, play, position, view_text, written

TEXT, MORE = (Path(__file__).with_name(name).read_text() for name in ("examples.md", "rulings.md"))
FENCES = re.findall(r"```fixture\n(.*?)```", TEXT + MORE, re.S)
BLOCKS = [block.strip() for fence in FENCES for block in fence.split("\n\n")]
SHARES = {
    "coins": "coins",
    "S": "swabbies",
    "W": "carpenters",
    "L": "lookouts",
    "P": "parrots",
    "X": "columns",
    "total": "total",
}


def test_nothing_is_left_out() -> None:
    assert len(BLOCKS) == len(re.findall(r"^(?:T\d\d|G\d) ", TEXT + MORE, re.M)) == 60 + 4
    assert (TEXT.count("```fixture"), len(FENCES)) == (10, 11)
    assert sum(block.count("\n=> ") for block in BLOCKS) == TEXT.count("\n=> ") + 4 == 158


def test_the_deal() -> None:
    s, _ = hear(captain_flip.setup(Options(), 2, Dice(bytes(32), 0)))
    assert s.hand is not None
    tiles = [tile.up + tile.back.lower() for tile in (s.hand, *s.bag[:7])]
    assert [" ".join(tiles)] == re.findall(r"```deal\n(.*)\n```", MORE)


def came_of(s: State, name: str, wanted: str) -> str:
    """What `name`, with the first words of `wanted` where it takes some, truly is."""
    match name:
        case "phase":
            return phase(s)
        case "coins":
            return " ".join(map(str, s.coins))
        case "active":
            return str(s.turn + 1)
        case "map":
            return "-" if s.map_holder is None else str(s.map_holder + 1)
        case "up":
            return s.hand.up
        case "default":
            return captain_flip.words.write(captain_flip.default(s, s.turn))
        case "legal":
            return " ".join(offered(s))
        case "bagnext":
            return f"{s.bag[0].up}{s.bag[0].back.lower()}"
        case "p1" | "p2" | "p3":
            return written(s.boards[int(name[1]) - 1])
        case "cell":
            c, i = s.layout.at[wanted[:2]]
            return f"{wanted[:2]} {s.boards[0][c][i].up}"
        case "out":
            return row(seat for seat, score in enumerate(scores(s)) if score.out)
        case "winners":
            places = captain_flip.outcome(s).places
            return row(seat for seat, place in enumerate(places) if place == 1)
        case "score":
            return f"{wanted[:2]} {scored(s, int(wanted[1]) - 1)}"
    raise AssertionError(name)


def scored(s: State, seat: int) -> str:
    score, outcome = scores(s)[seat], captain_flip.outcome(s)
    assert outcome is None or outcome.scores[seat] == score.total
    return " ".join(f"{says} {getattr(score, share)}" for says, share in SHARES.items())


def seen(s: State, viewer: int | str | None, name: str, wanted: str) -> str:
    view = captain_flip.view(s, viewer)
    if name == "viewhand":
        return tile_text(view.hand)
    return f"{wanted[:2]} {view_text(view.boards[int(wanted[1]) - 1])}"


def expect(s: State, line: str) -> None:
    for part in line.split(";"):
        name, _, wanted = part.strip().partition(" ")
        if name.startswith("view"):
            assert {seen(s, viewer, name, wanted) for viewer in (0, 1, None)} == {wanted}
        else:
            assert came_of(s, name, wanted) == wanted


def row(seats: Iterable[int]) -> str:
    return " ".join(str(seat + 1) for seat in seats) or "none"


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split(" ", 1)[0] for block in BLOCKS])
def test_worked_example(block: str) -> None:
    lines = block.splitlines()[1:]
    given = "\n".join(line for line in lines if re.match(r"board |p\d |bag ", line))
    s = over(position(given)) if lines[0] == "kind score" else begun(given)
    for line in lines:
        if line.startswith("do "):
            s = do(s, line[3:])
        elif line.startswith("=> "):
            expect(s, line[3:])


def do(s: State, moves: str) -> State:
    """With a snapshot before every move: it resumes to the same bytes, in any cascade."""
    for move in moves.split():
        back = json.decode(json.encode(s), type=State)
        (s, told, no), again = play(s, move), play(back, move)
        assert no is None
        assert json.encode(again) == json.encode((s, told, no))
    return s


LEDGER = re.findall(r"^\| (\d+) \| (\d) \| ([^|]+) \| [^|]+ \| (\d+), (\d+) \| (.) \|$", TEXT, re.M)


def test_the_whole_game_turn_by_turn() -> None:
    """G1: after each turn the coins and the map are those of the ledger worked out by hand."""
    block = next(block for block in BLOCKS if block.startswith("G1 "))
    s = begun("\n".join(line for line in block.splitlines() if re.match("board |bag ", line)))
    moves = " ".join(moves for _, _, moves, *_ in LEDGER)
    assert f"do {moves}\n" in block
    for n, (number, seat, line, one, two, at) in enumerate(LEDGER, 1):
        assert (n, s.turn + 1) == (int(number), int(seat))
        s, told, no = play(s, line)
        assert no is None
        assert s.coins == (int(one), int(two))
        assert s.map_holder == (None if at == "–" else int(at) - 1)
        assert sum(isinstance(fact, TurnBegan) for fact in told) == (n < len(LEDGER))
    assert len(LEDGER) == 16
    assert s.over
